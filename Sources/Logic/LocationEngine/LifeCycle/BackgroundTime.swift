// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// The holds that keep an app running in the background for as long as they last.
package struct Holds: OptionSet, Sendable, Hashable, Codable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// None of them; an empty literal would be made element by element.
  package static var none: Holds { Holds(rawValue: 0) }
  /// Continuous location.
  package static let location = Holds(rawValue: 1)
  /// Audio that is playing.
  package static let audio = Holds(rawValue: 2)
}

/// Names a background task within one process; the app chooses it.
package typealias BackgroundTaskID = UInt32

/// An app's time in the background: whichever ends last keeps it running.
struct BackgroundTime: Sendable, Hashable, Codable {
  /// The end of the grace after entering the background, or after losing the last hold.
  var graceEnds: EngineInstant?
  /// The unfinished work for which it was woken, in the order of its start.
  var works: [Work] = []
  /// The holds that keep it running.
  var holds: Holds = []
  /// The end of its tasks' budget, if it has any and nothing holds it.
  var tasksEnd: EngineInstant
  /// Whether its expiration handlers have been called.
  var hasWarned = false

  /// One wake, and its time limit.
  struct Work: Sendable, Hashable, Codable {
    let reason: WakeReason
    let until: EngineInstant
  }

  /// The next event due to time alone.
  enum Due: Equatable {
    /// Nothing keeps it running any more; `isBudget` if a wake's budget was the last to do so.
    case suspension(isBudget: Bool)
    /// Its tasks are nearly over.
    case warning
    case overrun(Overrun)
  }

  /// Begins a wake; a second one for the same reason begins anew.
  mutating func beginWake(_ reason: WakeReason, until: EngineInstant) {
    works.removeAll { $0.reason == reason }
    works.append(Work(reason: reason, until: until))
  }

  /// The first event due to time alone; of two at one instant the harsher one.
  func due(hasTasks: Bool) -> (at: EngineInstant, what: Due)? {
    var first: (at: EngineInstant, what: Due)?
    for work in works where work.reason.mustReturn {
      if first.map({ work.until < $0.at }) ?? true {
        first = (work.until, .overrun(.handler(work.reason)))
      }
    }
    guard holds.isEmpty else { return first }
    if hasTasks {
      let task: (at: EngineInstant, what: Due) =
        hasWarned
        ? (tasksEnd, .overrun(.task))
        : (tasksEnd.advanced(bySeconds: -LifecycleTiming.expiryWarning), .warning)
      return first.map { $0.at <= task.at ? $0 : task } ?? task
    }
    if let first { return first }
    let budgetEnds = works.map(\.until).max()
    guard let ends = [graceEnds, budgetEnds].compactMap({ $0 }).max() else { return nil }
    return (ends, .suspension(isBudget: ends == budgetEnds))
  }

  /// The instant at which it stops running code if nothing else happens; `nil` while something holds it.
  func ends(hasTasks: Bool) -> EngineInstant? {
    guard holds.isEmpty else { return nil }
    let tasks = hasTasks ? tasksEnd : nil
    return ([graceEnds, tasks] + works.map(\.until)).compactMap { $0 }.max() ?? .zero
  }

  /// Whether a first task has any time before the warning of its end.
  func allowsTask(at now: EngineInstant) -> Bool {
    !holds.isEmpty || tasksEnd.advanced(bySeconds: -LifecycleTiming.expiryWarning) > now
  }

  /// Lets nothing overrun before `until`.
  mutating func spare(until: EngineInstant) {
    works = works.map {
      $0.reason.mustReturn ? Work(reason: $0.reason, until: max($0.until, until)) : $0
    }
    tasksEnd = max(tasksEnd, until)
  }

  /// The same as if `now` were the beginning of the axis; past values without effect are left out.
  func relative(to now: EngineInstant) -> Self {
    var time = self
    time.graceEnds = graceEnds.flatMap { $0 > now ? $0.relative(to: now) : nil }
    time.works = works.map { Work(reason: $0.reason, until: $0.until.relative(to: now)) }
    time.tasksEnd = tasksEnd.relative(to: now)
    return time
  }

  /// Whether a handler, a wake or its first seconds keep it running.
  func hasTimeLeft(at now: EngineInstant) -> Bool {
    works.contains { $0.until > now } || graceEnds.map { $0 > now } ?? false
  }
}

extension AppLifecycle {
  /// Lets no handler and no task overrun before `until`: until then their ends may not have been heard of.
  package mutating func spare(until: EngineInstant) {
    guard case .background(var time) = phase else { return }
    time.spare(until: until)
    phase = .background(time)
  }
}

/// The work that an app did not end in time.
package enum Overrun: Sendable, Equatable {
  /// A background task.
  case task
  /// The handler called for that reason.
  case handler(WakeReason)
}

extension EngineInstant {
  func relative(to now: Self) -> Self {
    Self(microseconds: microseconds - now.microseconds)
  }
}
