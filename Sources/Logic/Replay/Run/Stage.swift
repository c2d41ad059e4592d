// SPDX-License-Identifier: Apache-2.0

package import ControlProtocol
package import LocationModel

/// The apps on a device and their states, which decide the meaning of a user's gesture.
package struct Stage: Sendable {
  package let apps: [(name: String, state: AppState)]
  /// Apps that have been told to end.
  private let ending: Set<String>

  package init(apps: [(name: String, state: AppState)], ending: Set<String> = []) {
    self.apps = apps
    self.ending = ending
  }

  func isEnding(_ app: String) -> Bool { ending.contains(app) }

  /// The app that the user sees, or would see behind a call.
  var front: String? {
    apps.first { $0.state.isForeground && !ending.contains($0.name) }?.name
  }

  func state(of app: String) -> AppState {
    apps.first { $0.name == app }?.state ?? .notRunning
  }
}

extension Happening {
  /// The messages to the service, in order.
  package func messages(to stage: Stage) -> [ClientMessage] {
    switch self {
    case .home, .lock: stage.front.map { [.control($0, .background)] } ?? []
    case .open(let app): opening(app, on: stage)
    case .background(let app): [.control(app, .background)]
    case .forceQuit(let app): [.control(app, .quit)]
    case .terminate(let app): [.control(app, .terminate)]
    case .purge(let app): [.control(app, .purge)]
    case .authorize(let app, let level, let accuracy): [.authorize(app, level, accuracy)]
    case .event(let app, let reason): [.event(app, reason)]
    case .device(let event): [.device(event)]
    case .network(true): [.device(.networkChanged)]
    case .network(false), .nothing: []
    }
  }

  /// The foreground has room for one.
  private func opening(_ app: String, on stage: Stage) -> [ClientMessage] {
    let away = stage.front.flatMap { $0 == app ? nil : ClientMessage.control($0, .background) }
    let comes: ClientMessage? =
      switch stage.state(of: app) {
      case .notRunning: .control(app, .launch)
      case .background, .suspended: .control(app, .foreground)
      // The service refuses that, and says why.
      case .inactive, .active: stage.isEnding(app) ? .control(app, .foreground) : nil
      }
    return [away, comes].compactMap(\.self)
  }
}
