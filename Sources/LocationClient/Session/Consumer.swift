// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationModel

// What a correspondence knows of its process, and of one manager or one sequence of it.

/// What a process was told of the rules that it lives by when it connected last.
package struct Circumstances: Sendable, Equatable {
  /// Whether the era keeps updates back.
  var defersUpdates = false
  /// Whether its notifications reach its user.
  package var mayNotify = false
  /// Whether it runs in front only.
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
    var endsWorkItself = true
    /// The last standard position that it was handed.
    var last: Fix?
    var isPaused = false
    /// Degrees, as the last heading that it was told says.
    var direction: Double?
    var places = PlaceEar.deaf
    /// Whether nobody but this value ends its pause.
    var awaitsMotion: Bool { isPaused && wishes.resumes && wishes.standard != nil }
  }

  /// The app's state, as consumers know it.
  enum ToldState: Sendable, Equatable {
    case nothing
    /// The launch had no callback, and what came then was no state: they take it for the welcome's.
    case assumed(AppState)
    case told(AppState)

    var state: AppState? {
      switch self {
      case .nothing: nil
      case .assumed(let state), .told(let state): state
      }
    }
  }

  /// Tells a heading to whoever asked for it. The daemon keeps to the narrowest filter of all; a wider one is kept to
  /// here.
  mutating func pointed(_ notice: HeadingNotice, into actions: inout [Action]) {
    var heading = notice.heading
    heading.time = heading.time ?? notice.received
    guard let direction = heading.trueNorth ?? heading.magneticNorth else { return }
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
}
