// SPDX-License-Identifier: Apache-2.0

package import Geodesy
package import LocationModel

/// What is played over a trace: apps, what they do when something happens to them, and what user and
/// system do.
package struct Scenario: Sendable, Equatable {
  /// What it is about, in a few words.
  package var title: String
  /// The rules that it is played by; `nil` leaves that to whoever plays it.
  package var era: Era?
  /// In the order of the file; no two of one name.
  package var apps: [ScenarioApp]
  /// What user and system do, one after the other.
  package var acts: [UserAct]

  package init(
    title: String = "", era: Era? = nil, apps: [ScenarioApp], acts: [UserAct]
  ) {
    self.title = title
    self.era = era
    self.apps = apps
    self.acts = acts
  }

  /// Apps of one scenario at most [ours].
  package static let appLimit = 16
  /// Acts of one scenario at most [ours].
  package static let actLimit = 1_000

  /// Whether an app leaves it to the player which service it asks for.
  package var hasFreeService: Bool {
    apps.contains { $0.handlers.contains { $0.steps.contains(.track) } }
  }

  /// Whether it says when memory is needed; else an app that has been suspended for long is purged.
  package var scriptsMemory: Bool {
    acts.contains { if case .memoryPressure = $0.what { true } else { false } }
  }

  /// The same on a device that this app is not on.
  package func without(_ app: String) -> Scenario {
    var rest = self
    rest.apps.removeAll { $0.name == app }
    for index in rest.acts.indices where rest.acts[index].what.app == app {
      // Later lines may count from it, or wait behind it.
      rest.acts[index].what = .nothing
    }
    return rest
  }
}

/// An app of a scenario.
package struct ScenarioApp: Sendable, Equatable {
  package var name: String
  package var declaration: AppDeclaration
  /// Megabytes that it occupies while it is in memory.
  package var memory: Double
  /// At most one for each trigger.
  package var handlers: [Handler]

  package init(
    name: String, declaration: AppDeclaration = AppDeclaration(), memory: Double = usualMemory,
    handlers: [Handler] = []
  ) {
    self.name = name
    self.declaration = declaration
    self.memory = memory
    self.handlers = handlers
  }

  /// Megabytes of an app that states none [ours].
  package static let usualMemory = 100.0
  /// Steps of one handler at most [ours].
  package static let stepLimit = 256

  /// What it does about something.
  package struct Handler: Sendable, Equatable {
    package var trigger: AppTrigger
    package var steps: [AppStep]

    package init(_ trigger: AppTrigger, _ steps: [AppStep]) {
      self.trigger = trigger
      self.steps = steps
    }
  }

  /// What it does about something; `nil` where it has no code for it.
  package func steps(on trigger: AppTrigger) -> [AppStep]? {
    handlers.first { $0.trigger == trigger }?.steps
  }
}

/// A circle on the ground.
package struct Place: Sendable, Equatable {
  package var name: String
  package var centre: Coordinate
  /// Metres.
  package var radius: Double

  package init(name: String, centre: Coordinate, radius: Double) {
    self.name = name
    self.centre = centre
    self.radius = radius
  }

  /// Stands where a form of sentence without a place would name one; no sentence does.
  static let nowhere = Place(
    name: "", centre: Coordinate(clampingLatitude: 0, wrappingLongitude: 0), radius: 0)

  package func contains(_ point: Coordinate) -> Bool {
    centre.sphericalDistance(to: point) <= radius
  }
}

/// One line of what user and system do: when, and what.
package struct UserAct: Sendable, Equatable {
  package var what: Happening
  package var when: Moment

  package init(_ what: Happening, _ when: Moment) {
    self.what = what
    self.when = when
  }

  /// `seconds` count from the first sample.
  package init(_ what: Happening, after seconds: Double) {
    self.init(what, .elapsed(seconds))
  }

  /// When a line's turn comes. No line's does before that of the line before it.
  package enum Moment: Sendable, Equatable {
    /// So many seconds after the first sample.
    case elapsed(Double)
    case utc(UTCInstant)
    /// So many seconds after the line before.
    case later(Double)
    /// The device has been in the place, and no longer is.
    case leaving(Place)
    /// The device has been outside of the place, and is in it.
    case reaching(Place)
  }
}
