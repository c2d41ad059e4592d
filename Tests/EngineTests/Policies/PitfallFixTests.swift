// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import Testing

@testable import LocationEngine

// The pitfalls of other filters, numbered as in the table of pitfalls: fixes that are wrong, of unknown quality,
// repeated or late. Drawn over time: a row of places as in `Stage`, below it the verdict on each:
//
//   D delivered   c too close   s too soon   j jump unconfirmed   x invalid   2 duplicate   l late
//
// A policy believes the first place when three fixes agree, so every film begins with `jjD`.

extension Stage {
  /// Delivers fixes one column every `step` seconds, as if another app had the receiver on; returns the row of
  /// verdicts. `stamp`: the seconds of a column's own time, if it is not the present.
  fileprivate mutating func film(
    _ places: String, every step: Double = 60, accuracy: Double? = 5, speed: Double? = 10,
    stamp: ((Int) -> Double)? = nil
  ) -> String {
    columns(places, every: step) { stage, column, metres in
      let time = stamp.map { EngineInstant.zero.advanced(bySeconds: $0(column)) } ?? stage.now
      let fix = Self.fix(metres: metres, at: time, accuracy: accuracy, speed: speed)
      return stage.tell(.fix(fix)).outcomes.map(Self.letter).joined()
    }
  }

  private static func letter(_ outcome: Verdict.Outcome) -> String {
    switch outcome {
    case .delivered: "D"
    case .tooClose: "c"
    case .tooSoon: "s"
    case .jumpUnconfirmed: "j"
    case .invalid: "x"
    case .duplicate: "2"
    case .late: "l"
    case .inaccurate, .notRunning, .suspended, .unauthorized, .withheld, .receiverOff: "?"
    }
  }

  /// Metres from the anchor at the last delivery.
  fileprivate var lastMoved: Double { log.deliveries.last?.moved ?? -1 }
}

@Suite("Pitfalls of single fixes")
struct PitfallFixTests {
  private static let allSenses: [Senses] = [[], .motion, .cells, [.motion, .cells]]

  /// An app that monitors, on a device without any hint.
  private func monitoring() -> Stage {
    var stage = Stage(policy: SignificantPolicy(MilepostPolicy(senses: [])))
    stage.launch()
    stage.app(.startMonitoringSignificantChanges)
    return stage
  }

  private func isStart(_ fix: Fix?) -> Bool {
    fix.map { Stage.start.distance(to: $0.coordinate) < 1 } == true
  }

  // MARK: 1: Jumps

  @Test(
    "1: a look that a stir brings begins with 15 s at a place 3 km off; nobody is told",
    arguments: [Senses.motion, [.motion, .cells]])
  func jump(senses: Senses) {
    var journey = Journey(senses: senses)
    for _ in 0..<4 {
      journey.stirUntilLook()
      let before = journey.stage.log.count
      journey.travel(
        .init(seconds: 23, speed: 0, error: 3_000), .init(seconds: 120, speed: 0))
      #expect(Array(journey.stage.log[before...]).outcomes.contains(.jumpUnconfirmed))
      // Three agree, and the receiver is off until the candidate may be confirmed.
      #expect(!journey.stage.engine.plan.isOn)
    }
    #expect(journey.deliveries.map(\.second) == [11])
  }

  @Test("1: an hour of jumps of 15 s, whenever a look may come", arguments: allSenses)
  func jumps(senses: Senses) {
    var journey = Journey(senses: senses)
    journey.travel(.init(seconds: 600, speed: 0))
    for _ in 0..<60 {
      journey.travel(.init(seconds: 15, speed: 0, error: 1_000), .init(seconds: 45, speed: 0))
    }
    #expect(journey.deliveries.count == 1)
  }

