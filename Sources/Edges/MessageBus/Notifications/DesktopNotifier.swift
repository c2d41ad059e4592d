// SPDX-License-Identifier: Apache-2.0

import Host
package import LocationModel
import Synchronization

// Theory
// ======
//
// A notification is one call on the session bus, `Notify` of org.freedesktop.Notifications (Desktop Notifications
// Specification 1.2), for which the bus may have to start the server. The call blocks, so a thread makes it: it begins
// with the first waiting notification, connects, makes all calls, and ends with the last one. Between notifications
// there is neither thread nor connection, and nothing wakes the service.
//
// A notification that repeats, or is given again under the same name, replaces the one of that name that is still on
// the screen; the server's numbers for that are kept for the newest thousand. One that cannot be shown is returned with
// the reason; so are those beyond a hundred waiting ones.

/// Shows notifications on the desktop of the user.
package final class DesktopNotifier: Sendable {
  /// The text for the user, with its app.
  package struct Alert: Sendable, Equatable {
    package let app: String
    package let notification: LocalNotification

    package init(app: String, _ notification: LocalNotification) {
      self.app = app
      self.notification = notification
    }

    /// Identifies it among those that the server shows.
    fileprivate var key: String { "\(app)\n\(notification.identifier)" }
  }

  /// The reason why a notification was not shown.
  package struct Failure: Error, Sendable, Equatable {
    package let words: String
  }

  private struct State {
    var waiting: [Alert] = []
    var isRunning = false
    /// The server's numbers, the newest last.
    var shown: [(key: String, number: UInt32)] = []
  }

  private static let waitingLimit = 100
  private static let shownLimit = 1_000

  private let address: String?
  private let unshown: @Sendable (Alert, Failure) -> Void
  private let state = Mutex(State())

  /// `address` is that of a bus; the default is the user's own. `unshown` is called on any thread and must not block.
  package init(
    address: String? = nil, unshown: @escaping @Sendable (Alert, Failure) -> Void
  ) {
    self.address = address
    self.unshown = unshown
  }

  /// Shows it soon; does not wait.
  package func show(_ alert: Alert) {
    let (isTaken, startsThread) = state.withLock { state in
      guard state.waiting.count < Self.waitingLimit else { return (false, false) }
      state.waiting.append(alert)
      defer { state.isRunning = true }
      return (true, !state.isRunning)
    }
    guard isTaken else {
      return unshown(alert, Failure(words: "\(Self.waitingLimit) others wait to be shown"))
    }
    guard startsThread else { return }
    do throws(BlockingThread.Missing) {
      try BlockingThread.start { self.runThread() }
    } catch {
      giveUp(Failure(words: error.description))
    }
  }

  private func runThread() {
    let bus: NotificationServer
    do throws(Failure) {
      bus = try NotificationServer(address)
    } catch {
      return giveUp(error)
    }
    while let (alert, replaced) = next() {
      do throws(Failure) {
        let number = try bus.notify(alert, replacing: replaced)
        state.withLock { state in
          state.shown.removeAll { $0.key == alert.key }
          if state.shown.count >= Self.shownLimit { state.shown.removeFirst() }
          state.shown.append((alert.key, number))
        }
      } catch {
        unshown(alert, error)
      }
    }
  }

  private func next() -> (Alert, replaced: UInt32)? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.isRunning = false
        return nil
      }
      let alert = state.waiting.removeFirst()
      return (alert, state.shown.first { $0.key == alert.key }?.number ?? 0)
    }
  }

  private func giveUp(_ failure: Failure) {
    let lost = state.withLock { state in
      defer { (state.waiting, state.isRunning) = ([], false) }
      return state.waiting
    }
    for alert in lost { unshown(alert, failure) }
  }
}

/// Whether notifications can be shown here, asked once.
package enum NotifierSurvey: Sendable, Equatable {
  /// The name of the server that shows them.
  case shown(by: String)
  /// The reason why they go to the journal.
  case notShown(String)

  /// Asks; blocks for some seconds at most, and starts the server if the bus can. `address` is that of a bus; the
  /// default is the user's own.
  package static func taken(address: String? = nil) -> NotifierSurvey {
    do throws(DesktopNotifier.Failure) {
      return .shown(by: try NotificationServer(address).serverName())
    } catch {
      return .notShown(error.words)
    }
  }
}
