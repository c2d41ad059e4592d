// SPDX-License-Identifier: Apache-2.0

package import ControlProtocol
package import LocationModel

/// The apps on a device and their states, which decide the meaning of a user's gesture.
package struct Stage: Sendable {
  package let apps: [(name: String, state: AppState)]

  package init(apps: [(name: String, state: AppState)]) { self.apps = apps }

  /// The app that the user sees, or would see behind a call.
  var front: String? {
    apps.first { $0.state == .active || $0.state == .inactive }?.name
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
      case .inactive, .active: nil
      }
    return [away, comes].compactMap(\.self)
  }
}
