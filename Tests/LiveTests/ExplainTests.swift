// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

extension Live {
  /// The output of `milepost explain` with a real gpsd.
  @Suite("Explanations")
  struct ExplainTests {
    private static let app =
      "modes: [location]\nauthorization: always\nservice: continuous"

    private func answer(at station: Station) throws -> String {
      try station.document(["explain", "always"])["text"] as? String ?? ""
    }

    @Test("A device that gpsd does not have is the reason, though another one has fixes")
    func noDevice() throws {
      let station = try Station(settings: "gpsd_device: /dev/nope")
      try station.startGPSD()
      try station.startDaemon()
      try station.addListener("always", Self.app)
      try Waiting.until("it says so") {
        try answer(at: station) == "gpsd has no device /dev/nope"
      }
      let document = try station.document(["explain", "always"])
      #expect(document["advice"] as? String == "milepost doctor says why")
      station.stopDaemon()
    }

    @Test("The doctor knows the service, its apps, and a program that is gone")
    func doctor() throws {
      let station = try Station()
      try station.startGPSD()
      try station.startDaemon()
      let script = station.path("moved.sh")
      #expect(FileManager.default.createFile(atPath: script, contents: Data("#!/bin/sh\n".utf8)))
      #expect(chmod(script, 0o700) == 0)
      try station.add(
        "mover", "kind: handler\ncommand: [./moved.sh]\nservice: significant")
      try FileManager.default.removeItem(atPath: script)
      let gpsd = "localhost:\(station.gpsdPort)"
      let document = try station.document(["doctor", "--gpsd", gpsd])
      let kinds = (document["findings"] as? [[String: Any]] ?? []).map { $0["kind"] as? String }
      #expect(kinds.contains("fix") && kinds.contains("service") && kinds.contains("app_program"))
      #expect(!kinds.contains("service_other_gpsd"))
      let service = try #require(document["service"] as? [String: Any])
      let app = try #require((service["apps"] as? [[String: Any]])?.first)
      #expect(app["name"] as? String == "mover" && app["kind"] as? String == "handler")
      #expect((app["program_fault"] as? String)?.contains(script) == true)
      station.stopDaemon()
    }

    @Test("A sky that is gone is the reason, not what became of the last fix")
    func noSky() throws {
      let station = try Station()
      try station.startGPSD()
      try station.startDaemon()
      try station.addListener("always", Self.app)
      Waiting.until("fixes come") { !station.told("always", "LOCATION").isEmpty }
      #expect(
        try answer(at: station) == "'always' is told of the next fix that its filter lets through")
      station.feed.sky(false)
      try Waiting.until("it says so", limit: 30) {
        let text = try answer(at: station)
        return text.hasPrefix("no fix for 1") && text.hasSuffix(" s; the receiver is acquiring")
      }
      station.stopDaemon()
    }
  }
}
