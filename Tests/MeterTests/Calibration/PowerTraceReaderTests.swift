// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel
import Testing

@testable import RadioPower

@Suite("Power traces")
struct PowerTraceReaderTests {
  private func read(
    _ text: String, volts: Double? = nil, pieces: [Int] = []
  ) throws -> PowerTrace {
    var reader = PowerTraceReader(volts: volts)
    let bytes = Array(text.utf8)
    var begin = 0
    for end in pieces.sorted() + [bytes.count] {
      try reader.decode(Array(bytes[begin..<end]).span)
      begin = end
    }
    return try reader.finishTrace()
  }

  private func refusal(_ text: String, volts: Double? = nil) -> String? {
    do {
      _ = try read(text, volts: volts)
      return nil
    } catch let error as InputError {
      return (error.line.map { "\($0): " } ?? "") + error.message
    } catch {
      return "\(error)"
    }
  }

  /// 2 s at 10 Hz: 1 s of 100 mA, then 1 s of 50 mA.
  private let nordic =
    "Timestamp(ms),Current(uA),D0-D7\n"
    + (0...20).map { "\($0 * 100),\($0 < 10 ? 100_000 : 50_000).5,00000001" }.joined(
      separator: "\n")
    + "\n"

  @Test("A PPK2's export: 100 mA, then 50 mA at 3.7 V")
  func ppk() throws {
    let trace = try read(nordic, volts: 3.7)
    #expect(trace.start == 0)
    #expect((trace.end - 2).magnitude < 1e-9)
    #expect(trace.samples == 20)
    // 100.0005 mA × 3.7 V × 1 s = 0.37000185 J; then 50.0005 mA: 0.18500185 J.
    let first = try #require(trace.joules(from: 0, to: 1))
    let both = try #require(trace.joules(from: 0, to: 2))
    #expect((first - 0.370_001_85).magnitude < 1e-9)
    #expect((both - 0.555_003_7).magnitude < 1e-9)
    // Half a second of each: 0.185000925 + 0.092500925.
    let middle = try #require(trace.joules(from: 0.5, to: 1.5))
    #expect((middle - 0.277_501_85).magnitude < 1e-9)
    #expect(trace.joules(from: 1.5, to: 2.5) == nil)
    #expect((trace.meanPower - 277.501_85).magnitude < 1e-6)
  }

  @Test("A Monsoon's export with voltage, PyMonsoon's columns, and one that states power")
  func monsoon() throws {
    let tool =
      "Time (s),Main Avg Current (mA),Main Avg Voltage (V)\r\n"
      + (0...10).map { "\(Double($0) / 10),250,4" }.joined(separator: "\r\n")
    #expect((try read(tool).meanPower - 1_000).magnitude < 1e-6)
    // A requested voltage overrides the file's.
    #expect((try read(tool, volts: 3).meanPower - 750).magnitude < 1e-6)
    let python =
      "Time(ms),Main(mA),USB(mA),Main Voltage(V)\n"
      + (0...10).map { "\($0 * 100),250,99,4" }.joined(separator: "\n")
    #expect((try read(python).meanPower - 1_000).magnitude < 1e-6)
    let power =
      "time(s),power(mW)\n" + (0...10).map { "\($0),5" }.joined(separator: "\n")
    #expect((try read(power).meanPower - 5).magnitude < 1e-9)
  }

  @Test("A gap is not filled: what spans it is unknown, the rest is as it was")
  func gap() throws {
    let steps = (0...20).map { Double($0) / 10 } + (0...20).map { 5 + Double($0) / 10 }
    let text =
      "Time (s),Current (A),Voltage (V)\n" + steps.map { "\($0),0.1,5" }.joined(separator: "\n")
    let trace = try read(text)
    #expect((trace.measuredSeconds - 4).magnitude < 1e-6)
    #expect(trace.joules(from: 1, to: 6) == nil)
    #expect(((trace.joules(from: 5, to: 6) ?? 0) - 0.5).magnitude < 1e-9)
  }

  @Test("What is wrong is said with its line and what to do")
  func errors() {
    #expect(refusal("") == "an empty file; expected a power analyser's CSV")
    #expect(
      refusal("a,b\n1,2\n")
        == "1: the first line names no time and current, as in \"Timestamp(ms),Current(uA)\" (Nordic "
        + "PPK2) or \"Time (s),Main Avg Current (mA)\" (Monsoon)")
    #expect(
      refusal(nordic)
        == "1: this file states currents only; say at which voltage: --voltage 3.7")
    let head = "Timestamp(ms),Current(uA)\n"
    #expect(refusal(head, volts: 3) == "fewer than two samples; export the whole recording")
    #expect(
      refusal(head + "0,1\n", volts: 3) == "fewer than two samples; export the whole recording")
    #expect(refusal(head + "0,1\n1\n", volts: 3) == "3: the current is missing: it is column 2")
    #expect(
      refusal(head + "0,1\n1,x\n", volts: 3) == "3: the current \"x\" is no number that can be")
    #expect(
      refusal(head + "0,1\n1,2e13\n", volts: 3)
        == "3: the current \"2e13\" is no number that can be")
    #expect(
      refusal(head + "0,1\n100,1\n50,1\n", volts: 3)
        == "4: the time 0.05 s does not come after 0.1 s")
    #expect(
      refusal(head + String(repeating: "1", count: 5_000) + "\n", volts: 3)
        == "2: a line has at most 4096 bytes")
    #expect(
      refusal(head + "0,1\n1e8,1\n2e8,1\n3e8,1\n", volts: 3)
        == "4: the recording is longer than 27.7 h; export a part of it")
  }

  @Test("Every split of the input gives the same trace")
  func splits() throws {
    let whole = try read(nordic, volts: 3.7)
    for split in 0...nordic.utf8.count {
      #expect(try read(nordic, volts: 3.7, pieces: [split]) == whole)
    }
  }

  @Test("Whatever bytes come, it answers with a trace or says why not", arguments: 0..<200)
  func fuzz(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    var bytes = Array(nordic.utf8)
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(contentsOf: Array("9e307,-".utf8), at: place)
      default: bytes.insert(0x0A, at: place)
      }
    }
    var reader = PowerTraceReader(volts: 3.7)
    do {
      try reader.decode(bytes.span)
      let trace = try reader.finishTrace()
      #expect(trace.meanPower.isFinite && trace.end >= trace.start, "seed \(seed)")
    } catch {
      #expect(!error.message.isEmpty, "seed \(seed)")
    }
  }
}

extension PowerTrace {
  /// Average power over the measured time, in mW; 0 if nothing was measured.
  fileprivate var meanPower: Double {
    measuredSeconds > 0 ? energy[energy.count - 1] / measuredSeconds * 1e3 : 0
  }
}
