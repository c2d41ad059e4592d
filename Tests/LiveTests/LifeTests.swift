// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

/// Everything with real processes, one after the other.
@Suite(
  "Live", .serialized,
  .enabled(if: Station.obstacle == nil, "\(Station.obstacle ?? "live tests can run")"))
enum Live {}

extension Live {
  /// A real gpsd, a daemon, and three apps: the effects of the rules on their processes.
  @Suite("The life of real apps")
  struct LifeTests {
    static let quick = """
      significant_interval_s: 2
      """

    @Test("Frozen, thawed for 500 m, purged, relaunched; standard stays silent, continuous never")
    func life() throws {
      let station = try Station(settings: Self.quick)
      try station.startGPSD()
      try station.startDaemon()
      try station.addListener(
        "always", "modes: [location]\nauthorization: always\nservice: continuous")
      try station.addListener("plain", "authorization: always\nservice: standard")
      try station.addListener("rare", "authorization: always\nservice: significant")
      // Fixes come, and the first fresh one anchors.
      Waiting.until("the continuous app hears fixes") {
        station.told("always", "LOCATION").count > 5
      }
      Waiting.until("the first significant change") {
        station.told("rare", "LOCATION").contains { $0["cached"] as? Bool == false }
      }
      // 5 s in the background, and nothing holds two of them.
      try Waiting.until("rare is suspended") { try station.state("rare") == "suspended" }
      try Waiting.until("plain is suspended") { try station.state("plain") == "suspended" }
      let rare = try #require(station.pid("rare"))
      let plain = try #require(station.pid("plain"))
      let always = try #require(station.pid("always"))
      Waiting.until("rare's process is frozen") { HostProcess.isFrozen(rare) }
      Waiting.until("plain's process is frozen") { HostProcess.isFrozen(plain) }
      #expect(!HostProcess.isFrozen(always))
      let heard = station.told("rare", "LOCATION").count
      let plainHeard = station.told("plain", "LOCATION").count

      station.feed.move(metres: 620, at: 60)
      Waiting.until("a change of 500 m reaches rare", limit: 30) {
        station.told("rare", "LOCATION").count > heard
      }
      let event = try #require(station.told("rare", "LOCATION").last)
      #expect(event["service"] as? String == "significant")
      #expect(station.pid("rare") == rare, "thawed, not launched anew")
      Waiting.until("it says it is done, and is frozen again") { HostProcess.isFrozen(rare) }
      #expect(station.told("plain", "LOCATION").count == plainHeard, "standard is silent")

      #expect(try station.milepost(["apps", "purge", "rare"]).code == 0)
      Waiting.until("rare's process is gone") { HostProcess.state(rare) == nil }
      #expect(try station.state("rare") == "not_running")
      Waiting.until("the feed stands") { !station.feed.isMoving }
      Waiting.pass(2)
      station.feed.move(metres: 620, at: 60)
      Waiting.until("rare is relaunched", limit: 30) {
        station.account("rare").contains { $0["reason"] as? String == "location" }
      }
      Waiting.until("and gets its event") { station.told("rare", "LOCATION").count > heard + 1 }
      let launch = try #require(station.account("rare").last { $0["begun"] != nil })
      let option = try #require(launch["location"] as? [String: Any])
      let told = try #require(station.told("rare", "LOCATION").last)
      #expect(option["sequence"] as? Int == told["sequence"] as? Int, "the launch option")
      #expect(station.pid("rare") != rare)
      #expect(station.told("plain", "LOCATION").count == plainHeard)
      #expect(!HostProcess.isFrozen(always))
      #expect(station.pid("always") == always, "the continuous app was never ended")

      try Self.expectLogs(of: station)
      let pids = ["always", "plain", "rare"].compactMap { station.pid($0) }
      station.stopDaemon()
      for pid in pids { #expect(HostProcess.state(pid) == nil, "an ordered stop ends every app") }
      // A keeper that has reported its app's end may still be leaving.
      Waiting.until("no keeper is left") { station.keepers().isEmpty }
    }

    /// Checks the log entries of the life above.
    private static func expectLogs(of station: Station) throws {
      let rare = try station.milepost(["apps", "log", "rare", "--count", "1000"]).text
      #expect(rare.contains("not running to inactive: launched by the service\n"))
      #expect(rare.contains("suspended to not running: purged\n"))
      let events = rare.split(separator: "\n").filter { $0.contains("  delivered ") }
      #expect(events.count == station.told("rare", "LOCATION").count, "\(events)")
      #expect(events.last?.hasSuffix(" s after the last") == true, "\(events)")
      // Hundreds of fixes, and one row.
      let always = try station.milepost(["apps", "log", "always", "--count", "1000"]).text
      let rows = always.split(separator: "\n").filter { $0.contains("  delivered ") }
      #expect(rows.count == 1)
      #expect(rows.first?.hasSuffix("no. 1: the first continuous update since the launch") == true)
      let own = try station.milepost(["apps", "log"]).text
      #expect(own.contains("  registered  rare: registered as a connected app\n"), "\(own)")
    }
  }
}
