// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// What a delegate hears of its app's life follows from the state that it heard of last and the new one:
//
//   launched by its user: (inactive) ─► didBecomeActive ⇄ willResignActive ─► didEnterBackground
//   launched by an event: (background) ─► didEnterBackground, in eras that call it
//   back to the front:    willEnterForeground ─► didBecomeActive
//
// While a `did…` runs the app is where it came to, while a `will…` runs where it was. A suspension is told to
// nobody, and of a wake no state is news. Where states were passed while nobody was connected, their callbacks
// are made up for.

/// Which callbacks an app's delegate is to hear.
struct LifeCallbacks: Sendable, Equatable {
  enum Callback: Sendable, Equatable {
    case didBecomeActive, willResignActive, didEnterBackground, willEnterForeground

    /// Where the app is while the callback runs.
    var state: UIApplication.State {
      switch self {
      case .didBecomeActive, .willResignActive: .active
      case .didEnterBackground, .willEnterForeground: .background
      }
    }
  }

  private enum Place: Sendable, Equatable {
    /// It has been launched there, and heard of no state yet.
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

  /// The app is in that state now; answers what it hears, in order.
  mutating func follow(_ state: AppState) -> [Callback] {
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
  /// `nil` where the app runs no code.
  init?(_ state: AppState) {
    switch state {
    case .active: self = .active
    case .inactive: self = .inactive
    case .background: self = .background
    case .notRunning, .suspended: return nil
    }
  }
}
