// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@testable import RadioPower

@Suite("How the clocks of a trace and a log differ")
struct ClockOffsetTests {
  /// Spells awake of uneven lengths, in seconds of the log.
  private let spells = [(20.0, 35.0), (60.0, 63.5), (100.0, 140.0), (171.0, 180.0)]

  private var log: String {
    "{\"at_s\":5,\"component\":\"soc\",\"state\":\"suspended\"}\n"
      + spells.map { begin, end in
        "{\"at_s\":\(begin),\"component\":\"soc\",\"state\":\"awake_idle\"}\n"
          + "{\"at_s\":\(end),\"component\":\"soc\",\"state\":\"suspended\"}\n"
      }.joined() + "{\"at_s\":205,\"end\":true}\n"
  }

  /// The power of a device that is awake in these spells, on a clock that shows `ahead` seconds more than the log's,
  /// from 0 to 200 s of the trace. Its powers are not the profile's.
  private func trace(ahead: Double) throws -> PowerTrace {
    var reader = PowerTraceReader(volts: nil)
    var text = "Time (s),Power (mW)\n"
    for index in 0...2_000 {
      let time = Double(index) / 10
      let at = time - ahead + 0.05
      let isAwake = spells.contains { $0.0 <= at && at < $0.1 }
      text += "\(time),\(isAwake ? 300 : 11)\n"
    }
    try reader.decode(Array(text.utf8).span)
    return try reader.finishTrace()
  }

  @Test("An offset is found to a tenth of a second", arguments: [0, 12.3, -7.8, 60, -45.1])
  func found(ahead: Double) throws {
    let offset = try #require(
      ClockOffset(
        try trace(ahead: ahead), try activities(log), device: try device(), network: nil))
    #expect((offset.seconds + ahead).magnitude < 0.05, "found \(offset.seconds)")
    #expect(!offset.isClearlyBetter(than: -ahead))
    #expect(offset.isClearlyBetter(than: 30 - ahead))
  }

  @Test("What is not alike at any offset has none")
  func unlike() throws {
    var reader = PowerTraceReader(volts: nil)
    let text = (0...200).map { "\($0),\($0 % 2 == 0 ? 50 : 60)" }.joined(separator: "\n")
    try reader.decode(Array(("Time (s),Power (mW)\n" + text).utf8).span)
    let noise = try reader.finishTrace()
    #expect(
      ClockOffset(noise, try activities(log), device: try device(), network: nil) == nil)
  }

  @Test("Pearson's correlation, by hand")
  func correlation() {
    // Deviations (−1, 0, 1) and (−4/3, −1/3, 5/3): 3 / √(2 × 42/9) = 0.98198.
    let found = ClockOffset.correlation([1, 2, 3], [2, 3, 5], lag: 0)
    #expect(((found ?? 0) - 0.981_980_506).magnitude < 1e-9)
    #expect(ClockOffset.correlation([1, 2, 3], [1, 1, 1], lag: 0) == nil)
    #expect(ClockOffset.correlation([1, 2, 3, 4], [9, 9, 1, 2], lag: -2) == 1)
    #expect(ClockOffset.correlation([1, 2, 3, 4], [1, 2, 3, 4], lag: 3) == nil)
  }
}
