// SPDX-License-Identifier: Apache-2.0

import LocationEngine
package import LocationModel

/// One app's life in a scenario, added up: a lane of the picture, a paragraph below the timeline.
package struct AppLife: Sendable {
  package let name: String
  /// Without a gap, from the start to the end.
  package private(set) var bands: [Band]
  package private(set) var marks: [Mark] = []
  /// The numbers of wakes by the system from suspension, and of launches, by reason.
  package private(set) var wakes: [WakeReason: Int] = [:]
  package private(set) var launches: [WakeReason: Int] = [:]
  /// The number of launches by the user.
  package private(set) var opened = 0
  package private(set) var deliveries: [Service: Int] = [:]
  /// Entries, exits, arrivals and departures told to it.
  package private(set) var placeEvents = 0
  /// Headings told to it.
  package private(set) var headings = 0
  /// Fixes not delivered to it, by verdict.
  package private(set) var refused: [Verdict.Outcome: Int] = [:]
  /// Events for it that did not wake it.
  package private(set) var unwoken: [WakeReason: Int] = [:]
  /// Ends of its process, by their reason in words.
  package private(set) var ends: [String: Int] = [:]
  /// The reason why no location wakes it now; `nil` if one does.
  var unreachable: NotWoken?
  /// The time and reason of its last wake or launch.
  private(set) var calledAt: (reason: WakeReason, seconds: Double)?
  /// Joules that it adds to the others of its device, nominal; `nil` if not computed.
  package var adds: Double?

  /// A state from one instant to another, seconds from the start.
  package struct Band: Sendable, Equatable {
    package let state: AppState
    package let from: Double
    package var to: Double
  }

  /// An event at an instant, seconds from the start.
  package struct Mark: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
      case wake
      case delivery
      /// Its process ended.
      case end
    }
    package let kind: Kind
    package let at: Double
  }

  init(name: String, since: Double) {
    self.name = name
    bands = [Band(state: .notRunning, from: since, to: since)]
  }

  package var state: AppState { bands.last?.state ?? .notRunning }

  /// Seconds in a state.
  package func seconds(in state: AppState) -> Double {
    bands.reduce(0) { $0 + ($1.state == state ? $1.to - $1.from : 0) }
  }

  package var isRunningCode: Bool { state.runsCode }

  mutating func changed(_ transition: LifecycleTransition, at seconds: Double) {
    extend(to: seconds)
    if bands.last?.from == seconds { bands.removeLast() }
    if bands.last?.state != transition.to {
      bands.append(Band(state: transition.to, from: seconds, to: seconds))
    }
    switch transition.reason {
    case .woken(let reason) where transition.from == .suspended:
      wakes[reason, default: 0] += 1
      calledAt = (reason, seconds)
      marks.append(Mark(kind: .wake, at: seconds))
    case .relaunched(let reason):
      launches[reason, default: 0] += 1
      calledAt = (reason, seconds)
      marks.append(Mark(kind: .wake, at: seconds))
    case .launched where transition.from == .notRunning: opened += 1
    default: break
    }
    if transition.to == .notRunning {
      ends[transition.reason.text, default: 0] += 1
      marks.append(Mark(kind: .end, at: seconds))
    }
  }

  mutating func delivered(_ service: Service, at seconds: Double) {
    deliveries[service, default: 0] += 1
    marks.append(Mark(kind: .delivery, at: seconds))
  }

  /// An event of a region or of a visit.
  mutating func told(at seconds: Double) {
    placeEvents += 1
    marks.append(Mark(kind: .delivery, at: seconds))
  }

  mutating func pointed() { headings += 1 }

  mutating func kept(from reason: WakeReason) { unwoken[reason, default: 0] += 1 }

  mutating func judged(_ outcome: Verdict.Outcome) {
    if outcome != .delivered { refused[outcome, default: 0] += 1 }
  }

  mutating func extend(to seconds: Double) {
    guard let last = bands.indices.last else { return }
    bands[last].to = max(bands[last].to, seconds)
  }
}
