// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel

/// What has happened in a run, one event each; kept only if somebody asks for it.
struct RunAccount: Sendable {
  /// Whether it names apps, and has the acts of user and programs.
  let isOfScenario: Bool
  private let records: Run.Records
  private let names: [String]
  private var events: [ReplayEvent] = []

  init(_ records: Run.Records, of cast: [CastMember], isOfScenario: Bool) {
    self.records = records
    self.isOfScenario = isOfScenario
    names = cast.map(\.name)
  }

  private var isKept: Bool { !records.isDisjoint(with: [.events, .verdicts]) }

  /// Adds an event, of an app if it concerns one.
  mutating func addEvent(_ kind: ReplayEvent.Kind, of app: String? = nil, at time: RunClock) {
    guard isKept else { return }
    events.append(ReplayEvent(at: time.now, time: time.utc, kind: kind, name: app))
  }

  /// Adds a decision of the engine, if it is one to be told.
  mutating func addDecision(_ decision: EngineCommand, at time: RunClock) {
    guard isKept, let kind = ReplayEvent.Kind(decision, verdicts: records.contains(.verdicts))
    else { return }
    addEvent(kind, of: decision.app.flatMap(name), at: time)
  }

  /// The name of an app; `nil` if there is only one.
  func name(of app: AppID) -> String? {
    let index = Int(app.number) - 1
    return isOfScenario && names.indices.contains(index) ? names[index] : nil
  }

  /// Returns the events and forgets them.
  mutating func drain() -> [ReplayEvent] {
    defer { events.removeAll(keepingCapacity: true) }
    return events
  }
}
