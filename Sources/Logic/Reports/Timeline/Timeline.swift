// SPDX-License-Identifier: Apache-2.0

import LocationEngine
package import LocationModel
package import Replay
import ServiceContract

// Theory
// ======
//
// Events become parts, parts become lines. A part is one event of one app, or of the device; parts of one app at one
// instant are one line, since they are one story: woken, told, handed a location, begins a task. Lines that repeat are
// folded (`TimelineFolding`). Seconds count from the first sample, on the engine's axis.

/// Every app's life in a scenario, as readable lines and as lanes of a picture.
package struct Timeline: Sendable {
  package let scenario: Scenario
  package private(set) var lives: [AppLife]
  /// UTC of the first and of the last event.
  package private(set) var start: UTCInstant?
  package private(set) var end = UTCInstant(microseconds: 0)
  /// What user, system and world do.
  package private(set) var acts: [Act] = []
  private var last = 0.0
  private var parts: [Part] = []
  /// By app, in the order of `lives`; `nil` while it runs code.
  private var silences: [UnwokenStretch?]
  /// By app: the index of its latest part.
  private var latest: [Int?]
  private var plan: ReceiverPlan?

  package struct Act: Sendable, Equatable {
    package let at: Double
    package let time: UTCInstant
    package let words: String
  }

  /// One event.
  struct Part: Sendable {
    let at: Double
    let time: UTCInstant
    /// The index in `lives`; `nil` is the device.
    let life: Int?
    /// The app's state after it.
    var state: AppState?
    var text: String
    /// The key of equal parts; empty if none is equal.
    var key = ""
    /// Whether it lists callbacks.
    var isCallbacks = false
    /// Whether it is a line by itself.
    var isAlone = false
  }

  package init(_ scenario: Scenario) {
    self.scenario = scenario
    lives = scenario.apps.map { AppLife(name: $0.name, since: 0) }
    silences = scenario.apps.map { _ in nil }
    latest = scenario.apps.map { _ in nil }
  }

  /// The lines, in order of time.
  package var lines: [TimelineLine] { TimelineFolding.lines(parts.filter { !$0.text.isEmpty }) }

  /// Whether it continues past midnight, UTC.
  var hasDays: Bool { start.map { $0.date != end.date } ?? false }

  /// The number of events without a line, since there were too many; lives and marks have them.
  package private(set) var left = 0

  /// The greatest number of parts kept for the lines: a week of updates, one a second [ours].
  static let partLimit = 600_000

  package mutating func include(events: [ReplayEvent]) {
    for event in events { include(event: event) }
  }

  private mutating func include(event: ReplayEvent) {
    let at = event.at.seconds
    if start == nil { start = event.time.advanced(bySeconds: -at) }
    last = max(last, at)
    end = max(end, event.time)
    let life = event.name.flatMap { name in lives.firstIndex { $0.name == name } }
    let add = { (timeline: inout Timeline, text: String, key: String) in
      timeline.addLine(text, key: key, of: life, at: at, event.time)
    }
    switch event.kind {
    case .decided(let command): decided(command, life, at, event.time)
    case .callbacks(_, let callbacks): told(callbacks, life, at, event.time)
    case .did(let words): add(&self, words, words)
    case .sent(let transfer): add(&self, transfer.words, transfer.words)
    case .user(.nothing): break
    case .user(let what):
      acts.append(Act(at: at, time: event.time, words: what.words))
      add(&self, what.words, "")
    case .refused(let why): add(&self, "cannot be: \(why)", "")
    case .notPlayed(let act):
      add(&self, "never came, \(act.when.words): \(act.what.words)", "")
    case .gap(let start, let end, _):
      let length = Figures.span(UTCInstant.seconds(from: start, to: end))
      add(&self, "the trace has a gap of \(length) up to here", "")
    case .radio: break
    }
  }

  /// Ends the trace, `seconds` after its start; `energies` are the additions of the apps, in their order.
  package mutating func finish(at seconds: Double, _ time: UTCInstant, adding energies: [Double]) {
    if start == nil { start = time.advanced(bySeconds: -seconds) }
    last = max(last, seconds)
    end = max(end, time)
    for index in lives.indices {
      lives[index].extend(to: last)
      endSilence(of: index, at: last)
      lives[index].adds = index < energies.count ? energies[index] : nil
    }
  }

  private mutating func addLine(
    _ text: String, key: String, of life: Int?, at seconds: Double, _ time: UTCInstant
  ) {
    guard parts.count < Self.partLimit else { return left += 1 }
    parts.append(
      Part(
        at: seconds, time: time, life: life, state: life.map { lives[$0].state }, text: text,
        key: key))
    if let life { latest[life] = parts.count - 1 }
  }

  /// Events told to it at one instant are one list.
  private mutating func told(
    _ callbacks: [AppCallback], _ life: Int?, _ at: Double, _ time: UTCInstant
  ) {
    guard let life else { return }
    let words = callbacks.map(\.text).joined(separator: ", ")
    if let before = latest[life], parts[before].at == at, parts[before].isCallbacks {
      parts[before].text += ", " + words
      parts[before].key += ", " + words
    } else {
      let place = parts.count
      addLine("told " + words, key: words, of: life, at: at, time)
      if place < parts.count { parts[place].isCallbacks = true }
    }
  }

  // MARK: Decisions

  private mutating func decided(
    _ command: EngineCommand, _ life: Int?, _ at: Double, _ time: UTCInstant
  ) {
    if case .receiver(let plan) = command {
      self.plan = plan
      for index in silences.indices { silences[index]?.planned(plan) }
    }
    guard let life else { return }
    switch command {
    case .transition(_, let transition): changed(transition, life, at, time)
    case .deliver(_, let delivery):
      lives[life].delivered(delivery.service, at: at)
      addLine(delivery.words, key: delivery.foldKey, of: life, at: at, time)
    case .verdict(_, _, let verdict, _):
      lives[life].judged(verdict.outcome)
      silences[life]?.judged(verdict)
    case .heading:
      lives[life].pointed()
      noted(command, life, at, time)
    case .work(_, let reason, _):
      // If it was woken or launched for that, the line says so already.
      let called = lives[life].calledAt
      if called?.reason != reason || called?.seconds != at { noted(command, life, at, time) }
    case .notWoken(_, let reason, _):
      lives[life].kept(from: reason)
      noted(command, life, at, time)
    case .unreachable(_, let why):
      lives[life].unreachable = why
      silences[life]?.refused(why, at: at)
      // One that begins with the silence is said by its line.
      if silences[life]?.since != at { noted(command, life, at, time) }
    case .motion, .paused, .deferralEnded, .requestFailed, .tasksExpire, .notify, .audioStopped,
      .memoryTaken:
      noted(command, life, at, time)
    case .place(_, .event):
      guard let words = command.note else { return }
      lives[life].told(at: at)
      addLine(words, key: "", of: life, at: at, time)
    case .place(_, .verdict(_, let verdict, _)):
      silences[life]?.judged(verdict, isBorder: true)
    case .place: break
    case .asksUser: addLine(command.note ?? "", key: "", of: life, at: at, time)
    // The transition reports a launch.
    case .launch, .receiver, .requestNetworkPosition, .listen, .ignored: break
    }
  }

  private mutating func noted(
    _ command: EngineCommand, _ life: Int, _ at: Double, _ time: UTCInstant
  ) {
    guard let note = command.note else { return }
    addLine(note, key: note, of: life, at: at, time)
  }

  private mutating func changed(
    _ transition: LifecycleTransition, _ life: Int, _ at: Double, _ time: UTCInstant
  ) {
    let wasSilent = !lives[life].isRunningCode
    if wasSilent { endSilence(of: life, at: at) }
    lives[life].changed(transition, at: at)
    let words = transition.storyWords
    if let words {
      addLine(words, key: words, of: life, at: at, time)
    } else if let before = latest[life], parts[before].at == at {
      parts[before].state = lives[life].state
    }
    guard !lives[life].isRunningCode, parts.count < Self.partLimit else { return }
    silences[life] = UnwokenStretch(
      place: parts.count, since: at, plan: plan, refusal: lives[life].unreachable)
    // The line that `endSilence` fills; after the events of this instant.
    parts.append(
      Part(
        at: at, time: time, life: life, state: lives[life].state, text: "", isAlone: true))
  }

  private mutating func endSilence(of life: Int, at seconds: Double) {
    guard let silence = silences[life] else { return }
    silences[life] = nil
    let isSuspended = lives[life].state == .suspended
    parts[silence.place].text =
      silence.reason(until: seconds, isRunning: isSuspended) ?? ""
  }
}

extension LifecycleTransition {
  /// The event, in a story with the state beside it; `nil` for the first half of a passage through inactive.
  fileprivate var storyWords: String? {
    switch reason {
    case .launched, .launchedByService: to == .inactive ? reason.text : nil
    case .leftForeground: to == .inactive ? nil : reason.text
    case .exitsOnSuspend: announcesEnd ? reason.text : nil
    case .enteredForeground: to == .inactive ? "comes to the foreground" : nil
    case .woken(let reason): "woken: \(reason.words)"
    case .relaunched(let reason): "launched in the background: \(reason.words)"
    default: reason.text
    }
  }
}

extension Delivery {
  /// `significant change: 512 m and 488 s after the last`.
  fileprivate var words: String {
    let what: String =
      switch service {
      case .standard, .continuous: "a location"
      case .significant: "a significant change"
      }
    if isCached { return what + ", the last one known" }
    // For updates it is the same a thousand times.
    guard service == .significant, let moved, let since else { return what }
    return what + ", \(Figures.whole(moved)) m and \(Figures.whole(since)) s after the last"
  }

  /// Updates are alike, significant changes are not.
  fileprivate var foldKey: String { service == .significant ? "" : "location\(isCached)" }
}
