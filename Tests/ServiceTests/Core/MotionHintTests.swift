// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import RadioPower
import ServiceContract
import Testing

@testable import ServiceCore

@Suite("What an accelerometer and the ignition mean for the looks")
struct MotionHintTests {
  private static let sensor = MotionSource(name: "bmc150_accel")

  /// A service on a Pi whose receiver sleeps, one app that monitors, and two hours at one place.
  private static func rested(
    _ stored: StoredState = StoredState(), sensor: MotionSource? = nil,
    _ change: (inout ServiceSettings) -> Void = { _ in }
  ) throws -> Stage {
    let device = try #require(try ProfileLibrary.device(named: "pi-zero-neo-m8"))
    let policy = try #require(SignificantPolicy.named("milepost", for: device))
    var stage = Stage(stored) { settings in
      (settings.policy, settings.policyWithCells) = (policy, policy)
      (settings.device, settings.policyName) = (device, "milepost")
      settings.wantsMotion = true
      // As a machine's configuration says.
      settings.rules.feelsMotion = false
      change(&settings)
    }
    if let sensor { stage.tell(.machine(.motionSensor(sensor))) }
    stage.add(Stage.handler("van"))
    for _ in 0..<7_200 {
      stage.pass(1)
      if stage.service.engine.plan.isOn { stage.fix() }
    }
    return stage
  }

  private static func isArmed(_ stage: Stage) -> Bool {
    stage.service.engine.triggers.contains(.motion)
  }

  /// Seconds to the next look, if nothing more is felt.
  private static func wait(_ stage: Stage) throws -> Double {
    EngineInstant.seconds(
      from: stage.now.at, to: try #require(stage.service.engine.plan.nextSession))
  }

  @Test("With one the policy relies on its silence, and arms it; without one nothing changes")
  func silence() throws {
    let without = try Self.rested()
    let with = try Self.rested(sensor: Self.sensor)
    #expect(!Self.isArmed(without) && Self.isArmed(with))
    #expect(with.effects.contains(.arm(.motion)))
    #expect(without.service.engine.rules.feelsMotion == false)
    #expect(with.service.engine.rules.feelsMotion)
    let (by, clock) = (try Self.wait(with), try Self.wait(without))
    #expect(by > 2 * clock, "\(by) s, \(clock) s by the clock")
  }

  @Test("It fires twice, and the receiver looks: explain says for which hint")
  func felt() throws {
    var stage = try Self.rested(sensor: Self.sensor)
    #expect(!stage.service.engine.plan.isOn)
    for _ in 0..<4 where !stage.service.engine.plan.isOn {
      stage.tell(.machine(.motionFelt))
      if !stage.service.engine.plan.isOn { stage.pass(10) }
    }
    #expect(stage.service.engine.plan.isOn)
    stage.fix()
    stage.pass(60)
    let id = try #require(stage.service.appID(of: "van"))
    stage.tell(.process(.ended(app: "van", .exited(status: 0))))
    let text = try stage.explanation(of: id).text
    #expect(
      text.contains("the last look followed a hint ")
        && text.contains("the accelerometer bmc150_accel felt motion"), "\(text)")
  }

  @Test("The ignition comes, and a look follows at once; it goes, and there is one more at most")
  func ignition() throws {
    // The price of a look stays the same: what is seen is the hint's doing.
    var stage = try Self.rested { ($0.powerIsIgnition, $0.externalPower) = (true, false) }
    while stage.service.engine.plan.isOn ? true : try Self.wait(stage) < 300 {
      stage.pass(1)
      if stage.service.engine.plan.isOn { stage.fix() }
    }
    let before = try Self.wait(stage)
    stage.tell(.machine(.externalPower(true)))
    let isOn = stage.service.engine.plan.isOn
    let after = isOn ? 0 : try Self.wait(stage)
    #expect(after < before / 4, "\(after) s, \(before) s before")
    stage.pass(after)
    #expect(stage.service.engine.plan.isOn)
    // A ride of ten minutes, and the ignition is off.
    for second in 1...600 {
      stage.pass(1)
      if stage.service.engine.plan.isOn { stage.fix(east: Double(second) * 15) }
    }
    var kept = stage
    stage.tell(.machine(.externalPower(false)))
    func looks(_ stage: inout Stage) -> Int {
      var (looks, wasOn) = (0, false)
      for _ in 0..<3_600 {
        stage.pass(1)
        let isOn = stage.service.engine.plan.isOn
        if isOn, !wasOn { looks += 1 }
        wasOn = isOn
        if isOn { stage.fix(east: 9_000) }
      }
      return looks
    }
    let (told, untold) = (looks(&stage), looks(&kept))
    #expect(told < untold, "\(told) looks in an hour, \(untold) without the hint")
  }

  @Test("Power that is no ignition is no hint, and a policy that takes none is left alone")
  func noHint() throws {
    let plain = try Self.rested()
    var stage = plain
    stage.tell(.machine(.motionFelt))
    #expect(stage.service.engine == plain.service.engine)
    var periodic = try Self.rested(sensor: Self.sensor) {
      $0.policy = .periodic(timeout: 60)
      $0.policyWithCells = .periodic(timeout: 60)
    }
    #expect(!Self.isArmed(periodic))
    periodic.tell(.machine(.externalPower(true)))
    #expect(periodic.service.engine.policy.name == "periodic")
  }

  @Test("A service that is started again relies on the sensor as before, until it is gone")
  func restart() throws {
    let stage = try Self.rested(sensor: Self.sensor)
    var stored = StoredState()
    stored.engine = try #require(stage.changes.last { $0.engine != nil }?.engine)
    stored.apps = stage.changes.flatMap(\.addedApps)
    var next = Stage(stored) { settings in
      settings = stage.service.settings
    }
    #expect(next.service.engine.senses.contains(.motion))
    let policy = next.service.engine.policy
    next.tell(.machine(.motionSensor(Self.sensor)))
    #expect(next.service.engine.policy == policy, "it goes on as it was")
    _ = next.take()
    next.tell(.machine(.motionSensor(nil)))
    #expect(!next.service.engine.senses.contains(.motion))
    #expect(!next.service.engine.rules.feelsMotion)
  }

  @Test("Each hint that wakes the machine is metered")
  func metered() throws {
    var stage = try Self.rested(sensor: Self.sensor)
    func joules(_ stage: Stage) -> Double {
      var meter = stage.service.meter
      return meter.report(at: stage.now.at).total.nominal
    }
    let before = joules(stage)
    stage.tell(.machine(.motionFelt))
    #expect(joules(stage) > before)
  }

  @Test("One that is read seldom is trusted less than one that watches all the time")
  func sampled() {
    var hints = MachineHints(
      LocationEngine(rules: EngineRules(), policy: .periodic(timeout: 60)), isWanted: true)
    guard let device = try? ProfileLibrary.device(named: "pi-zero-neo-m8") else { return }
    func isNew(_ sensor: MotionSource) -> Bool { hints.found(sensor, on: device) != nil }
    #expect(isNew(Self.sensor) && hints.sensing == .usual)
    #expect(!isNew(Self.sensor))
    #expect(isNew(.init(name: "lis3dh", every: 60)))
    #expect(hints.sensing?.window == 60)
    #expect((hints.sensing?.ride ?? 1) < MotionSensing.usual.ride)
  }
}
