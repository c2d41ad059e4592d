// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import RadioPower
import ServiceContract
import Testing

@testable import ServiceCore

/// Expected joules by hand from the profile's printed numbers: power times seconds.
@Suite("The live meter infers the receiver's states from plan and fixes")
struct ServiceMeterTests {
  private func at(_ seconds: Double) -> EngineInstant {
    EngineInstant.zero.advanced(bySeconds: seconds)
  }

  private func device() throws -> DeviceProfile {
    try #require(try ProfileLibrary.device(named: "tracker-lora-m10"))
  }

  private func meter(hold: Double) throws -> ServiceMeter {
    var settings = ServiceSettings(
      release: "test", rules: EngineRules(), policy: .ios, device: try device(),
      network: nil)
    settings.receiverHold = hold
    return ServiceMeter(settings)
  }

  private func seconds(_ report: EnergyReport, _ state: String) -> Double {
    report.components.filter { $0.component == "gnss" && $0.state == state }
      .reduce(0) { $0 + $1.seconds }
  }

  @Test("Cold at first, then tracking, then held for as long as gpsd holds it")
  func session() throws {
    var meter = try meter(hold: 60)
    meter.follow(plan: .session, at: at(0))
    #expect(meter.receiverText == "acquiring")
    meter.sawFix(at: at(30))
    #expect(meter.receiverText == "tracking")
    meter.follow(plan: .off(.awaitsSession(at(300))), at: at(40))
    #expect(meter.receiverText == "held")
    let report = meter.report(at: at(200))
    #expect(seconds(report, "acquire_cold") == 30)
    #expect(seconds(report, "track_good") == 70)
    #expect(meter.receiverText == "off")
  }

  @Test("The processor sleeps in a session until there is a fix, where the receiver can wake it")
  func sleepsWhileAcquiring() throws {
    func awake(_ name: String, code: Bool) throws -> Double {
      let device = try #require(try ProfileLibrary.device(named: name))
      var meter = ServiceMeter(
        ServiceSettings(
          release: "test", rules: EngineRules(), policy: .ios, device: device, network: nil))
      meter.follow(plan: .session, at: at(0))
      meter.keepAwake(byCode: code, bySession: true, at: at(0))
      meter.sawFix(at: at(30))
      meter.keepAwake(byCode: false, bySession: true, at: at(32))
      meter.follow(plan: .off(.awaitsSession(at(300))), at: at(40))
      meter.keepAwake(byCode: false, bySession: false, at: at(40))
      return meter.report(at: at(200)).components
        .filter { $0.component == "soc" && $0.state == "awake_idle" }.reduce(0) { $0 + $1.seconds }
    }
    // 30 s of acquisition and 10 s of tracking; a running app keeps it awake throughout.
    #expect(try awake("phone-2021-lte", code: false) == 40)
    #expect(try awake("tracker-lora-m10", code: false) == 10)
    #expect(try awake("tracker-lora-m10", code: true) == 40)
  }

  @Test("Switched directly, it is off at once")
  func direct() throws {
    var meter = try meter(hold: 0)
    meter.follow(plan: .session, at: at(0))
    meter.sawFix(at: at(30))
    meter.follow(plan: .off(.awaitsSession(at(300))), at: at(40))
    #expect(meter.receiverText == "off")
    let report = meter.report(at: at(200))
    #expect(seconds(report, "track_good") == 10)
  }

  @Test("gpsd closes it as it is told: the hold ends there; wanted again already, it acquires anew")
  func released() throws {
    var meter = try meter(hold: 60)
    meter.follow(plan: .session, at: at(0))
    meter.sawFix(at: at(30))
    meter.follow(plan: .off(.awaitsSession(at(300))), at: at(40))
    meter.released(at: at(41))
    #expect(meter.receiverText == "off")
    #expect(seconds(meter.report(at: at(200)), "track_good") == 11)
    meter.follow(plan: .session, at: at(300))
    meter.sawFix(at: at(301))
    meter.follow(plan: .off(.awaitsSession(at(600))), at: at(302))
    meter.follow(plan: .session, at: at(302))
    meter.released(at: at(303))
    #expect(meter.receiverText == "acquiring")
  }

