// SPDX-License-Identifier: Apache-2.0

package import ControlProtocol
package import LocationEngine
import LocationModel
package import ServiceContract

/// An app's standing with the service, for its questions; also for a program that has to answer them at once.
package struct AppStanding: Sendable, Equatable {
  private var life: AppLifecycle
  private var notifications: NotificationSchedule
  private let at: ServiceTime

  package init(_ life: AppLifecycle, _ notifications: NotificationSchedule, at now: ServiceTime) {
    self.life = life
    self.notifications = notifications
    at = now
  }

  /// `nil` for an unknown app.
  init?(of id: AppID, _ engine: LocationEngine, at now: ServiceTime) {
    guard let life = engine.life(of: id) else { return nil }
    self.init(life, engine.notificationSchedule(of: id), at: now)
  }

  /// Notes an app's message before the service has received it: nothing else happens at the same instant.
  package mutating func note(message: ClientMessage) {
    guard case .background(let message) = message else { return }
    var transitions: [LifecycleTransition] = []
    switch message {
    case .beginTask(let id, _): life.handle(.beganTask(id), at: at.at, into: &transitions)
    case .endTask(let id): life.handle(.endedTask(id), at: at.at, into: &transitions)
    case .schedule(let notification): _ = notifications.add(notification: notification, at: at.utc)
    case .cancelNotification(let identifier): notifications.cancel(identifier)
    case .timeRemaining, .setFetchInterval, .setKeepAlive, .watchSocket, .audio, .returned,
      .notifications:
      break
    }
  }

  /// The service's answer; `nil` if the message asks nothing about the app's standing.
  package func answer(to question: ClientMessage) -> ServerMessage? {
    guard case .background(let question) = question else { return nil }
    return answer(to: question)
  }

  func answer(to question: ClientMessage.Background) -> ServerMessage? {
    switch question {
    case .timeRemaining:
      let seconds = life.timeRemaining(at: at.at)
      return .timeRemaining(seconds.isFinite ? seconds : nil)
    case .notifications: return .notifications(notifications.all)
    case .beginTask, .endTask, .setFetchInterval, .setKeepAlive, .watchSocket, .audio, .returned,
      .schedule, .cancelNotification:
      return nil
    }
  }
}
