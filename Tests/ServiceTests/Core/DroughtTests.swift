// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import ServiceContract
import Testing

@testable import ServiceCore

@Suite("Why no fixes come")
struct DroughtTests {
  private func at(_ seconds: Double) -> EngineInstant {
    EngineInstant.zero.advanced(bySeconds: seconds)
  }

  /// What is known of a receiver that is watched, and switched on at 100 s.
  private struct Known {
    var line = GPSDLine(at: UTCInstant(microseconds: 0))
    var receiver = ReceiverFacts(at: UTCInstant(microseconds: 0))

    func drought(of device: String?, at now: EngineInstant) -> String? {
      receiver.drought(on: line, of: device, at: now)
    }
  }

  private func facts(
    fix: Double? = nil, report: Double? = nil, isOn: Bool = true, hasDevice: Bool = true
  ) -> Known {
    var known = Known()
    let utc = UTCInstant(microseconds: 0)
    _ = known.line.receive(
      link: .connected(release: "3.25", protocolMajor: 3, protocolMinor: 14), at: utc)
    _ = known.line.receive(link: .watching(true), at: utc)
    known.receiver.follow(isOn: isOn, at: ServiceTime(at: at(100), utc: utc))
    if hasDevice { _ = known.line.opened("/dev/gps", driver: nil) }
    if let report { known.line.reported("/dev/gps", at: at(report)) }
    if let fix { known.receiver.receive(fixOf: "/dev/gps", at: ServiceTime(at: at(fix), utc: utc)) }
    return known
  }

  @Test("Fixes come, or the receiver is off: there is nothing to say")
  func none() {
    #expect(facts(fix: 195, report: 200).drought(of: nil, at: at(200)) == nil)
    #expect(facts(isOn: false).drought(of: nil, at: at(200)) == nil)
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
    #expect(
      facts(fix: 120, hasDevice: false).drought(of: nil, at: at(200)) == "gpsd has no receiver open"
    )
  }

  @Test("Without gpsd the line to it is the reason")
  func noGPSD() {
    var lost = facts(fix: 195)
    _ = lost.line.receive(
      link: .lost(reason: "it closed the connection", retryAfter: 1),
      at: UTCInstant(microseconds: 0))
    #expect(
      lost.drought(of: nil, at: at(200))
        == "gpsd is gone: it closed the connection; next attempt in 1.0 s")
  }
}
