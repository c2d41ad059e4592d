// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

extension Live {
  /// What a service must bear.
  @Suite("Blows and mistakes")
  struct RobustTests {
    static let quick = """
      significant_interval_s = 2
      """

    @Test("Killed at each event, it neither repeats one nor measures from an older one")
    func anchors() throws {
      let station = try Station(settings: Self.quick)
      try station.startGPSD()
      try station.startDaemon()
      // Keeps the receiver on, so that no session has to be waited for.
      try station.addListener(
        "always", "modes = [\"location\"]\nauthorization = \"always\"\nservice = \"continuous\"")
      try station.addListener("rare", "authorization = \"always\"\nservice = \"significant\"")
      Waiting.until("the first significant change") {
        station.told("rare", "LOCATION").contains { $0["cached"] as? Bool == false }
      }
      station.feed.move(metres: 100_000, at: 120)
      for _ in 0..<3 {
        let heard = station.told("rare", "LOCATION").count
        Waiting.until("an event") { station.told("rare", "LOCATION").count > heard }
        station.killDaemon()
        try station.startDaemon()
      }
      let heard = station.told("rare", "LOCATION").count
      Waiting.until("an event of the last daemon") {
        station.told("rare", "LOCATION").count > heard
      }
      // One that was written but not acknowledged comes again, under its number.
      var latitudes: [Int: Double] = [:]
      for event in station.told("rare", "LOCATION") where event["cached"] as? Bool == false {
        let number = try #require(event["sequence"] as? Int)
        let fix = try #require(event["fix"] as? [String: Any])
        latitudes[number] = try #require(fix["latitude"] as? Double)
      }
      let places = latitudes.sorted { $0.key < $1.key }.map(\.value)
      #expect(places.count > 4)
      for (before, after) in zip(places, places.dropFirst()) {
        // The feed's own measure: 111 200 m to a degree.
        #expect((after - before) * 111_200 > 490)
      }
    }

    @Test("A second daemon with another state does not touch the first one's apps")
    func runtimeDirectory() throws {
      let station = try Station(settings: Self.quick)
      try station.startDaemon()
      try station.add("sleeper", "kind = \"connected\"\ncommand = [\"sleep\", \"600\"]")
      try Waiting.until("it runs") {
        try station.document(["apps", "show", "sleeper"])["pid"] as? Int != nil
      }
      let second = try Child(
        [
          Station.programs + "/milepostd", "serve", "--state", station.path("other"), "--runtime",
          station.path("run"), "--socket", station.path("other-socket"),
        ], output: station.path("second.log"))
      Waiting.until("the second one gives up") { !second.isRunning }
      #expect(second.status.map { ($0 >> 8) & 0xFF } == 2)
      #expect(station.text("second.log").contains("another milepostd keeps its apps there"))
      #expect(try station.document(["apps", "show", "sleeper"])["pid"] as? Int != nil)
    }
  }
}
