// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

extension Live {
  /// `milepostd --record`: a real life of real processes, decided again.
  @Suite("Recordings of the service")
  struct RecordTests {
    @Test("A life that was ended by a kill, and the one after it, are decided the same again")
    func lives() throws {
      let station = try Station(settings: LifeTests.quick)
      try station.startGPSD()
      let first = station.path("first.recording")
      try station.startDaemon(["--record", first])
      // Keeps the receiver on.
      try station.addListener(
        "always", "modes: [location]\nauthorization: always\nservice: continuous")
      try station.addListener("rare", "authorization: always\nservice: significant")
      try station.add(
        "note",
        "kind: handler\ncommand: [/bin/sh, -c, \"cat >> '\(station.path("notes"))'\"]\n"
          + "authorization: always\nservice: significant")
      Waiting.until("the handler has run") { station.text("notes").contains("LOCATION") }
      try Waiting.until("rare is suspended") { try station.state("rare") == "suspended" }
      Waiting.until("it is frozen") { station.pid("rare").map(HostProcess.isFrozen) == true }
      station.killDaemon()

      let second = station.path("second.recording")
      try station.startDaemon(["--record", second])
      let heard = station.told("rare", "LOCATION").count
      station.feed.move(metres: 620, at: 60)
      Waiting.until("a change of 500 m reaches rare", limit: 30) {
        station.told("rare", "LOCATION").count > heard
      }
      station.stopDaemon()

      for (file, end) in [(first, "without its last line"), (second, "")] {
        let again = try station.milepost(["replay", "--why", file])
        #expect(again.code == 0, "\(again.text.suffix(1_500))")
        #expect(again.text.contains("Decided again, and the same: "))
        #expect(again.text.contains("deliver  rare: significant "))
        #expect(end.isEmpty || again.text.contains(end))
      }
      #expect(
        try station.milepost(["info", first]).text.contains("recording of the service"))
      #expect(!station.text("second.recording.gpsd").isEmpty)
    }
  }
}
