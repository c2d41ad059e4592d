// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationModel

/// Stands in for the daemon while a replay runs, for managers that are made outside of it: it refuses every request and
/// gives the reason.
final class StrayBackend: LocationBackend, @unchecked Sendable {
  // Set once, by `open`, before any message is sent.
  private weak var session: LocationSession?

  func open(for session: LocationSession) {
    self.session = session
    session.received(
      .welcome(
        .init(
          release: "", app: "", state: .active, authorization: .notDetermined, launchReason: nil,
          monitorsSignificantChanges: false, acknowledged: 0)))
  }

  private static let words =
    "a replay runs in this process, and this manager was made outside of it (in a detached task, "
    + "or on a thread or a queue of its own): make it where the replay calls the app"

  func send(_ message: ClientMessage) {
    switch message {
    case .app(.start), .app(.requestLocation), .app(.requestAuthorization),
      .app(.monitorMotion(true)), .app(.monitorVisits(true)):
      session?.received(.error(code: .notAnApp, Self.words))
    case .app(.monitorRegion(let region)):
      session?.received(.regionFailed(region.identifier, reason: Self.words))
    default: break
    }
  }

  func close() {}
}
