// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

extension Live {
  /// `milepost doctor` beside a service.
  @Suite("The doctor and a service")
  struct DoctorLiveTests {
    @Test(
      "It looks at the service's gpsd, says a failing sink once, and a health check fails for it")
    func service() throws {
      let dead = try Feed.freePort()
      let station = try Station(
        settings:
          "sinks:\n  map: {kind: owntracks, url: 'http://127.0.0.1:\(dead)/pub', user: u, device: d}"
      )
      try station.startGPSD(["-n"])
      try station.startDaemon()
      try station.addListener(
        "van", "modes: [location]\nauthorization: always", service: "continuous")
      Waiting.until("fixes come") { !station.told("van", "LOCATION").isEmpty }
      try Waiting.until("the sink fails") {
        try station.milepost(["sinks"]).text.contains("cannot be reached")
      }
      let told = try station.milepost(["doctor", "--wait", "5"], limit: 60)
      #expect(told.code == 0 && told.text.hasPrefix("There is a fix.\n"), "\(told.text)")
      #expect(
        !told.text.contains("2947") && !told.text.contains("looks for gpsd at"), "\(told.text)")
      #expect(told.text.components(separatedBy: "cannot be reached").count == 2, "\(told.text)")
      let check = try station.milepost(["doctor", "--check", "--wait", "5"], limit: 60)
      #expect(check.code == 1)
      #expect(check.text.hasPrefix("the sink map takes nothing: "), "\(check.text)")
      #expect(check.text.split(separator: "\n").count == 1)
      station.stopDaemon()
      let gone = try station.milepost(
        ["doctor", "--check", "--wait", "5", "--gpsd", "127.0.0.1:\(station.gpsdPort)"], limit: 60)
      #expect(gone.code == 1 && gone.text.hasPrefix("no service runs: "), "\(gone.text)")
    }
  }
}
