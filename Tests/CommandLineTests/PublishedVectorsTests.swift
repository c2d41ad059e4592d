// SPDX-License-Identifier: Apache-2.0

import Testing

/// The vectors of `RadioPowerTests/PublishedVectorsTests`, through the program as a user would meter them.
@Suite("milepost meter reproduces published measurements")
struct PublishedVectorsTests {
  private struct Vector: Sendable, CustomTestStringConvertible {
    let name: String
    let network: String
    /// Seconds of each packet's request.
    let at: [Double]
    var bytes = (up: 0, down: 0, rate: 2.0)
    var end = 60.0
    let joules: Double
    /// Whether idle paging counts too.
    var withIdle = false

    var testDescription: String { name }
  }

  private static let vectors = [
    Vector(name: "T1", network: "lte-2012-huang", at: [0], joules: 12.7645),
    Vector(name: "T2", network: "3g-2012-huang", at: [0], joules: 7.3815),
    Vector(name: "T3", network: "wifi-2012-huang", at: [0], joules: 0.038245),
    Vector(name: "T4", network: "lte-aro", at: [0], joules: 11.36704),
    // The first packet ends with its promotion, 0.2601 s; the second follows 5 s, or 60 s, after that.
    Vector(name: "T5", network: "lte-2012-huang", at: [0, 5.2601], joules: 18.1418),
    Vector(
      name: "T5b", network: "lte-2012-huang", at: (0..<360).map { Double($0) * 10 }, end: 3_600,
      joules: 3_871.71),
    Vector(
      name: "T6 every minute", network: "lte-2012-huang", at: (0..<60).map { Double($0) * 60 },
      end: 3_600, joules: 823.82, withIdle: true),
    Vector(
      name: "T6 once", network: "lte-2012-huang", at: [0], end: 3_600, joules: 84.723,
      withIdle: true),
    Vector(name: "T7", network: "lte-aro", at: [], joules: 1.197281, withIdle: true),
    Vector(
      name: "T8 up", network: "lte-2012-huang", at: [0], bytes: (10_240, 0, 2), joules: 12.8531),
    // T1, and 1 MiB down at 10 Mbps: 12.7645 + 1.51644.
    Vector(
      name: "T8 down", network: "lte-2012-huang", at: [0], bytes: (0, 1_048_576, 10),
      joules: 14.28094),
    Vector(name: "T11", network: "3g-tailender", at: [0], bytes: (51_200, 0, 2), joules: 12.5),
    Vector(name: "T11 GSM", network: "gsm-tailender", at: [0], bytes: (51_200, 0, 2), joules: 5),
    Vector(name: "T12", network: "3g-aro-i997", at: [0], joules: 9.5),
    // The promotion ends at 2 s; the second packet comes 6 s (in FACH) or 3 s (in DCH) later.
    Vector(name: "T12 from FACH", network: "3g-aro-i997", at: [0, 8], joules: 16.5),
    Vector(name: "T12 from DCH", network: "3g-aro-i997", at: [0, 5], joules: 13.4),
    Vector(name: "T12 Captivate", network: "3g-aro-captivate", at: [0], joules: 9.1),
  ]

  @Test("Vector", arguments: vectors)
  private func vector(_ vector: Vector) throws {
    var log = #"{"at_s":0,"component":"gnss","state":"off"}"# + "\n"
    for at in vector.at {
      log += #"{"at_s":\#(at),"component":"cell","upload_bytes":\#(vector.bytes.up),"#
      log += #""download_bytes":\#(vector.bytes.down),"rate_mbps":\#(vector.bytes.rate)}"# + "\n"
    }
    log += #"{"at_s":\#(vector.end),"end":true}"# + "\n"
    let answer = try Program.run(
      ["meter", "-", "--profile", "phone-2021-lte", "--network", vector.network, "--json"],
      input: log)
    let document = try #require(try answer.documents().first)
    var joules = try #require(document["energy_j"] as? Double)
    if vector.withIdle {
      let baseline = try #require(document["baseline"] as? [[String: Any]])
      let idle = baseline.first { $0["component"] as? String == "cell" }
      joules += try #require(idle?["energy_j"] as? Double)
    }
    #expect(abs(joules - vector.joules) <= 0.001 * vector.joules, "\(joules) J")
  }
}
