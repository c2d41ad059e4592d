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
//   A third time closes the older one. A jump of more than 5 s closes both.
// - Only a stream that lags is sorted. A receiver that sends a kind of sentence again for an earlier time has stepped
//   back: that closes what is open, and its positions stay in the order in which it told them.
// - A receiver that sends a kind of sentence again for the same time says the same again, or something new:
//
//       RMC 10:00:00 A   RMC 10:00:00 A     the position is *repeated*: skipped by that name, once for each
//       RMC 10:00:00 A   RMC 10:00:00 B     another place, date or validity: a second epoch of that time
//
//   So no position vanishes. Several talkers of one receiver (GP and GN) are several solutions of one moment.
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
  /// A line on which a receiver repeated a sentence for the same time.
  private(set) var repeatedLine: Int?
  /// The kinds of which the latest repeated position has been seen.
  private var repeatedKinds: UInt32 = 0

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

  mutating func forgetOddities() { repeatedLine = nil }

  mutating func closeAll() {
    closedCount += openCount
    openCount = 0
    touched = -1
  }

  /// The index of an open epoch, 0 or 1 by time.
  private func slot(_ open: Int) -> Int { (oldest &+ closedCount &+ open) % epochs.count }

  /// Notes the next sentence, even if unreadable; returns the previous one.
  mutating func note(kind: SentenceKind) -> SentenceKind? {
    defer { previous = kind }
    return previous
  }

  /// Adds a sentence to its epoch; returns the reason why it cannot be used.
  mutating func assemble(
    _ sentence: some Sentence, _ kind: SentenceKind, after previous: SentenceKind?,
    from talker: Talker, line: Int
  ) -> SkipReason? {
    switch sentence.place {
    case .none: return nil
    case .epoch(let time, let claim):
      switch place(sentence, kind, talker, time: time, claim: claim, line: line) {
      case .nowhere: return claim == .valid ? .noTime : nil
      case .again: return noteRepetition(of: kind)
      case .open(let index):
        let isTaken = epochs[slot(index)].absorb(
          sentence, kind, from: talker, habit: habit, line: line)
        return isTaken ? nil : .thirdReceiver
      }
    case .neighbour(let comesInRuns):
      let waits = waiting.contains { $0.kind == kind }
      let isInRun = comesInRuns && previous == kind
      if touched >= 0, isInRun || !epochs[slot(touched)].has(kind, of: talker),
        !(comesInRuns && waits)
      {
        _ = epochs[slot(touched)].absorb(sentence, kind, from: talker, habit: habit, line: line)
        return nil
      }
      if waits && !comesInRuns { waiting.removeAll { $0.kind == kind } }
      if waiting.count == Self.waitingLimit { waiting.removeFirst() }
      waiting.append(Waiting(sentence: sentence, kind: kind, talker: talker))
      return nil
    }
  }

  /// Where a sentence belongs.
  private enum Place {
    /// In an open epoch, 0 or 1 by time.
    case open(Int)
    /// Its receiver has said the same before.
    case again
    case nowhere
  }

  private mutating func place(
    _ sentence: some Sentence, _ kind: SentenceKind, _ talker: Talker, time: Int64?, claim: Claim,
    line: Int
  ) -> Place {
    guard let time else { return placeTimeless(kind, talker, claim: claim, line: line) }
    for index in (0..<openCount).reversed() where epochs[slot(index)].time == time {
      guard claim != .silent, epochs[slot(index)].has(kind, of: talker) else {
        touched = index
        return .open(index)
      }
      let repetition = epochs[slot(index)].repetition(by: sentence, kind, of: talker)
      if repetition == .another { return beginAlone(time, line: line) }
      if claim == .valid { repeatedLine = line }
      touched = index
      return repetition == .same && claim == .valid ? .again : .open(index)
    }
    if openCount == 1, epochs[slot(0)].time == nil {
      if claim == .void, !epochs[slot(0)].has(kind, of: talker) {
        epochs[slot(0)].time = time
        return .open(0)
      }
      closeAll()
    }
    guard openCount > 0, let newest = epochs[slot(openCount - 1)].time else {
      return .open(beginEpoch(time, at: 0, line: line))
    }
    let step = TimeOfDay.step(from: newest, to: time).micros
    if step > 0 && step <= Self.window {
      if openCount == 2 { closeOldest() }
      return .open(beginEpoch(time, at: openCount, line: line))
    }
    let lags =
      step < 0 && step >= -Self.window && !epochs[slot(openCount - 1)].has(kind, of: talker)
    if lags, openCount == 1 { return .open(beginEpoch(time, at: 0, line: line)) }
    if lags, let oldest = epochs[slot(0)].time, TimeOfDay.step(from: oldest, to: time).micros > 0 {
      closeOldest()
      return .open(beginEpoch(time, at: 0, line: line))
    }
    return beginAlone(time, line: line)
  }

  private mutating func beginAlone(_ time: Int64, line: Int) -> Place {
    closeAll()
    return .open(beginEpoch(time, at: 0, line: line))
  }

  /// The name by which a sentence is skipped that says again what its receiver has said of the same time: that of the
  /// position is for the first of its sentences, the others go with it.
  private mutating func noteRepetition(of kind: SentenceKind) -> SkipReason {
    let goesWith = repeatedKinds != 0 && repeatedKinds & kind.bit == 0
    repeatedKinds = goesWith ? repeatedKinds | kind.bit : kind.bit
    return goesWith ? .repeatedSentence : .repeatedPosition
  }

  private mutating func placeTimeless(
    _ kind: SentenceKind, _ talker: Talker, claim: Claim, line: Int
  ) -> Place {
    let isNew = touched >= 0 && !epochs[slot(touched)].has(kind, of: talker)
    switch claim {
    case .silent:
      return touched >= 0 ? .open(touched) : .nowhere
    case .valid:
      return isNew && epochs[slot(touched)].time != nil ? .open(touched) : .nowhere
    case .void:
      if isNew && !epochs[slot(touched)].hasValid { return .open(touched) }
      closeAll()
      return .open(beginEpoch(nil, at: 0, line: line))
    }
  }

  private mutating func closeOldest() {
    closedCount += 1
    openCount -= 1
    touched -= 1
  }

  private mutating func beginEpoch(_ time: Int64?, at index: Int, line: Int) -> Int {
    if index < openCount { epochs[slot(1)] = epochs[slot(0)] }
    openCount += 1
    touched = index
    repeatedKinds = 0
    epochs[slot(index)] = Epoch(time: time, line: line)
    for other in waiting {
      _ = epochs[slot(index)].absorb(
        other.sentence, other.kind, from: other.talker, habit: habit, line: line)
    }
    if !waiting.isEmpty { waiting.removeAll(keepingCapacity: true) }
    return index
  }
}
