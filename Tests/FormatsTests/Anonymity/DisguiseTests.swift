// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import LocationModel
import Testing

// A walk of 6 km at 2 m/s, whose way is known by construction: 40 minutes to the east, then ten to the north. Distances
// are those of `Geodesy`, whose own tests compare them with GeographicLib.

@Suite("A trace that tells how, and not where and when")
struct DisguiseTests {
  private static let home = Coordinate(clampingLatitude: 52.5163, wrappingLongitude: 13.3777)

  private static func trace(seconds: Int = 3_000, noon: Int64 = 1_790_000_000) -> [TraceEvent] {
    let frame = LocalFrame(origin: home)
    return (0..<seconds).map { second in
      let east = 2.0 * Double(min(second, 2_400))
      let north = 2.0 * Double(max(0, second - 2_400))
      var fix = Fix(
        time: UTCInstant(microseconds: (noon + Int64(second)) * 1_000_000),
        coordinate: frame.point(east: east, north: north), horizontalAccuracy: 5, altitude: 34,
        ellipsoidalHeight: 73, verticalAccuracy: 9, speed: 2, course: second < 2_400 ? 90 : 0,
        hdop: 0.9, satellites: 11)
      if second == 1_000 { fix.horizontalAccuracy = 60 }
      return .fix(fix, line: second + 1)
    }
  }

  private static func disguised(
    _ events: [TraceEvent], seed: UInt64, cut: Double = 500, cutTime: Double = 120
  ) throws -> Disguise.Result {
    var generator = SplitMix64(seed: seed)
    return try Disguise(cut: cut, cutTime: cutTime, using: &generator).disguise(events)
  }

  private static func fixes(_ events: [TraceEvent]) -> [Fix] {
    events.compactMap { if case .fix(let fix, _) = $0 { fix } else { nil } }
  }

  /// The remaining fixes, with their originals.
  private static func pairs(_ result: Disguise.Result) -> [(old: Fix, new: Fix)] {
    let lines = trace().reduce(into: [Int: Fix]()) { known, event in
      if case .fix(let fix, let line) = event { known[line] = fix }
    }
    return result.events.compactMap { event in
      guard case .fix(let new, let line) = event, let old = lines[line] else { return nil }
      return (old, new)
    }
  }

  @Test(
    "Distances between any two fixes are kept to 0.01 %", arguments: 1...20 as ClosedRange<UInt64>)
  func distances(_ seed: UInt64) throws {
    let pairs = Self.pairs(try Self.disguised(Self.trace(), seed: seed))
    #expect(pairs.count > 1_500)
    for step in [1, 60, pairs.count - 1] {
      for index in stride(from: 0, to: pairs.count - step, by: 97) {
        let (a, b) = (pairs[index], pairs[index + step])
        let before = a.old.coordinate.distance(to: b.old.coordinate)
        let after = a.new.coordinate.distance(to: b.new.coordinate)
        #expect((after - before).magnitude <= before * 1e-4 + 1e-6)
      }
    }
  }

  @Test("Courses turn with the way, and turns stay", arguments: 1...20 as ClosedRange<UInt64>)
  func turns(_ seed: UInt64) throws {
    let pairs = Self.pairs(try Self.disguised(Self.trace(), seed: seed))
    for index in stride(from: 0, to: pairs.count - 1, by: 97) {
      let (here, next) = (pairs[index].new, pairs[index + 1].new)
      let frame = LocalFrame(origin: here.coordinate)
      let course = try #require(here.course)
      // The distance along its course, and none beside it.
      let (east, north) = (frame.east(of: next.coordinate), frame.north(of: next.coordinate))
      let along = east * sine(course * .pi / 180) + north * cosine(course * .pi / 180)
      guard pairs[index].old.course == pairs[index + 1].old.course else { continue }
      #expect((along - 2).magnitude < 0.001)
    }
    let (first, last) = (
      try #require(pairs.first?.new.course), try #require(pairs.last?.new.course)
    )
    let turn = Coordinate.wrapped(last - first)
    #expect((turn + 90).magnitude < 0.2)
  }

