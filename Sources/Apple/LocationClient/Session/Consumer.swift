// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationModel

// The state that the machine keeps for its process, and for one manager or one sequence of it.

/// The rules that applied to a process when it connected last.
package struct Circumstances: Sendable, Equatable {
  /// Whether the era defers updates.
  var defersUpdates = false
  /// Whether the app's notifications reach the user.
  package var mayNotify = false
  /// Whether the app runs in the foreground only.
  package var isFrontOnly = false
  /// Whether background refresh is switched off.
  package var refreshIsOff = false

  init() {}

  init(_ welcome: ServerMessage.Welcome) {
    defersUpdates = welcome.defersUpdates ?? false
    mayNotify = welcome.mayNotify ?? false
    isFrontOnly = welcome.isFrontOnly ?? false
    refreshIsOff = welcome.refreshIsOff ?? false
  }
}

extension SessionMachine {
  struct Consumer: Sendable, Equatable {
    let id: Int
    var wishes = Wishes()
    /// Whether the app ends the work of a wake itself, as a manager was told; `nil` for a consumer that is no manager.
    var endsWorkItself: Bool?
    /// The last standard position that it received.
    var last: Fix?
    var isPaused = false
    /// The last heading that it received since it asked for headings, degrees.
    var direction: Double?
    var places = PlaceEar.deaf
    /// Whether only this value ends the consumer's pause.
    var awaitsMotion: Bool { isPaused && wishes.resumes && wishes.standard != nil }
  }

  /// The app's state, as consumers know it.
  enum ToldState: Sendable, Equatable {
    case nothing
    /// The launch had no callback, and no state came after it: consumers assume the welcome's.
    case assumed(AppState)
    case told(AppState)

    var state: AppState? {
      switch self {
      case .nothing: nil
      case .assumed(let state), .told(let state): state
      }
    }
  }

  /// A numbered message that the daemon handed over.
  struct Arrival: Sendable, Equatable {
    enum News: Sendable, Equatable {
      case location(Delivery)
      case region(RegionNotice)
      case visit(Visit)
    }

    let number: UInt64
    let news: News
    let received: UTCInstant
  }

  /// A delivery that consumers are working on.
  struct Open: Sendable, Equatable {
    let ticket: UInt64
    /// The number, or those of positions that were kept back; `nil` for a motion, which is not numbered, and for numbers
    /// of an earlier count.
    var numbers: ClosedRange<UInt64>?
    var remaining: Int
  }

  /// The services that this process has requested of a daemon. A daemon that was restarted keeps them until they are
  /// stopped.
  struct Begun: Sendable, Equatable {
    var standard = false
    var heading = false
    var motion = false

    mutating func note(wishes: Wishes) {
      standard = standard || wishes.standard != nil || wishes.once
      heading = heading || wishes.heading != nil
      motion = motion || wishes.motion
    }
  }
}
