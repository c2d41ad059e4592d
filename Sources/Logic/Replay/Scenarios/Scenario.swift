// SPDX-License-Identifier: Apache-2.0

package import Geodesy
package import LocationModel
package import ServiceContract

/// The script played over a trace: apps, their handlers, and the acts of user and system.
package struct Scenario: Sendable, Equatable {
  /// Its subject, in a few words.
  package var title: String
  /// Its rules; `nil` leaves them to the player.
  package var era: Era?
  /// In the order of the file; no two of one name.
  package var apps: [ScenarioApp]
  /// What user and system do, one after the other.
  package var acts: [UserAct]
  /// What must hold of it, in the order of the file.
  package var expectations: [Expectation] = []
  /// The rules by which it is tested; none are its own.
  package var testedEras: [Era] = []
  /// Its apps and acts if it is one of Android; then `apps` and `acts` are empty.
  package var android: AndroidScript?
  /// The path of its trace, from the file's folder; `nil` leaves it to the player.
  package var trace: String?

  package init(
    title: String = "", era: Era? = nil, apps: [ScenarioApp], acts: [UserAct]
  ) {
    self.title = title
    self.era = era
    self.apps = apps
    self.acts = acts
  }

  /// The greatest number of apps in a scenario [ours].
  package static let appLimit = 16
  /// The greatest number of expectations of an app, or of the device [ours].
  package static let expectationLimit = 64
  /// The greatest number of acts in a scenario [ours].
  package static let actLimit = 1_000

  /// Whether an app leaves its service to the player.
  package var hasFreeService: Bool {
    apps.contains { $0.handlers.contains { $0.steps.contains(.track) } }
  }

  /// Whether it scripts the need of memory; else an app that has been suspended for long is purged.
  package var scriptsMemory: Bool {
    acts.contains { if case .device(.memoryNeeded) = $0.what { true } else { false } }
  }

  /// The same on a device without this app.
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
  /// Megabytes that it occupies while in memory.
  package var memory: Double
  /// At most one for each trigger.
  package var handlers: [Handler]
  /// The manifest of a sink, which has no program: the service itself sends its events. `nil` for an app.
  package var sink: AppManifest?

  package init(
    name: String, declaration: AppDeclaration = AppDeclaration(), memory: Double = usualMemory,
    handlers: [Handler] = []
  ) {
    self.name = name
    self.declaration = declaration
    self.memory = memory
    self.handlers = handlers
  }

  /// The default memory of an app, megabytes [ours].
  package static let usualMemory = 100.0
  /// The greatest number of steps in a handler [ours].
  package static let stepLimit = 256

  /// Its reaction to an event.
  package struct Handler: Sendable, Equatable {
    package var trigger: AppTrigger
    package var steps: [AppStep]

    package init(_ trigger: AppTrigger, _ steps: [AppStep]) {
      self.trigger = trigger
      self.steps = steps
    }
  }

  /// Its reaction to an event; `nil` if it has no code for it.
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

  /// Stands in for the place in a form without one; no sentence uses it.
  static let nowhere = Place(
    name: "", centre: Coordinate(clampingLatitude: 0, wrappingLongitude: 0), radius: 0)

  package func contains(_ point: Coordinate) -> Bool {
    centre.sphericalDistance(to: point) <= radius
  }
}

/// One line of a scenario of iOS.
package typealias UserAct = TimedAct<Happening>

/// One line of a script: when, and what.
package struct TimedAct<What: Sendable & Equatable>: Sendable, Equatable {
  package typealias Moment = ActMoment

  package var what: What
  package var when: Moment

  package init(_ what: What, _ when: Moment) {
    self.what = what
    self.when = when
  }

  /// `seconds` count from the first sample.
  package init(_ what: What, after seconds: Double) {
    self.init(what, .elapsed(seconds))
  }
}

/// The moment of a line. No line comes before the previous one.
package enum ActMoment: Sendable, Equatable {
  /// This many seconds after the first sample.
  case elapsed(Double)
  case utc(UTCInstant)
  /// This many seconds after the line before.
  case later(Double)
  /// The device has been in the place, and left it.
  case leaving(Place)
  /// The device has been outside of the place, and is in it.
  case reaching(Place)
}
