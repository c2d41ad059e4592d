// SPDX-License-Identifier: Apache-2.0

import AppKeeping
import GPSDSource
import ServiceContract
import ServiceCore

// What a configuration means for the edges.

extension DaemonConfiguration {
  var address: GPSDSource.Address {
    .init(
      host: gpsdHost, port: gpsdPort, device: gpsdDevice, control: gpsdControl,
      sleep: receiverSleep)
  }

  /// `nil` takes the first that is writable.
  var supervisorFreezer: FreezeMeans? { FreezeMeans(rawValue: freezer.rawValue) }
}
