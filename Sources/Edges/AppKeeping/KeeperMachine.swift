// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory of operation
// ===================
//
// A keeper holds one process tree, the app, from its start until the last process of it is gone. It
// is the parent of the app and the adopter of its orphans (PR_SET_CHILD_SUBREAPER), so "no child is
// left" (ECHILD) is exactly "nothing of the app is left", whatever its processes did with sessions,
// groups and cgroups.
//
//              started            freeze              all are frozen
//   starting ───────────► running ──────► freezing ──────────────────► frozen
//      │                   ▲ │  ▲             │ thaw                     │ │
//      │ no such program   │ │  └─────────────┴──────────────────────────┘ │
//      ▼                   │ │                                             │ hold is over
//     gone                 │ │ end · time limit · main process ended       │ (no daemon)
//      ▲                     ▼                                             ▼
//      │    all gone      ending ──────────── grace is over · kill ────► killing
//      ├────────────────────┘                                              │ ↺ again until
//      └───────────────────────────────────────────────────────────────────┘   all are gone
//
// Rules
// - *Freezing* is requested once and then verified: at once, and again after 1, 2, 4 … ms, at most every 2 s, until it
//   is confirmed. After 5 s without confirmation there is one warning.
// - *Ending* thaws, sends SIGTERM to every process of the app, and kills when `grace` is over.
// - *Killing* sends SIGKILL to frozen processes and only then thaws them, so that none runs on; it is repeated after
//   10, 20, 40 … ms, at most every 5 s, until nothing is left: a process may have forked in between, or hang in the
//   kernel.
// - *The main process* is the app. When it ends, its children are ended with it: SIGTERM, 1 s,
//   SIGKILL. The app's end is that of its main process.
// - *The time limit* runs while the app runs; it stands still while the app is frozen, and while the machine sleeps, and
//   so does the grace. When it expires, the app is ended with 5 s of grace.
// - *Without a daemon* nothing else changes: a running app runs on. A frozen one stays frozen for `holdsFrozen` seconds
//   from when both hold (frozen, and no daemon); then it is killed, as by a purge. A daemon that comes back stops the
//   count.
// - *Gone* is final. It is recorded in the state file first; then it is reported. With a daemon the
//   keeper waits for its receipt (`done`) or its end; without one it leaves at once, and the record
//   tells the next daemon.
//
// Beyond the diagram: `end` and `kill` are accepted in every state after `starting`; a main process can end in every
// one, and a daemon can come and go in every one. A meaningless command (thaw of a running app) is answered with the
// current state, so that a daemon that has lost count is corrected. A second `end` shortens the grace and never
// lengthens it.

