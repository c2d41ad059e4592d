// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Replay

/// Sums are written on one machine and added up on another: reading must restore them, bit for bit.
@Suite("Sums are read as they were written")
struct SumsCodingTests {
  private func read<Value: Codable>(_ value: Value) throws -> Value {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try decoder.decode(Value.self, from: encoder.encode(value))
  }

  private func text(_ value: some Encodable) throws -> String {
    String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
  }

  @Test("Distributions with few values, with many, and with none", arguments: [0, 3, 4_096, 9_000])
  func distributions(count: Int) throws {
    var distribution = Distribution()
    for number in 0..<count { distribution.include(Double(number) / 7) }
    let copy = try read(distribution)
    #expect(copy == distribution)
    #expect(copy.count == count)
  }

  @Test("Histograms of time hold their bins, as pairs of place and seconds")
  func histograms() throws {
    var histogram = WeightedHistogram()
    #expect(try text(histogram) == "{}")
    #expect(try read(histogram) == histogram)
    histogram.include(0, for: 0.1)
    histogram.include(1, for: 4)
    // 1 is seven octaves of 64 bins above 2^-7, whose own bin is the first.
    let written = try #require(
      try JSONSerialization.jsonObject(with: JSONEncoder().encode(histogram)) as? [String: Any])
    #expect(written["bins"] as? [Double] == [0, 0.1, 448, 4])
    #expect(try read(histogram) == histogram)
  }

  @Test("A wait without an end stays without one")
  func infinite() throws {
    var score = Score()
    score.longestWait = .infinity
    score.latency.include(0.1 + 0.2)
    let copy = try read(score)
    #expect(copy == score)
    #expect(copy.longestWait == .infinity)
  }

  @Test(
    "What cannot have been written is not read",
    arguments: [
      #"{"bins":[5,1,4,1]}"#, #"{"bins":[2320,1]}"#, #"{"bins":[-1,1]}"#, #"{"bins":[3]}"#,
      #"{"bins":[3,4000000001]}"#, #"{"bins":[3,-1]}"#, #"{"values":[-1]}"#, #"{"values":["inf"]}"#,
    ])
  func refused(text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Distribution.self, from: Data(text.utf8))
    }
  }
}
