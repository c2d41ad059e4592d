// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationModel

// The state that a correspondence keeps for its process, and for one manager or one sequence of it.

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

extension Correspondence {
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

  /// Passes a heading to the consumers that want it. The daemon applies the narrowest filter of all; wider ones are
  /// applied here.
  mutating func pointed(_ notice: HeadingNotice, into actions: inout [Action]) {
    var heading = notice.heading
    heading.time = heading.time ?? notice.received
    guard let direction = heading.direction else { return }
    latestHeading = heading
    for index in consumers.indices {
      guard let wish = consumers[index].wishes.heading else { continue }
      if let filter = wish.filter, let told = consumers[index].direction,
        Heading.between(direction, told) < filter
      {
        continue
      }
      consumers[index].direction = direction
      actions.append(.hand(.heading(heading), to: consumers[index].id))
    }
  }

  /// Begins the headings of a consumer: it gets the first one, whatever it received before. The daemon sends that only
  /// to the first consumer that asks; others get the newest one here.
  mutating func beginHeadings(_ index: Int, into actions: inout [Action]) {
    consumers[index].direction = nil
    guard isGreeted, let latestHeading else { return }
    consumers[index].direction = latestHeading.direction
    actions.append(.hand(.heading(latestHeading), to: consumers[index].id))
  }
}

extension Heading {
  fileprivate var direction: Double? { trueNorth ?? magneticNorth }
}