  @Test("1: a jump that another app's receiver brings leaves the hints heard")
  func jumpOfAnother() {
    var journey = Journey(senses: .motion)
    journey.travel(.init(seconds: 1_800, speed: 0))
    #expect(!journey.stage.engine.plan.isOn)
    journey.stage.tell(.fix(Stage.fix(metres: 3_000, at: journey.stage.now, speed: 0)))
    #expect(journey.stage.log.outcomes.last == .jumpUnconfirmed)
    // Felt after two windows of 15 s, and seen 9 s later; the crossing is 36 s after the start.
    journey.travel(.init(seconds: 120, speed: 14))
    #expect(
      journey.deliveries.last.map { (1_836...1_854).contains($0.second) } == true,
      "\(journey.deliveries)")
  }

  @Test("1: the first fixes after a cold start are not believed alone", arguments: allSenses)
  func zinger(senses: Senses) {
    var journey = Journey(senses: senses)
    journey.column = 1
    // One at 3 km, one at 2 km; then three agree.
    journey.travel(
      .init(seconds: 9, speed: 0, error: 3_000), .init(seconds: 1, speed: 0, error: 2_000),
      .init(seconds: 10, speed: 0))
    #expect(journey.fixes == "--------uk000-------")
    #expect(journey.row == "ooooooooooooD.......")
    #expect(isStart(journey.stage.log.deliveries.first?.fix))
  }

  @Test("1: a real jump is believed after a minute at most and anchors; so is the way back")
  func realJump() {
    for senses in [Senses.motion, [.motion, .cells]] {
      var journey = Journey(senses: senses)
      journey.travel(.init(seconds: 600, speed: 0))
      for error in [3_000.0, 0] {
        journey.stirUntilLook()
        let before = (journey.second, journey.deliveries.count)
        journey.travel(.init(seconds: 120, speed: 0, error: error))
        // First seen after 8 s more, and believed the sooner the more probable the movements, and earlier findings,
        // make a ride. The confirming fix comes 60 s after that at the latest; it may be 12 s late.
        #expect(journey.deliveries.count == before.1 + 1, "\(senses)")
        let told = (journey.deliveries.last?.second ?? 0) - before.0
        #expect((8...80).contains(told), "\(senses): \(told) s")
        #expect(abs(journey.stage.lastMoved - 3_000) < 1, "\(senses)")
        // The place that is now the anchor is never reported again.
        journey.travel(.init(seconds: 3_600, speed: 0, error: error))
        #expect(journey.deliveries.count == before.1 + 1, "\(senses)")
      }
    }
  }

  // MARK: 8: Accuracy

  @Test("8: an accuracy may be missing, and one that cannot be is no position")
  func accuracy() {
    // The last step is 100 m in a second: a jump, unless both ends may be off by 50 m.
    for (accuracy, verdicts) in [
      (5.0 as Double?, "-------Dccj"), (50, "-------Dccc"), (nil, "-------Dccj"),
      (-5, "-------xxxx"), (0, "-------xxxx"), (.nan, "-------xxxx"),
    ] {
      var stage = monitoring()
      #expect(stage.film("000", accuracy: 50) == "jjD")
      #expect(
        stage.film("-------5556", accuracy: accuracy) == verdicts, "\(String(describing: accuracy))"
      )
      // The other way round, the anchor's accuracy is the one that is missing.
      guard accuracy == nil else { continue }
      var other = monitoring()
      #expect(other.film("000", accuracy: nil) == "jjD")
      #expect(other.film("-------5556", accuracy: 50) == "-------Dccc")
    }
  }

  @Test("8: a fix passes a distance filter for its accuracy only where that is known")
  func filter() {
    var stage = Stage()
    stage.launch()
    var request = StandardRequest()
    request.distanceFilter = 500
    stage.app(.startUpdating(request))
    // A fix twice as accurate as the last delivered one passes below the distance.
    #expect(stage.film("00", accuracy: 100) == "Dc")
    #expect(stage.film("-111", accuracy: nil) == "-ccc")
    #expect(stage.film("-11", accuracy: -1) == "-xx")
    #expect(stage.film("-11", accuracy: .nan) == "-xx")
    #expect(stage.film("-11", accuracy: 50) == "-Dc")
  }

  // MARK: 9 to 11: Times

  @Test("9: a second fix of the same time, elsewhere, is no movement and no candidate")
  func duplicates() {
    var stage = monitoring()
    // Every time is reported twice, 30 s apart, which would be enough to reach the other place.
    let verdicts = stage.film("060606060606060606060606", every: 30) { Double($0 / 2) * 60 }
    #expect(verdicts == "j2j2D2c2c2c2c2c2c2c2c2c2")
    #expect(isStart(stage.log.deliveries.last?.fix))
    // The anchor is unchanged; with its own time the other place is reported, once.
    #expect(stage.film("-66") == "-Dc")
    #expect(abs(stage.lastMoved - 606) < 1)
  }

  @Test("10: a queue of ten late fixes, of the place left behind, moves no anchor back")
  func late() {
    var stage = monitoring()
    // Delivered at 120 s, and again when 300 s are over.
    #expect(stage.film("00066666") == "jjDssssD")
    #expect(stage.film("-0000000000") { 10 + Double($0) } == "-llllllllll")
    // Measured from 606 m all the time: 1,111 m are 505 m on.
    #expect(stage.film("-6b") == "-cD")
    #expect(abs(stage.lastMoved - 505) < 1)
  }

  @Test("10: late fixes between fresh ones never add up")
  func lateBetween() {
    var stage = monitoring()
    #expect(stage.film("00066666") == "jjDssssD")
    // Every other fix is the next one of an old queue: 0 s, 1 s, … of the first minute.
    let begin = stage.now.seconds
    let verdicts = stage.film("-06060606060606060606060606060606") { column in
      column % 2 == 1 ? Double(column / 2) : begin + Double(column) * 60
    }
    #expect(verdicts == "-" + String(repeating: "lc", count: 16))
  }

  @Test("10: from the 11th late fix on the clock has stepped; a burst is then a jump to the gate")
  func lateBurst() {
    var stage = monitoring()
    #expect(stage.film("00066666") == "jjDssssD")
    #expect(stage.film("-666", every: 1) == "-ccc")
    // 14 old ones within 1.4 s: after ten the order is given up (`FixGate`), but 606 m cannot be made.
    #expect(
      stage.film("-00000000000000", every: 0.1) { 10 + Double($0) } == "-lllllllllljjjj")
    #expect(stage.film("-666", every: 1) == "-ccc")
    #expect(stage.film("-----6b") == "-----cD")
    #expect(abs(stage.lastMoved - 505) < 1)
  }

  @Test("10: known limit: a long queue, replayed slowly and alone, is taken for a stepped clock")
  func lateForLong() {
    var stage = monitoring()
    #expect(stage.film("00066666") == "jjDssssD")
    // One a minute and no fresh one between: indistinguishable from a clock that stepped back for good. It is a jump
    // first: 606 m in ten minutes, on a device without any hint that was seen at one place.
    #expect(stage.film("-0000000000000") { 10 + Double($0) } == "-lllllllllljjD")
  }

  @Test("11: a first fix that is hours old, and sold again and again, is no place to begin with")
  func staleFirst() {
    var stage = monitoring()
    stage.pass(to: 3 * 3_600)
    // The place of 3 h ago, five times within 5 s with the time of then; then the present ones.
    let begin = stage.now.seconds
    let verdicts = stage.film("uuuuu00000", every: 1) { $0 < 5 ? 0 : begin + Double($0) }
    #expect(verdicts == "j2222jjDcc")
    #expect(isStart(stage.log.deliveries.first?.fix))
    #expect(stage.log.deliveries.map(\.moved) == [nil])
  }

  @Test("11: a place that is frozen for 3 h under fresh times wakes nobody; its end is believed")
  func frozen() {
    // Three fixes and 60 s, whatever speed they report: 3 km in 120 s are too much for one that rested so long.
    for speed in [nil as Double?, 10, 30] {
      var stage = monitoring()
      #expect(
        stage.film(String(repeating: "0", count: 21), every: 600, speed: nil)
          == "jjD" + String(repeating: "c", count: 18))
      #expect(stage.film("-uuuuu", speed: speed) == "-jjDcc")
      #expect(abs(stage.lastMoved - 3_030) < 1)
    }
  }

  @Test("11: the cached first position is told as such, and never anchors")
  func cachedFirst() {
    var journey = Journey(senses: [.motion, .cells])
    journey.travel(.init(seconds: 600, speed: 0))
    journey.stage.app(.stopMonitoringSignificantChanges)
    journey.travel(.init(seconds: 600, speed: 20))
    let commands = journey.stage.app(.startMonitoringSignificantChanges)
    #expect(commands.deliveries.map(\.isCached) == [true])
    #expect(isStart(commands.deliveries.first?.fix))
    journey.travel(.init(seconds: 360, speed: 20))
    // Ten minutes at rest, ten without monitoring; then the first fresh one is delivered after 8 s and three fixes,
    // without an anchor, and the next 300 s later, from there.
    #expect(journey.row == "D...................D....D")
    let told = journey.stage.log.deliveries
    #expect(told.map(\.isCached) == [false, true, false, false])
    #expect(told.dropFirst(2).first?.moved == nil)
    #expect(journey.deliveries.dropFirst().first?.second == 1_211)
    #expect((300.0 * 20...320 * 20).contains(journey.stage.lastMoved))
  }
}
