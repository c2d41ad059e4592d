// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import Testing

@testable import ServiceCore

@Suite("Why no fixes come")
struct DroughtTests {
  private func at(_ seconds: Double) -> EngineInstant {
    EngineInstant.zero.advanced(bySeconds: seconds)
  }

  /// Switched on at 100 s, with one device.
  private func facts(fix: Double? = nil, report: Double? = nil) -> WorldFacts {
    var facts = Stage().service.facts
    (facts.isConnected, facts.isWatching, facts.onAt) = (true, true, at(100))
    facts.devices = [.init(path: "/dev/gps", driver: nil, lastReport: report.map(at))]
    facts.lastFixAt = fix.map(at)
    return facts
  }

  @Test("Fixes come, or the receiver is off: there is nothing to say")
  func none() {
    #expect(facts(fix: 195, report: 200).drought(of: nil, at: at(200)) == nil)
    var off = facts()
    off.onAt = nil
    #expect(off.drought(of: nil, at: at(200)) == nil)
  }

  @Test("Reports without a fix, and none at all")
  func acquiring() {
    #expect(
      facts(fix: 159, report: 200).drought(of: nil, at: at(200))
        == "no fix for 41 s; the receiver is acquiring")
    #expect(
      facts(report: 200).drought(of: "/dev/gps", at: at(200))
        == "no fix in the 100 s since the receiver was switched on; the receiver is acquiring")
    #expect(
      facts(fix: 20, report: 103).drought(of: nil, at: at(103))
        == "no fix in the 3 s since the receiver was switched on; the receiver is acquiring",
      "the fix is of an earlier session")
    #expect(
      facts(fix: 159, report: 160).drought(of: nil, at: at(200))
        == "no fix for 41 s, and no word of the receiver for 40 s")
    #expect(
      facts().drought(of: nil, at: at(130))
        == "no fix in the 30 s since the receiver was switched on, and no word of the receiver")
  }

  @Test("A device that gpsd does not have, whatever others do")
  func noDevice() {
    #expect(
      facts(report: 200).drought(of: "/dev/nope", at: at(200)) == "gpsd has no device /dev/nope")
    var bare = facts(fix: 120)
    bare.devices = []
    #expect(bare.drought(of: nil, at: at(200)) == "gpsd has no receiver open")
  }

  @Test("Without gpsd the line to it is the reason")
  func noGPSD() {
    var lost = facts(fix: 195)
    (lost.isConnected, lost.link) = (false, "gpsd is gone: it closed the connection")
    #expect(lost.drought(of: nil, at: at(200)) == "gpsd is gone: it closed the connection")
  }
}
