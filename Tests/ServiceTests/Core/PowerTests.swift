// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import RadioPower
import ServiceContract
import Testing

@testable import ServiceCore

@Suite("What external power means for the looks")
struct PowerTests {
  /// A service with the policy milepost on the tracker, one app that monitors, and a place for it.
  private static func stage(
    _ stored: StoredState = StoredState(), _ change: (inout ServiceSettings) -> Void = { _ in }
  ) throws -> Stage {
    let device = try #require(try ProfileLibrary.device(named: "tracker-lora-m10"))
    let policy = try #require(SignificantPolicy.named("milepost", for: device))
    return Stage(stored) { settings in
      (settings.policy, settings.policyWithCells) = (policy, policy)
      (settings.device, settings.policyName) = (device, "milepost")
      change(&settings)
    }
  }

  private static func isOn(_ stage: Stage) -> Bool {
    stage.service.engine.rules.lateness.isOnExternalPower
  }

  // Its first fix takes 22 s in the mean, and as many seconds of delay are as dear as a look at an interval of 300 s; a
  // joule from outside counts a tenth.
  @Test("The machine says so, and the looks follow at once; who tells nothing is on a battery")
  func sensed() throws {
    var stage = try Self.stage()
    #expect(!Self.isOn(stage))
    stage.tell(.machine(.externalPower(nil)))
    #expect(!Self.isOn(stage) && stage.journal == [])
    stage.tell(.machine(.externalPower(true)))
    #expect(Self.isOn(stage))
    #expect(
      stage.journal == [
        "on external power a look is taken where it is expected to save 2.2 s of lateness"
      ])
    _ = stage.take()
    stage.tell(.machine(.externalPower(true)))
    #expect(stage.journal == [], "it is said once")
    stage.tell(.machine(.externalPower(false)))
    #expect(!Self.isOn(stage))
    #expect(stage.journal == ["a look is taken where it is expected to save 22 s of lateness"])
  }

  @Test("What the user says goes before what the machine says, and counts at once")
  func said() throws {
    var stage = try Self.stage { $0.externalPower = false }
    stage.tell(.machine(.externalPower(true)))
    #expect(!Self.isOn(stage))
    var settings = stage.service.settings
    settings.externalPower = nil
    stage.tell(.settings(.read(settings, changes: []), for: nil, id: nil))
    #expect(Self.isOn(stage), "the machine had told it")
    settings.externalPower = true
    stage.tell(.settings(.read(settings, changes: []), for: nil, id: nil))
    stage.tell(.machine(.externalPower(false)))
    #expect(Self.isOn(stage))
  }

  @Test("A price and a longest lateness that are read again count at once")
  func prices() throws {
    var configuration = DaemonConfiguration()
    configuration.deviceProfile = "tracker-lora-m10"
    let old = try configuration.settings(release: "1")
    #expect(old.rules.lateness == .usual && old.externalPower == nil)
    (configuration.maxLate, configuration.latenessPrice) = (30, 50)
    configuration.externalPower = .yes
    let new = try configuration.settings(release: "1")
    #expect(new.rules.lateness == LatenessTerms(longest: 30, price: 0.05))
    #expect(new.externalPower == true)
    var stage = try Self.stage()
    stage.tell(.settings(.read(new, changes: []), for: nil, id: nil))
    // A hot start in a pocket takes 22 s there, and draws 45.8 mW more than none (the profile's acquire_hot, minus the
    // rest power): 1.007 J, of which 50 mJ a second make 20.1 s; a tenth of that on external power.
    #expect(
      stage.journal.last
        == "on external power a look is taken where it is expected to save 2 s of lateness, at 50 mJ a second; "
        + "once an event is likelier than 1 in 20, a look comes within 30 s")
  }

  @Test("A service that is started again goes on as the machine was left, until it tells otherwise")
  func restart() throws {
    var stage = try Self.stage()
    stage.tell(.machine(.externalPower(true)))
    var stored = StoredState()
    stored.engine = try #require(stage.service.lastChange()?.engine)
    var next = try Self.stage(stored)
    #expect(Self.isOn(next))
    next.tell(.machine(.externalPower(nil)))
    #expect(!Self.isOn(next))
  }

  @Test("explain says what a look is worth")
  func explained() throws {
    var stage = try Self.stage { $0.rules.lateness = LatenessTerms(longest: 60) }
    stage.add(Stage.handler("van"))
    for _ in 0..<8 {
      stage.pass(1)
      stage.fix()
    }
    stage.tell(.process(.ended(app: "van", .exited(status: 0))))
    let id = try #require(stage.service.appID(of: "van"))
    #expect(
      try stage.explanation(of: id).text.hasSuffix(
        "; a look is taken where it is expected to save 22 s of lateness; "
          + "once an event is likelier than 1 in 20, a look comes within 60 s"
      ))
  }
}
