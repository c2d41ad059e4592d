// SPDX-License-Identifier: Apache-2.0

import FixFormats
import LocationModel
import Testing

/// Random damage, from a printed seed: nothing may trap, and no line may be lost from the totals.
struct FaultTests {
  /// Fields that receivers and broken lines have been seen to hold, and some that they have not.
  private static let fields = [
    "", "A", "V", "N", "E", "0", "1", "-1", "99.99", "240000", "235960", "000000.00", "311299",
    "060180", "9999.9999", "99999999999999999999.9", "18000.0000", "5230.0000", "01324.3540",
    "0.000000000000000000001", "-", ".", "1e9", "311279", "-0.0", "4807.038",
  ]

  @Test func `an optional value that cannot be read is left out and told`() throws {
    let log = sentence("GPRMC,120000,A,5230.0000,N,01324.3540,E,abc,90.0,040526,,")
    let result = try decode(log)
    #expect(result.fixes.map(\.speed) == [nil])
    #expect(result.fixes.map(\.course) == [90])
    #expect(
      result.ledger.findings.map(\.text) == ["left out: a value of the sentence cannot be read"])
    #expect(throws: TraceError(.malformed, line: 1, "a value of the sentence cannot be read")) {
      try decode(log) { $0.strict = true }
    }
  }

  @Test(arguments: [("-5.0", "90.0"), ("5.0", "361.0"), ("5.0", "-2")])
  func `a speed or a course that no fix has is left out and told`(
    speed: String, course: String
  ) throws {
    let log = sentence("GPRMC,120000,A,5230.0000,N,01324.3540,E,\(speed),\(course),040526,,")
    let result = try decode(log)
    // Five knots, by the definition of the nautical mile: 1,852 m.
    let fiveKnots = 5 * 1_852.0 / 3_600
    #expect(result.fixes.map(\.speed) == [speed == "5.0" ? fiveKnots : nil])
    #expect(result.fixes.map(\.course) == [course == "90.0" ? 90 : nil])
    #expect(
      result.ledger.findings.map(\.text) == ["left out: a value of the sentence cannot be read"])
    #expect(throws: TraceError.self) { try decode(log) { $0.strict = true } }
  }

  @Test func `minus one is a word for an unknown speed and course`() throws {
    let result = try decode(
      sentence("GPRMC,120000,A,5230.0000,N,01324.3540,E,-1,-1,040526,,"))
    #expect(result.fixes.map(\.speed) == [nil])
    #expect(result.ledger.findings.isEmpty)
  }

  @Test(arguments: [1, 2, 3]) func `random fields trap nowhere`(seed: UInt64) throws {
    var dice = SplitMix64(seed: seed)
    for _ in 0..<400 {
      var log = ""
      for _ in 0..<20 {
        let type = ["RMC", "GGA", "GNS", "GLL", "VTG", "GSA", "GSV", "GST", "ZDA"][dice.below(9)]
        var body = ["GP", "GN", "GA", "II"][dice.below(4)] + type
        for _ in 0..<dice.below(20) { body += "," + Self.fields[dice.below(Self.fields.count)] }
        log += dice.below(8) == 0 ? rmc("12000\(dice.below(10))", "040526") : sentence(body)
      }
      let result = try decode(log) {
        $0.allowsUndated = true
        $0.fixWeekRollover = dice.below(2) == 0
      }
      #expect(result.unaccounted == 0, "seed \(seed)")
      #expect(result.ledger.fixes == result.fixes.count, "seed \(seed)")
    }
  }

  @Test(arguments: [1, 2, 3]) func `random bytes trap nowhere`(seed: UInt64) throws {
    var dice = SplitMix64(seed: seed)
    let clean = Array((rmc("235959", "311226") + gga("235959") + gga("000000")).utf8)
    for _ in 0..<400 {
      var log = clean + clean + clean
      for _ in 0...dice.below(12) {
        let place = dice.below(log.count)
        switch dice.below(3) {
        case 0: log[place] = UInt8(dice.below(256))
        case 1: log.remove(at: place)
        default: log.insert(Array("$*,\r\n\0#\\!A0".utf8)[dice.below(11)], at: place)
        }
      }
      let whole = try decode(log) { $0.allowsUndated = true }
      #expect(whole.unaccounted == 0, "seed \(seed)")
      let split = try decode(log, chunk: 1 + dice.below(40)) { $0.allowsUndated = true }
      #expect(split == whole, "seed \(seed)")
    }
  }
}
