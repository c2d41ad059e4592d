// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// The callbacks of a delegate follow from the last state that it was told and the new one:
//
//   launched by its user: (inactive) ─► didBecomeActive ⇄ willResignActive ─► didEnterBackground
//   launched by an event: (background) ─► didEnterBackground, in eras that call it
//   back to the front:    willEnterForeground ─► didBecomeActive
//
// During a `did…` callback the app is in the new state, during a `will…` in the old one. A suspension is not reported,
// and the state of a wake is not news. States passed without a connection get their callbacks later.

/// Computes the callbacks for an app's delegate.
struct LifeCallbacks: Sendable, Equatable {
  enum Callback: Sendable, Equatable {
    case didBecomeActive, willResignActive, didEnterBackground, willEnterForeground

    /// The app's state while the callback runs.
    var state: UIApplication.State {
      switch self {
      case .didBecomeActive, .willResignActive: .active
      case .didEnterBackground, .willEnterForeground: .background
      }
    }
  }

  private enum Place: Sendable, Equatable {
    /// The app has been launched into this state and was told no state yet.
    case launchedInto(UIApplication.State)
    case told(UIApplication.State)
  }

  private var place: Place

  /// A process that was launched into that state.
  init(launchedInto state: AppState) {
    place = .launchedInto(state == .background ? .background : .inactive)
  }

  var state: UIApplication.State {
    switch place {
    case .launchedInto(let state), .told(let state): state
    }
  }

  /// Notes the new state; returns the callbacks, in order.
  mutating func follow(state: AppState) -> [Callback] {
    guard let new = UIApplication.State(state) else { return [] }
    let old = place
    place = .told(new)
    switch (old, new) {
    case (.launchedInto(.background), .background): return [.didEnterBackground]
    case (.launchedInto(let from), _), (.told(let from), _):
      return Self.way(from: from, to: new)
    }
  }

  private static func way(
    from old: UIApplication.State, to new: UIApplication.State
  ) -> [Callback] {
    switch (old, new) {
    case (.active, .active), (.inactive, .inactive), (.background, .background): []
    case (.inactive, .active): [.didBecomeActive]
    case (.active, .inactive): [.willResignActive]
    case (.inactive, .background): [.didEnterBackground]
    case (.active, .background): [.willResignActive, .didEnterBackground]
    case (.background, .inactive): [.willEnterForeground]
    case (.background, .active): [.willEnterForeground, .didBecomeActive]
    }
  }
}

extension UIApplication.State {
  /// `nil` if the app runs no code.
  init?(_ state: AppState) {
    switch state {
    case .active: self = .active
    case .inactive: self = .inactive
    case .background: self = .background
    case .notRunning, .suspended: return nil
    }
  }
}
