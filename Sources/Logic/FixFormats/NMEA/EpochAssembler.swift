// SPDX-License-Identifier: Apache-2.0

// Sentences to epochs. The rules:
//
// - Sentences with the same time of day are one epoch. Two epochs are open at a time if they lie at
//   most 5 s apart, so that a sentence may come after the first of the next epoch, and a second
//   receiver may lag:
//
//       RMC 10:00:00   GGA 09:59:59   RMC 10:00:01   GGA 10:00:00
//       [10:00:00]     [:59 :00]      [:00 :01]      [:00 :01]      closed: 09:59:59
//
//   A third time closes the older one. A jump of more than 5 s, or a step back behind both, closes
//   both. Epochs close in the order of their times.
// - A receiver that repeats a sentence for the same time of day with another date, or another place, speaks of another
//   day: of a tracker that reports once a day, all epochs have nearly the same time.
// - VTG and GSA carry no time: they belong to the epoch of the last sentence that had one. If that
//   epoch has its VTG (or its run of GSAs) already, or none is open, they wait for the next one: such
//   a receiver sends them in front. At most `waitingLimit` wait; the oldest goes first.
// - A void sentence without a time joins the epoch at hand unless that has this kind already or a
//   valid position; then it begins an epoch without a time.
// - A valid position without a time joins the epoch at hand if that lacks the kind, else it is
//   skipped: its time is unknown.
// - GST opens an epoch, and an epoch with neither position nor void sentence yields nothing.

struct EpochAssembler: Sendable {
  static let window: Int64 = 5_000_000
  static let waitingLimit = 8

  /// By time, from `oldest` on and round: those that are closed, then at most two that are open.
  private var epochs = InlineArray<4, Epoch>(repeating: Epoch(line: 0))
  private var oldest = 0
  private var closedCount = 0
  private var openCount = 0
  /// The open epoch of the last sentence with a time; less than zero if there is none.
  private var touched = -1
  private var waiting: [Waiting] = []
  private var previous: SentenceKind?
  /// The talker of the last fix's position.
  private var habit = Talker.none
  /// Lines on which a receiver repeated a sentence for the same time, or time stepped back.
  private(set) var repeatedLine: Int?
  private(set) var backwardLine: Int?

  /// A sentence without a time that waits for the next epoch.
  private struct Waiting: Sendable {
    let sentence: any Sentence
    let kind: SentenceKind
    let talker: Talker
  }

  var hasClosed: Bool { closedCount > 0 }

  /// Hands over the oldest closed epoch. All must be taken before the next sentence is added.
  mutating func nextClosed(rangeError: Double) -> EpochOutcome? {
    guard closedCount > 0 else { return nil }
    let outcome = epochs[oldest].outcome(habit: habit, rangeError: rangeError)
    if case .fix(_, let talker, _, _, _) = outcome { habit = talker }
    oldest = (oldest + 1) % epochs.count
    closedCount -= 1
    return outcome
  }

  mutating func forgetOddities() {
    repeatedLine = nil
    backwardLine = nil
  }

  mutating func closeAll() {
    closedCount += openCount
    openCount = 0
    touched = -1
  }

  /// The index of an open epoch, 0 or 1 by time.
  private func slot(_ open: Int) -> Int { (oldest &+ closedCount &+ open) % epochs.count }

  /// Notes the next sentence, even if unreadable; returns the previous one.
  mutating func note(_ kind: SentenceKind) -> SentenceKind? {
    defer { previous = kind }
    return previous
  }

  /// Adds a sentence to its epoch; returns the reason why it cannot be used.
  mutating func add(
    _ sentence: some Sentence, _ kind: SentenceKind, after previous: SentenceKind?,
    from talker: Talker, line: Int
  ) -> SkipReason? {
    switch sentence.place {
    case .none: return nil
    case .epoch(let time, let claim):
      guard let index = place(sentence, kind, talker, time: time, claim: claim, line: line) else {
        return claim == .valid ? .noTime : nil
      }
      let isTaken = epochs[slot(index)].take(sentence, kind, from: talker, habit: habit, line: line)
      return isTaken ? nil : .thirdReceiver
    case .neighbour(let comesInRuns):
      let waits = waiting.contains { $0.kind == kind }
      let isInRun = comesInRuns && previous == kind
      if touched >= 0, isInRun || !epochs[slot(touched)].has(kind, of: talker),
        !(comesInRuns && waits)
      {
        _ = epochs[slot(touched)].take(sentence, kind, from: talker, habit: habit, line: line)
        return nil
      }
      if waits && !comesInRuns { waiting.removeAll { $0.kind == kind } }
      if waiting.count == Self.waitingLimit { waiting.removeFirst() }
      waiting.append(Waiting(sentence: sentence, kind: kind, talker: talker))
      return nil
    }
  }

  private mutating func place(
    _ sentence: some Sentence, _ kind: SentenceKind, _ talker: Talker, time: Int64?, claim: Claim,
    line: Int
  ) -> Int? {
    guard let time else { return placeTimeless(kind, talker, claim: claim, line: line) }
    for index in (0..<openCount).reversed() where epochs[slot(index)].time == time {
      if claim == .valid, epochs[slot(index)].has(kind, of: talker) {
        if epochs[slot(index)].isBefore(sentence, kind, of: talker) {
          closeAll()
          return begin(time, at: 0, line: line)
        }
        repeatedLine = line
      }
      touched = index
      return index
    }
    if openCount == 1, epochs[slot(0)].time == nil {
      if claim == .void, !epochs[slot(0)].has(kind, of: talker) {
        epochs[slot(0)].time = time
        return 0
      }
      closeAll()
    }
    guard openCount > 0, let newest = epochs[slot(openCount - 1)].time else {
      return begin(time, at: 0, line: line)
    }
    let step = TimeOfDay.step(from: newest, to: time).micros
    if step > 0 && step <= Self.window {
      if openCount == 2 { closeOldest() }
      return begin(time, at: openCount, line: line)
    }
    if step < 0 && step >= -Self.window {
      backwardLine = line
      if openCount == 1 { return begin(time, at: 0, line: line) }
      if let oldest = epochs[slot(0)].time, time > oldest || oldest - time > TimeOfDay.halfDay {
        closeOldest()
        return begin(time, at: 0, line: line)
      }
    }
    closeAll()
    return begin(time, at: 0, line: line)
  }

  private mutating func placeTimeless(
    _ kind: SentenceKind, _ talker: Talker, claim: Claim, line: Int
  ) -> Int? {
    let isNew = touched >= 0 && !epochs[slot(touched)].has(kind, of: talker)
    switch claim {
    case .silent:
      return touched >= 0 ? touched : nil
    case .valid:
      return isNew && epochs[slot(touched)].time != nil ? touched : nil
    case .void:
      if isNew && !epochs[slot(touched)].hasValid { return touched }
      closeAll()
      return begin(nil, at: 0, line: line)
    }
  }

  private mutating func closeOldest() {
    closedCount += 1
    openCount -= 1
    touched -= 1
  }

  private mutating func begin(_ time: Int64?, at index: Int, line: Int) -> Int {
    if index < openCount { epochs[slot(1)] = epochs[slot(0)] }
    openCount += 1
    touched = index
    epochs[slot(index)] = Epoch(time: time, line: line)
    for other in waiting {
      _ = epochs[slot(index)].take(
        other.sentence, other.kind, from: other.talker, habit: habit, line: line)
    }
    if !waiting.isEmpty { waiting.removeAll(keepingCapacity: true) }
    return index
  }
}