  @Test(
    "No place of it is within 1000 km of any place of the trace",
    arguments: 1...200 as ClosedRange<UInt64>)
  func far(_ seed: UInt64) throws {
    let result = try Self.disguised(Self.trace(), seed: seed)
    let nearest = Self.fixes(result.events).map { $0.coordinate.distance(to: Self.home) }.min()
    // The walk itself is 5 km long.
    #expect(try #require(nearest) > 1_000_000 + 5_000)
  }

  @Test("Heights are gone; times between fixes, accuracy, HDOP, satellites and speed are there")
  func kept() throws {
    let pairs = Self.pairs(try Self.disguised(Self.trace(), seed: 3))
    #expect(pairs.first?.new.time == Disguise.begin)
    #expect(Disguise.begin.rfc3339.hasPrefix("2001-01-01T00:00:00"))
    for (old, new) in pairs {
      #expect(new.altitude == nil && new.ellipsoidalHeight == nil && new.verticalAccuracy == nil)
      #expect(new.horizontalAccuracy == old.horizontalAccuracy)
      #expect((new.speed, new.hdop) == (old.speed, old.hdop))
      #expect(new.satellites == old.satellites)
    }
    let shifts = Set(
      pairs.map { pair in
        (pair.old.time?.microseconds ?? 0) - (pair.new.time?.microseconds ?? 0)
      })
    #expect(shifts.count == 1)
  }

  @Test(
    "Nothing near either end is left, however often the way comes by",
    arguments: 1...50 as ClosedRange<UInt64>)
  func ends(_ seed: UInt64) throws {
    // There and back: the start is the end, and the middle is 4.8 km away; and past home again.
    let there = Self.fixes(Self.trace(seconds: 2_400))
    var all = there + there.reversed() + there + there.reversed()
    for index in all.indices {
      all[index].time = UTCInstant(microseconds: Int64(index) * 1_000_000)
    }
    let result = try Self.disguised(
      all.enumerated().map { .fix($1, line: $0 + 1) }, seed: seed)
    var radius = Double.infinity
    for case .fix(_, let line) in result.events {
      radius = min(radius, all[line - 1].coordinate.distance(to: Self.home))
    }
    #expect((500...1_002).contains(radius), "from 500 m to twice as much, as it was drawn")
    // A piece is missing between the two rounds, and no line leads over it.
    #expect(result.events.contains { if case .segmentEnd = $0 { true } else { false } })
    #expect(result.cut == result.fixes - Self.fixes(result.events).count)
  }

  @Test("Two disguises of one trace have neither place nor direction nor cut in common")
  func drawn() throws {
    let (a, b) = (
      Self.fixes(try Self.disguised(Self.trace(), seed: 1).events),
      Self.fixes(try Self.disguised(Self.trace(), seed: 2).events)
    )
    #expect(a.count != b.count)
    let (first, other) = (try #require(a.first), try #require(b.first))
    #expect(first.coordinate.distance(to: other.coordinate) > 10_000)
    #expect(first.course != other.course)
  }

  @Test("What cannot be disguised says why")
  func troubles() throws {
    #expect(throws: Disguise.Trouble.empty) { try Self.disguised([], seed: 1) }
    #expect(throws: Disguise.Trouble.nothingLeft(fixes: 200)) {
      try Self.disguised(Self.trace(seconds: 200), seed: 1)
    }
    let apart: [TraceEvent] = (0..<100).map { index in
      .fix(
        Fix(
          time: nil, coordinate: Coordinate(clampingLatitude: 0, wrappingLongitude: Double(index))),
        line: index + 1)
    }
    // 50° of the equator to either side of the middle: 5565 km.
    #expect {
      try Self.disguised(apart, seed: 1)
    } throws: { error in
      guard case .tooWide(let metres)? = error as? Disguise.Trouble else { return false }
      return (5_000_000...5_600_000).contains(metres)
    }
  }
}