/// A keeper's next step for each event. Plain values; time is seconds on one clock.
package struct KeeperMachine: Sendable, Equatable {
  /// The outcome of the app.
  package enum Ending: Sendable, Equatable {
    case exited(Int32)
    case signalled(Int32)
    /// The program could not be started; nothing ran.
    case failed(String)
    /// The service itself could not start it: no room for its files, no descriptors; nothing ran.
    case prevented(String)
  }

  package enum Input: Sendable, Equatable {
    /// The main process runs; `limit` is its time limit, seconds.
    case started(limit: Double?)
    /// As `failed` or `prevented`.
    case couldNotStart(Ending)
    case daemonCame
    case daemonLeft
    case freeze
    case thaw
    case end(grace: Double)
    case kill
    /// The daemon has noted the end.
    case receipt
    /// The answer to `.checkFrozen`.
    case checked(isFrozen: Bool)
    case mainEnded(Ending)
    /// No process of the app is left.
    case allGone
    /// The machine has slept for these seconds since the last input.
    case slept(Double)
    case timePassed
  }

  package enum Action: Sendable, Equatable {
    case freeze
    /// Check whether all processes are frozen, and report it with `.checked`.
    case checkFrozen
    case thaw
    /// SIGTERM to every process.
    case terminate
    /// SIGKILL to every process, then thaw.
    case kill
    case report(Report)
    /// Write the end into the state file.
    case record(Ending)
    case leave
  }

  private enum Phase: Sendable, Equatable {
    /// Nothing runs yet.
    case starting
    /// The app runs; it is ended at `limitEnds`.
    case running(limitEnds: Double?)
    /// The freezer was told to freeze; not all processes are confirmed as frozen.
    case freezing(Freezing)
    /// All processes are frozen, with the rest of the time limit, and the end of the hold.
    case frozen(limitLeft: Double?, holdEnds: Double?)
    /// SIGTERM was sent.
    case ending(until: Double)
    /// SIGKILL was sent; it is sent again at `again`.
    case killing(again: Double, Backoff)
    /// Nothing is left.
    case gone(Ending)
  }

  private struct Freezing: Sendable, Equatable {
    var limitLeft: Double?
    var since: Double
    var checks: Double
    var pauses = Backoff(first: 0.001, longest: 2)
    var isWarned = false
  }

  /// The time for which a frozen app is held without a daemon, seconds.
  private let holdsFrozen: Double
  private var phase = Phase.starting
  private var hasDaemon = false
  /// The outcome of the main process, once it has ended.
  private var mainEnding: Ending?

  package static let childrenGrace = 1.0
  package static let limitGrace = 5.0

  package init(holdsFrozen: Double) { self.holdsFrozen = holdsFrozen }

  package var isFrozen: Bool {
    if case .frozen = phase { true } else { false }
  }

  package var ending: Ending? {
    if case .gone(let ending) = phase { ending } else { nil }
  }

  /// The next time at which time alone changes something; `nil` while nothing is pending, and then nothing wakes.
  package var nextDeadline: Double? {
    switch phase {
    case .starting, .gone: nil
    case .running(let limitEnds): limitEnds
    case .freezing(let freezing): freezing.checks
    case .frozen(_, let holdEnds): holdEnds
    case .ending(let until): until
    case .killing(let again, _): again
    }
  }

  /// Handles one input; appends the actions in order.
  package mutating func handle(_ input: Input, at now: Double, into actions: inout [Action]) {
    switch input {
    case .started(let limit):
      if phase == .starting { phase = .running(limitEnds: limit.map { now + $0 }) }
    case .couldNotStart(let ending): finishProcess(ending, &actions)
    case .daemonCame: daemonCame()
    case .daemonLeft: daemonLeft(now, &actions)
    case .freeze: freeze(now, &actions)
    case .thaw: thaw(now, &actions)
    case .end(let grace): endProcess(grace, now, &actions)
    case .kill: kill(now, &actions)
    case .receipt: if case .gone = phase { actions.append(.leave) }
    case .checked(let isFrozen): checked(isFrozen, now, &actions)
    case .mainEnded(let ending):
      if mainEnding == nil { mainEnding = ending }
      switch phase {
      case .running, .freezing, .frozen: endProcess(Self.childrenGrace, now, &actions)
      case .ending(let until): phase = .ending(until: min(until, now + Self.childrenGrace))
      case .starting, .killing, .gone: break
      }
    case .allGone: if let mainEnding { finishProcess(mainEnding, &actions) }
    case .slept(let seconds):
      switch phase {
      case .running(let limitEnds): phase = .running(limitEnds: limitEnds.map { $0 + seconds })
      case .ending(let until): phase = .ending(until: until + seconds)
      case .starting, .freezing, .frozen, .killing, .gone: break
      }
    case .timePassed: timePassed(now, &actions)
    }
  }

  private mutating func finishProcess(_ ending: Ending, _ actions: inout [Action]) {
    if case .gone = phase { return }
    phase = .gone(ending)
    actions += [.record(ending), .report(.ended(ending))]
    if !hasDaemon { actions.append(.leave) }
  }

  private mutating func daemonCame() {
    hasDaemon = true
    if case .frozen(let left, _) = phase { phase = .frozen(limitLeft: left, holdEnds: nil) }
  }

  private mutating func daemonLeft(_ now: Double, _ actions: inout [Action]) {
    hasDaemon = false
    switch phase {
    case .frozen(let left, _): phase = .frozen(limitLeft: left, holdEnds: now + holdsFrozen)
    case .gone, .starting: actions.append(.leave)
    case .running, .freezing, .ending, .killing: break
    }
  }

  private mutating func freeze(_ now: Double, _ actions: inout [Action]) {
    switch phase {
    case .running(let limitEnds):
      let left = limitEnds.map { max($0 - now, 0) }
      phase = .freezing(Freezing(limitLeft: left, since: now, checks: now + 0.001))
      actions += [.freeze, .checkFrozen]
    case .frozen: actions.append(.report(.frozen))
    case .freezing, .starting, .ending, .killing, .gone: break
    }
  }

  private mutating func checked(_ isFrozen: Bool, _ now: Double, _ actions: inout [Action]) {
    guard case .freezing(var freezing) = phase else { return }
    if isFrozen {
      phase = .frozen(
        limitLeft: freezing.limitLeft, holdEnds: hasDaemon ? nil : now + holdsFrozen)
      actions.append(.report(.frozen))
      return
    }
    freezing.checks = now + freezing.pauses.failed()
    if now - freezing.since > 5, !freezing.isWarned {
      freezing.isWarned = true
      let text = "not all of its processes are frozen after 5 s: one may hang in the kernel"
      actions.append(.report(.warning(text)))
    }
    phase = .freezing(freezing)
  }

  private mutating func thaw(_ now: Double, _ actions: inout [Action]) {
    switch phase {
    case .freezing(let freezing): resume(freezing.limitLeft, now, &actions)
    case .frozen(let left, _): resume(left, now, &actions)
    case .running: actions.append(.report(.thawed))
    case .starting, .ending, .killing, .gone: break
    }
  }

  private mutating func resume(_ left: Double?, _ now: Double, _ actions: inout [Action]) {
    phase = .running(limitEnds: left.map { now + $0 })
    actions += [.thaw, .report(.thawed)]
  }

  private mutating func endProcess(_ grace: Double, _ now: Double, _ actions: inout [Action]) {
    let until = now + max(grace, 0)
    switch phase {
    case .running, .freezing, .frozen:
      phase = .ending(until: until)
      // Thawing a running process does no harm, and something else may have stopped a child.
      actions += [.thaw, .terminate]
    case .ending(let before): phase = .ending(until: min(before, until))
    case .starting, .killing, .gone: break
    }
  }

  private mutating func kill(_ now: Double, _ actions: inout [Action]) {
    switch phase {
    case .running, .freezing, .frozen, .ending:
      var pauses = Backoff(first: 0.01, longest: 5)
      phase = .killing(again: now + pauses.failed(), pauses)
      actions.append(.kill)
    case .starting, .killing, .gone: break
    }
  }

  private mutating func timePassed(_ now: Double, _ actions: inout [Action]) {
    guard let nextDeadline, now >= nextDeadline else { return }
    switch phase {
    case .starting, .gone: break
    case .running:
      actions.append(.report(.warning("it used up its time limit and is ended")))
      endProcess(Self.limitGrace, now, &actions)
    case .freezing: actions.append(.checkFrozen)
    case .frozen, .ending: kill(now, &actions)
    case .killing(_, var pauses):
      phase = .killing(again: now + pauses.failed(), pauses)
      actions.append(.kill)
    }
  }
}
