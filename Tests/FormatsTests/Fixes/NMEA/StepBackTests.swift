// SPDX-License-Identifier: Apache-2.0

import FixFormats
import LocationModel
import Testing

/// Receivers whose time steps back, or who say two positions of one time: no position vanishes without being counted.
struct StepBackTests {
  /// RMC (kind 0), GGA (1) or both (2) of each (second, place), behind the day, which GGA does not state.
  private func log(_ positions: [(second: Int, place: Int)], kinds: Int = 2) -> String {
    sentence("GPZDA,120000,04,05,2026,00,00")
      + positions.map { second, place in
        let time = "1200" + (second < 10 ? "0" : "") + "\(second)"
        return (kinds != 1 ? rmc(time, "040526", minutes: place) : "")
          + (kinds != 0 ? gga(time, minutes: place) : "")
      }.joined()
  }

  private func seconds(_ result: Decoded) -> [Int] {
    result.fixes.map { Int((($0.time?.microseconds ?? 0) / 1_000_000) % 60) }
  }

  @Test(arguments: 0...5) func `a step back of seconds keeps every position, in its order`(
    step: Int
  ) throws {
    let times = [10, 11, 12, 13, 14, 15] + (15 - step...20)
    let result = try decode(log(times.enumerated().map { ($1, $0) }))
    #expect(seconds(result) == times)
    #expect(result.ledger.skipped.isEmpty && result.unaccounted == 0)
    #expect(result.finding("time_backwards")?.count == (step == 0 ? nil : 1))
  }

  @Test func `positions far apart at two times in turn are all kept`() throws {
    let result = try decode(
      log([(8, 0), (9, 9_000), (8, 2_000), (9, 7_000), (10, 4_000)], kinds: 0))
    #expect(seconds(result) == [8, 9, 8, 9, 10])
  }

  @Test func `two seconds that come in the wrong order are not sorted`() throws {
    let result = try decode(log([(5, 0), (1, 1), (6, 2)]))
    #expect(seconds(result) == [5, 1, 6])
    #expect(result.finding("time_backwards")?.lines == [5])
  }

  @Test func `a position that is said again is skipped by its name, once`() throws {
    let result = try decode(log([(1, 0), (1, 0), (2, 1), (1, 0)]))
    #expect(seconds(result) == [1, 2])
    #expect(
      result.ledger.skipped == ["position repeated": 2, "sentence of a repeated position": 2])
    #expect(result.unaccounted == 0)
  }

  @Test func `a valid sentence behind a void one of its kind and time is a fix`() throws {
    let result = try decode(
      rmc("120000", "040526", status: "V") + rmc("120000", "040526") + rmc("120001", "040526"))
    #expect(seconds(result) == [0, 1])
    #expect(result.voids.count == 1)
  }

  @Test(arguments: 1...40) func `fixes and repeated positions are all positions, in any order`(
    seed: UInt64
  ) throws {
    var dice = SplitMix64(seed: seed)
    let kinds = dice.below(3)
    var positions: [(Int, Int)] = []
    for _ in 0..<60 {
      // A jitter of some seconds around a time that goes on, with places that repeat now and then.
      let second = max(0, min(59, positions.count / 2 + dice.below(8) - 4))
      positions.append((second, dice.below(4)))
    }
    let result = try decode(log(positions, kinds: kinds))
    let repeated = result.ledger.skipped["position repeated"] ?? 0
    #expect(result.fixes.count + repeated == positions.count, "seed \(seed)")
    #expect(result.unaccounted == 0, "seed \(seed)")
    // Once written, it comes back as it was.
    let once = written(result.events)
    let twice = written(try decode(once).events)
    #expect(once == twice, "seed \(seed)")
    #expect(try decode(once).fixes.map(\.time) == result.fixes.map(\.time), "seed \(seed)")
  }

  private func written(_ events: [TraceEvent]) -> String {
    var writer = NMEAWriter()
    var bytes: [UInt8] = []
    for event in events { writer.encode(event, into: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
