// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import ServiceContract

// Theory
// ======
//
// What the store does not have yet. Rows gather until the shell takes a decision; then they are one change, with all
// that could not be written before:
//
//   rows ──► change ──► committed ──► written
//              ▲            │ failed
//              └─ unwritten ┘  (only what still matters: `StoreChange.carriedOver`)
//
// - The engine's state joins a change when it is due (`Checkpoint`); entries of the history join one, and are never a
//   reason for one.
// - A keeper remembers its app's ending until that is stored: until then, `unforgotten`.
// - Without a store nothing gathers at all.

/// The rows to write, and those that could not be written yet.
struct Ledger: Sendable {
  private let hasStore: Bool
  private var change = StoreChange() { didSet { mayHaveRows = true } }
  /// Whether something may have been added to `change`: to compare it with an empty one takes longer than most inputs.
  private var mayHaveRows = false
  private var unwritten: StoreChange?
  /// Apps whose keepers may forget their ending as soon as that is stored.
  private var unforgotten: [String] = []
  private var checkpoint: Checkpoint
  private var history = History()
  private var retention = Retention()
  /// The reason why nothing can be written now; `nil` if all is well.
  private(set) var trouble: String?
  /// Faults of the database found.
  let warning: String?
  /// Whether the state of an earlier service could be read: only then is an unknown app none of ours.
  let isStoreRead: Bool

  init(_ beginning: ServiceBeginning, at time: ServiceTime) {
    hasStore = beginning.host.hasStore
    checkpoint = Checkpoint(at: time.at)
    trouble = beginning.storeTrouble
    let warnings = beginning.storeWarnings
    warning = warnings.isEmpty ? nil : warnings.joined(separator: "\n")
    isStoreRead = beginning.isStoreRead
  }

  /// Adds rows to write, if there is a store to write them.
  mutating func addRows(_ body: (inout StoreChange) -> Void) {
    if hasStore { body(&change) }
  }

  // MARK: History

  /// Keeps one entry of the history.
  mutating func remember(_ entry: History.Entry) {
    if hasStore { history.append(entry: entry) }
  }

  /// Takes a position that the engine believed.
  mutating func remember(position fix: Fix, at now: ServiceTime) {
    if hasStore { history.saw(fix, at: now) }
  }

  /// Takes a change of the receiver's plan; `reason` is in words.
  mutating func remember(plan: ReceiverPlan, _ reason: String, at now: ServiceTime) {
    if hasStore { history.follow(plan: plan, text: reason, at: now) }
  }

  /// Forgets entries of the history, both waiting and stored ones.
  mutating func forgetHistory(_ expiry: HistoryExpiry) {
    history.forgetEntries(expiry)
    addRows { $0.forgetHistory(expiry) }
  }

  // MARK: Changes

  /// Makes the engine's state, and all else that only matters as a whole, part of the next change: soon, or with this
  /// very batch.
  mutating func needCheckpoint(now isUrgent: Bool = false) { checkpoint.need(isUrgent) }

  /// The time at which the engine's state becomes due by time alone; `nil` if it is not needed.
  var deadline: EngineInstant? { hasStore ? checkpoint.deadline : nil }

  func needsSnapshot(at now: EngineInstant) -> Bool { checkpoint.isDue(at: now) }

  mutating func addSnapshot(
    _ engine: LocationEngine.Snapshot, _ moment: StoredMoment, energy: [String: Double]
  ) {
    checkpoint.begin(at: moment.engine)
    change.engine = engine
    change.moment = moment
    change.energy = energy
  }

  /// Returns the rows to write now; `nil` if there are none.
  mutating func takeChange() -> StoreChange? {
    guard mayHaveRows else { return nil }
    defer { (change, mayHaveRows) = (StoreChange(), false) }
    guard !change.isEmpty else { return nil }
    change.history = history.takeWaiting()
    guard var whole = unwritten else { return change }
    whole.append(later: change)
    unwritten = nil
    return whole
  }

  /// Takes the store's answer to a change; `holds` is whether a delivery still waits.
  mutating func receive(
    outcome: LocationService.CommitOutcome, of change: StoreChange, at now: EngineInstant,
    holds: (AppID, UInt64) -> Bool, into effects: inout [ServiceEffect]
  ) {
    switch outcome {
    case .written(let seconds):
      checkpoint.took(seconds, hadSnapshot: change.engine != nil, at: now)
      guard trouble != nil else { return }
      trouble = nil
      effects.append(.log(.notice, "the store can be written again"))
      effects += unforgotten.map { .forget($0) }
      unforgotten = []
    case .failed(let words):
      let left = change.carriedOver(holds)
      unwritten = left.isEmpty ? nil : left
      if trouble != words {
        effects.append(.log(.error, "not stored, tracking goes on: \(words)"))
      }
      trouble = words
    case .noStore: break
    }
  }

  /// A keeper remembers its app's ending until the store has it.
  mutating func forgetEnding(of name: String, into effects: inout [ServiceEffect]) {
    if unwritten == nil {
      effects.append(.forget(name))
    } else if !unforgotten.contains(name) {
      unforgotten.append(name)
    }
  }

  // MARK: Retention

  /// The instant before which rows go now, if they are kept for `seconds` and it is time to look for old ones.
  mutating func expires(after seconds: Double?, at now: ServiceTime) -> UTCInstant? {
    guard let seconds, retention.begins(at: now.at) else { return nil }
    return now.utc.advanced(bySeconds: -seconds)
  }

  mutating func renewRetention() { retention.renew() }

  /// Follows a step of the host's clock.
  mutating func follow(clockStep step: ClockStep, at now: EngineInstant) {
    if step.seconds > Retention.interval { retention.postpone(at: now) }
  }

  // MARK: What the store does not have yet

  /// An effect that sends rows, with those that the store does not have yet.
  func completed(_ effect: ServiceEffect) -> ServiceEffect {
    if case .sendLog(let id, let name, let count, _, let client, let request) = effect {
      return .sendLog(
        of: id, name: name, count: count, unwritten: unwrittenLog(of: id), to: client, id: request)
    }
    if case .sendHistory(let range, _, let client, let request) = effect {
      return .sendHistory(
        range, unwritten: unwrittenHistory(in: range), to: client, id: request)
    }
    return effect
  }

  /// Rows that could not be written yet.
  var carried: StoreChange { unwritten ?? StoreChange() }

  func unwrittenLog(of id: AppID?) -> [LogRow] {
    unwritten?.log.filter { $0.app == id } ?? []
  }

  func unwrittenHistory(in range: HistoryRange) -> [History.Entry] {
    (carried.history + history.waiting).filter { range.contains($0) }
  }
}
