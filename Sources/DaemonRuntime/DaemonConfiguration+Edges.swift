// SPDX-License-Identifier: Apache-2.0

import AppSupervisor
import GPSDSource
import ServiceCore
import Settings

// What a configuration means for the edges.

extension DaemonConfiguration {
  var address: GPSDSource.Address { .init(host: gpsdHost, port: gpsdPort, device: gpsdDevice) }

  /// `nil` takes the first that is writable.
  var supervisorFreezer: AppSupervisor.Freezer? {
    switch freezer {
    case .automatic: nil
    case .cgroup2: .cgroup2
    case .cgroup1: .cgroup1
    case .signals: .signals
    }
  }
}
