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
// - VTG and GSA carry no time: they belong to the epoch of the last sentence that had one. Where that
//   epoch has its VTG (or its run of GSAs) already, or none is open, they wait for the next one: such
//   a receiver sends them in front.
// - A void sentence without a time joins the epoch at hand unless that has this kind already or a
//   valid position; then it begins an epoch without a time.
// - A valid position without a time joins the epoch at hand if that lacks the kind, else it is
//   skipped: nobody knows when it was.
// - GST opens an epoch, and an epoch with neither position nor void sentence yields nothing.

struct EpochAssembler: Sendable, Equatable {
  /// What a sentence says about the validity of the position.
  enum Claim { case valid, void, silent }

  static let window: Int64 = 5_000_000
  private static let halfDay = HalfDay.microseconds

  /// Epochs that are complete; the caller takes them and calls `forgetClosed`.
  private(set) var closed: [Epoch] = []
  /// At most two, by time.
  private var open: [Epoch] = []
  private var touched = -1
  private var waiting = Waiting()
  /// Lines on which a receiver repeated a sentence for the same time, or time stepped back.
  private(set) var repeatedLine: Int?
  private(set) var backwardLine: Int?

  /// Sentences without a time that wait for the next epoch.
  private struct Waiting: Sendable, Equatable {
    var vtg: VTG?
    var vtgTalker = Talker.none
    var gsa: GSA?
    var gsaTalker = Talker.none
    var line = 0
  }

  private var previousKind: SentenceKind?

  mutating func forgetClosed() {
    closed.removeAll(keepingCapacity: true)
    repeatedLine = nil
    backwardLine = nil
  }

  mutating func closeAll() {
    closed.append(contentsOf: open)
    open.removeAll(keepingCapacity: true)
    touched = -1
  }

  /// Says which sentence comes next, before its effect is added.
  mutating func note(_ kind: SentenceKind) -> SentenceKind? {
    defer { previousKind = kind }
    return previousKind
  }

  /// Changes the observation of a sentence that carries a time, or should.
  mutating func add(
    _ kind: SentenceKind, _ talker: Talker, time: Int64?, claim: Claim, line: Int,
    _ change: (inout Observation) -> Void
  ) -> SkipReason? {
    guard let index = place(kind, talker, time: time, claim: claim, line: line) else {
      return claim == .valid ? .noTime : nil
    }
    return open[index].observe(talker, kind, line: line, change) ? nil : .thirdReceiver
  }

  mutating func add(_ sentence: VTG, _ talker: Talker, line: Int) {
    if touched >= 0, !open[touched].has(.vtg, of: talker) {
      _ = open[touched].observe(talker, .vtg, line: line) { $0.take(sentence) }
    } else {
      waiting.vtg = sentence
      waiting.vtgTalker = talker
      waiting.line = line
    }
  }

  mutating func add(_ sentence: GSA, _ talker: Talker, after previous: SentenceKind?, line: Int) {
    if touched >= 0, previous == .gsa || !open[touched].has(.gsa, of: talker), waiting.gsa == nil {
      _ = open[touched].observe(talker, .gsa, line: line) { $0.take(sentence) }
      return
    }
    var merged = sentence
    if let earlier = waiting.gsa {
      merged.mode = max(merged.mode, earlier.mode)
      merged.hdop = earlier.hdop ?? merged.hdop
    }
    waiting.gsa = merged
    waiting.gsaTalker = talker
    waiting.line = line
  }

  private mutating func place(
    _ kind: SentenceKind, _ talker: Talker, time: Int64?, claim: Claim, line: Int
  ) -> Int? {
    guard let time else { return placeTimeless(kind, talker, claim: claim, line: line) }
    for index in open.indices.reversed() where open[index].time == time {
      if claim == .valid, open[index].has(kind, of: talker) { repeatedLine = line }
      touched = index
      return index
    }
    if open.count == 1, open[0].time == nil {
      if claim == .void, !open[0].has(kind, of: talker) {
        open[0].time = time
        return 0
      }
      closeAll()
    }
    guard let newest = open.last?.time else { return begin(time, at: 0, line: line) }
    var step = time - newest
    if step < -Self.halfDay { step += 2 * Self.halfDay }
    if step > Self.halfDay { step -= 2 * Self.halfDay }
    if step > 0 && step <= Self.window {
      if open.count == 2 { closeOldest() }
      return begin(time, at: open.count, line: line)
    }
    if step < 0 && step >= -Self.window {
      backwardLine = line
      if open.count == 1 { return begin(time, at: 0, line: line) }
      if let oldest = open[0].time, time > oldest || oldest - time > Self.halfDay {
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
    let isNew = touched >= 0 && !open[touched].has(kind, of: talker)
    switch claim {
    case .silent:
      return touched >= 0 ? touched : nil
    case .valid:
      return isNew && open[touched].time != nil ? touched : nil
    case .void:
      if isNew && !open[touched].hasValid { return touched }
      closeAll()
      return begin(nil, at: 0, line: line)
    }
  }

  private mutating func closeOldest() {
    closed.append(open.removeFirst())
    touched -= 1
  }

  private mutating func begin(_ time: Int64?, at index: Int, line: Int) -> Int {
    var epoch = Epoch(time: time, line: line)
    if let vtg = waiting.vtg {
      _ = epoch.observe(waiting.vtgTalker, .vtg, line: line) { $0.take(vtg) }
    }
    if let gsa = waiting.gsa {
      _ = epoch.observe(waiting.gsaTalker, .gsa, line: line) { $0.take(gsa) }
    }
    if waiting.line > 0 { waiting = Waiting() }
    open.insert(epoch, at: index)
    touched = index
    return index
  }
}

/// Half of a day, beyond which a step of the time of day is taken for midnight.
enum HalfDay {
  static let microseconds: Int64 = 43_200_000_000
}

extension Observation {
  mutating func take(_ sentence: VTG) {
    slowSpeed = sentence.speed ?? slowSpeed
    slowCourse = sentence.course ?? slowCourse
  }

  mutating func take(_ sentence: GSA) {
    mode = max(mode, sentence.mode)
    slowHDOP = slowHDOP ?? sentence.hdop
  }
}