  @Test("Wanted again within the hold: it never stopped; after it, a hot start")
  func again() throws {
    var meter = try meter(hold: 60)
    meter.follow(plan: .session, at: at(0))
    meter.sawFix(at: at(10))
    meter.follow(plan: .off(.nobodyRuns), at: at(20))
    meter.follow(plan: .session, at: at(50))
    #expect(meter.receiverText == "tracking")
    meter.follow(plan: .off(.nobodyRuns), at: at(60))
    meter.follow(plan: .session, at: at(500))
    #expect(meter.receiverText == "acquiring")
    let report = meter.report(at: at(505))
    #expect(seconds(report, "acquire_cold") == 10)
    #expect(seconds(report, "acquire_hot") == 5)
    #expect(seconds(report, "track_good") == 110)
  }

  @Test(
    "An ephemeris is sent for 2 h and fits for 4 h: a start is hot or warm, as is likelier",
    arguments: [(2.9, "acquire_hot"), (3.1, "acquire_warm"), (1_464.0, "acquire_cold")])
  func age(hours: Double, state: String) throws {
    var meter = try meter(hold: 0)
    meter.follow(plan: .continuous, at: at(0))
    meter.sawFix(at: at(10))
    meter.follow(plan: .off(.nobodyRuns), at: at(20))
    let before = seconds(meter.report(at: at(20)), state)
    meter.follow(plan: .continuous, at: at(20 + hours * 3_600))
    #expect(seconds(meter.report(at: at(25 + hours * 3_600)), state) == before + 5)
  }

  @Test("Ten seconds without a fix are a search")
  func lost() throws {
    var meter = try meter(hold: 0)
    meter.follow(plan: .continuous, at: at(0))
    meter.sawFix(at: at(10))
    meter.sawNoFix(at: at(20))
    #expect(meter.receiverText == "tracking")
    meter.sawNoFix(at: at(21))
    #expect(meter.receiverText == "acquiring")
  }

  @Test("What nobody knows is not metered")
  func unknown() throws {
    var meter = try meter(hold: 0)
    meter.follow(plan: .continuous, at: at(0))
    meter.sawFix(at: at(10))
    meter.knows(false, at: at(20))
    meter.knows(true, at: at(100))
    let report = meter.report(at: at(110))
    #expect(seconds(report, "track_good") == 20)
    #expect(report.seconds == 30)
  }

  @Test("Cut off without a word: after 120 s nobody knows, and the next report ends the doubt")
  func silence() throws {
    var meter = try meter(hold: 60)
    meter.follow(plan: .continuous, at: at(0))
    meter.sawFix(at: at(10))
    meter.sawNoFix(at: at(15))
    #expect(meter.report(at: at(134)).seconds == 134)
    #expect(meter.isKnown)
    // 15 s and 120 s.
    #expect(meter.report(at: at(500)).seconds == 135)
    #expect(!meter.isKnown)
    meter.sawFix(at: at(500))
    #expect(meter.isKnown)
    let report = meter.report(at: at(510))
    #expect(report.seconds == 145)
    #expect(seconds(report, "acquire_cold") == 10)
    #expect(seconds(report, "track_good") == 135)
  }

  @Test("A receiver that searches without end, or a held one, is known")
  func patient() throws {
    var meter = try meter(hold: 300)
    meter.follow(plan: .session, at: at(0))
    #expect(meter.report(at: at(200)).seconds == 200)
    meter.sawFix(at: at(200))
    meter.follow(plan: .off(.nobodyRuns), at: at(210))
    #expect(meter.report(at: at(1_000)).seconds == 1_000)
    #expect(meter.isKnown)
  }

  @Test("A plan that ends while nobody knows: off at once, and the meter goes on")
  func endsInDoubt() throws {
    var meter = try meter(hold: 60)
    meter.follow(plan: .session, at: at(0))
    meter.sawFix(at: at(10))
    meter.knows(false, at: at(20))
    meter.follow(plan: .off(.awaitsSession(at(300))), at: at(50))
    #expect(meter.receiverText == "off")
    let report = meter.report(at: at(300))
    #expect(report.seconds == 270)
    #expect(seconds(report, "acquire_cold") == 10)
    #expect(seconds(report, "track_good") == 10)
  }

  @Test("Ten fixes a second make no more of it")
  func tenHertz() throws {
    var meter = try meter(hold: 0)
    meter.follow(plan: .continuous, at: at(0))
    for tenth in 0...600 { meter.sawFix(at: at(10 + Double(tenth) / 10)) }
    let report = meter.report(at: at(70))
    #expect(seconds(report, "acquire_cold") == 10)
    #expect(seconds(report, "track_good") == 60)
  }
}
