// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Testing

/// Random damage, from a printed seed: nothing may trap, and no line may be lost from the totals.
struct FaultTests {
  /// SplitMix64 (Steele, Lea, Flood 2014).
  private struct Dice {
    var state: UInt64
    mutating func roll(_ bound: Int) -> Int {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return Int((z ^ (z >> 31)) % UInt64(bound))
    }
  }

  /// Fields that receivers and broken lines have been seen to hold, and some that they have not.
  private static let fields = [
    "", "A", "V", "N", "E", "0", "1", "-1", "99.99", "240000", "235960", "000000.00", "311299",
    "060180", "9999.9999", "99999999999999999999.9", "18000.0000", "5230.0000", "01324.3540",
    "0.000000000000000000001", "-", ".", "1e9", "311279", "-0.0", "4807.038",
  ]

  @Test(arguments: [1, 2, 3]) func `random fields trap nowhere`(seed: UInt64) throws {
    var dice = Dice(state: seed)
    for _ in 0..<400 {
      var log = ""
      for _ in 0..<20 {
        let type = ["RMC", "GGA", "GNS", "GLL", "VTG", "GSA", "GSV", "GST", "ZDA"][dice.roll(9)]
        var body = ["GP", "GN", "GA", "II"][dice.roll(4)] + type
        for _ in 0..<dice.roll(20) { body += "," + Self.fields[dice.roll(Self.fields.count)] }
        log += dice.roll(8) == 0 ? rmc("12000\(dice.roll(10))", "040526") : sentence(body)
      }
      let result = try decode(log) {
        $0.allowsUndated = true
        $0.fixWeekRollover = dice.roll(2) == 0
      }
      #expect(result.unaccounted == 0, "seed \(seed)")
      #expect(result.ledger.fixes == result.fixes.count, "seed \(seed)")
    }
  }

  @Test(arguments: [1, 2, 3]) func `random bytes trap nowhere`(seed: UInt64) throws {
    var dice = Dice(state: seed)
    let clean = Array((rmc("235959", "311226") + gga("235959") + gga("000000")).utf8)
    for _ in 0..<400 {
      var log = clean + clean + clean
      for _ in 0...dice.roll(12) {
        let place = dice.roll(log.count)
        switch dice.roll(3) {
        case 0: log[place] = UInt8(dice.roll(256))
        case 1: log.remove(at: place)
        default: log.insert(Array("$*,\r\n\0#\\!A0".utf8)[dice.roll(11)], at: place)
        }
      }
      let whole = try decode(log) { $0.allowsUndated = true }
      #expect(whole.unaccounted == 0, "seed \(seed)")
      let split = try decode(log, chunk: 1 + dice.roll(40)) { $0.allowsUndated = true }
      #expect(split == whole, "seed \(seed)")
    }
  }
}
