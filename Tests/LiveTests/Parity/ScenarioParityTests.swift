// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

extension Live {
  /// `milepost scenario run --speed`: a separate service for the scenario, whose clock runs faster.
  @Suite("A scenario faster than life")
  struct ScenarioParityTests {
    private static let rfc3339 = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    private static let scenarios = URL(fileURLWithPath: Station.apps).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Traces/scenarios").path

    private func lines(_ text: String) -> [String] {
      text.split(separator: "\n").map(String.init)
    }

    /// 130 s of two apps, one of which lets its task expire, on a service whose clock runs 14 times as fast.
    @Test("A shipped scenario is played faster than life, and ends for each app as in a replay")
    func faster() throws {
      let station = try Station()
      let file = Self.scenarios + "/overrun.yaml"
      let folder = station.path("temporary")
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false)
      let begun = Waiting.now
      let answer = try station.milepost(
        ["scenario", "run", file, "--speed", "14", "--then", "60", "--gpsd", "127.0.0.1:1"],
        environment: ["TMPDIR": folder], limit: 60)
      let took = Waiting.now - begun
      #expect(answer.code == 0, "\(answer.text)")
      #expect(took < 60, "180 s of the scenario took \(took) s")
      let told = lines(answer.text).filter { !$0.hasPrefix("milepost: ") }
        .map { String($0.dropFirst(25)) }
      let acts = told.prefix { !$0.contains(": ") }
      #expect(
        Array(acts) == ["the user opens careless", "the user opens careful", "the user goes home"])
      // By the service's own clock: 120 s from the first line to the last, within the error of the rate by two queries.
      let times = lines(answer.text).filter { !$0.hasPrefix("milepost: ") }.prefix(3)
        .compactMap { try? Date(String($0.prefix(24)), strategy: Self.rfc3339) }
      let seconds = times.count == 3 ? times[2].timeIntervalSince(times[0]) : 0
      #expect((118...125).contains(seconds), "\(seconds) s")
      func log(_ app: String) -> String {
        told.filter { $0.hasPrefix("\(app): ") }.joined(separator: "\n")
      }
      #expect(log("careless").contains("its background task took too long"), "\(answer.text)")
      #expect(!log("careful").contains("took too long"))
      #expect(log("careful").contains("background to suspended"), "\(answer.text)")
      // Nothing is left of its service.
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }

    @Test("What does not go with a service of the scenario's own is refused, and said")
    func fasterRefused() throws {
      let station = try Station()
      let file = Self.scenarios + "/overrun.yaml"
      func words(_ more: String...) throws -> String {
        let answer = try station.milepost(["scenario", "run", file] + more)
        #expect(answer.code == 2)
        return lines(answer.text).first ?? ""
      }
      #expect(
        try words("--speed", "14", "--keep")
          == "milepost: error: with --speed the service is the scenario's own, and gone with it; leave --keep "
          + "out")
      #expect(
        try words("--gpsd", "127.0.0.1:1")
          == "milepost: error: --gpsd is for a service of the scenario's own; give --speed, too")
      #expect(
        try words("--speed", "0.5").hasSuffix("'0.5' is not a number from 1 to 100"))
    }
  }
}
