// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@testable import Replay

/// Every number here is computed by hand from the definition in `CarefulSchedule`.
@Suite("How often a never-late policy must look that knows the past only")
struct CarefulScheduleTests {
  /// The instants of the looks on a path along a parallel, with deliveries at some of its seconds.
  private func looks(on path: Path, delivered: Set<Double> = [0], delay: Double = 30) -> [Double] {
    var schedule = CarefulSchedule(rules: ScoringRules(), delay: delay)
    return path.points.compactMap { point in
      let place = TruePoint(at: Path.instant(point.at), coordinate: Path.place(point.east))
      let isLook = schedule.pass(to: place)
      if delivered.contains(point.at) { schedule.deliver(at: place) }
      return isLook ? point.at : nil
    }
  }

  @Test("Straight on it need not look: the first look that must be finds the crossing")
  func straight() {
    #expect(looks(on: Path((2_000, 1.25))).isEmpty)
    #expect(looks(on: Path((2_000, 1.25)), delivered: [0, 410, 830, 1_240]).isEmpty)
  }

  @Test("Who stands need not be looked for, however long")
  func standing() {
    #expect(looks(on: Path((200, 1.25), (80_000, 0))).isEmpty)
  }

  @Test("To and fro within 250 m: a look whenever 500 m more could have been made outwards")
  func shuttle() {
    // 1 m/s out and back, 250 m each. 500 m of way after 500 s, looked at 30 s later: 30 m off. 470 m more
    // may be missing then: 470 s later, and 30 s after that it is 30 m off again, and so on.
    let path = Path(
      (250, 1), (250, -1), (250, 1), (250, -1), (250, 1), (250, -1), (250, 1), (100, -1))
    let found = looks(on: path)
    #expect(found.count == 3)
    // Chords cut the corners: at each of the two turns before a look up to 25 m go unseen.
    for (number, look) in found.enumerated() {
      let due = 530 + 500 * Double(number)
      #expect(look >= due && look <= due + 50 * Double(number + 1), "\(look)")
    }
  }

  @Test("Not before 300 s have passed, whatever the way")
  func interval() {
    // 10 m/s out for 40 s and back: crossing possible from 50 s on, but due at 300 s; at home then.
    #expect(looks(on: Path((40, 10), (40, -10), (400, 0))) == [330])
  }

  @Test("More delay asks for fewer looks")
  func delay() {
    let strolls = Path(
      (150, 1), (150, -1), (150, 1), (150, -1), (150, 1), (150, -1), (150, 1), (150, -1), (150, 1),
      (150, -1), (150, 1), (150, -1), (150, 1), (150, -1), (150, 1), (150, -1))
    #expect(looks(on: strolls, delay: 300).count < looks(on: strolls, delay: 30).count)
  }

  @Test("The drift of a position at rest is no way")
  func drift() {
    // 8 m to and fro every 16 s for a day.
    var schedule = CarefulSchedule(rules: ScoringRules(), delay: 30)
    var count = 0
    for second in 0..<86_400 {
      let east = Double(abs(second % 16 - 8))
      let place = TruePoint(at: Path.instant(Double(second)), coordinate: Path.place(east))
      if schedule.pass(to: place) { count += 1 }
      if second == 0 { schedule.deliver(at: place) }
    }
    #expect(count == 0)
  }

  @Test("After a gap nothing is known until the next delivery")
  func gap() {
    var schedule = CarefulSchedule(rules: ScoringRules(), delay: 30)
    let home = TruePoint(at: .zero, coordinate: Path.place(0))
    schedule.deliver(at: home)
    schedule.endSegment()
    let looks = (1...2_000).filter { second in
      let east = Double(second % 200)
      return schedule.pass(
        to: TruePoint(at: Path.instant(Double(second)), coordinate: Path.place(east)))
    }
    #expect(looks.isEmpty)
  }
}
