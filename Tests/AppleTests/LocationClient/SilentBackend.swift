// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationClient
import LocationModel
import Synchronization

/// A daemon that sends nothing by itself: a test sends everything.
final class SilentBackend: LocationBackend {
  let heard = Mutex<[ClientMessage]>([])

  func open(for session: LocationSession) {}
  func send(_ message: ClientMessage) { heard.withLock { $0.append(message) } }
  func close() {}

  static func welcome(
    _ authorization: Authorization = .always, monitoring regions: [MonitoredRegion] = [],
    told: [ToldSide]? = nil
  ) -> ServerMessage {
    .welcome(
      .init(
        release: "1", app: "walker", state: .active, authorization: authorization,
        launchReason: nil, monitorsSignificantChanges: false, acknowledged: 0,
        places: .init(regions: regions, visits: false, told: told)))
  }
}
