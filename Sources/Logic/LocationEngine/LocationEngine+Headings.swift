// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Headings: which apps asked for them, and what they receive. `HeadingService` has the rules.

extension LocationEngine {
  /// Whether any app has asked for headings.
  package var asksHeading: Bool { apps.contains { $0.heading != nil } }

  mutating func setHeading(
    _ index: Int, _ wish: HeadingWish, at now: EngineInstant, into commands: inout [EngineCommand]
  ) {
    guard case .updates(let filter) = wish else {
      apps[index].heading = nil
      return
    }
    guard apps[index].state.runsCode else {
      return commands.append(.ignored(apps[index].id, .heading(wish)))
    }
    askUser(index, into: &commands)
    if apps[index].heading == nil {
      apps[index].heading = HeadingService(
        filter, unseenSince: apps[index].state == .background ? now : nil)
    } else {
      apps[index].heading?.filter = filter
    }
  }

  /// A compass reports the heading.
  mutating func pointed(
    _ heading: Heading, at now: EngineInstant, into commands: inout [EngineCommand]
  ) {
    compassAt = now
    tellHeading(heading, to: { _ in true }, into: &commands)
  }

  /// An admitted fix, not hidden by a zone, may give the course.
  mutating func moved(
    _ fix: Fix, at now: EngineInstant, into commands: inout [EngineCommand]
  ) {
    if let compassAt, EngineInstant.seconds(from: compassAt, to: now) < HeadingService.compassCounts
    {
      return
    }
    guard let heading = fix.heading else { return }
    tellHeading(heading, to: { $0.declaration.accuracy == .full }, into: &commands)
  }

  private mutating func tellHeading(
    _ heading: Heading, to isMeant: (EngineApp) -> Bool, into commands: inout [EngineCommand]
  ) {
    let heading = heading.completed(by: declination)
    for index in apps.indices where apps[index].hearsHeadings(in: rules.era) && isMeant(apps[index])
    {
      guard apps[index].heading?.take(heading: heading) == true else { continue }
      commands.append(.heading(apps[index].id, heading))
    }
  }
}

extension EngineApp {
  /// Whether the app asked for headings and may be told one now.
  @inline(__always)
  func hearsHeadings(in era: Era) -> Bool {
    guard let heading else { return false }
    return state.runsCode && mayHear(heading.unseenSince, in: era)
  }
}
