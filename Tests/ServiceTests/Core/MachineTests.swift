// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract
import Testing

@testable import ServiceCore

@Suite("What a machine's memory and battery mean for apps")
struct MachineTests {
  // MARK: Battery

  /// Readings as a line: a number is a charge in use, `+` on its charger. Returns the switch at each.
  private func switched(_ readings: String, isOn: Bool = false) -> [Bool?] {
    var saver = BatterySaver()
    var isOn = isOn
    return readings.split(separator: " ").map { text in
      let isCharging = text.hasSuffix("+")
      let percent = Double(isCharging ? text.dropLast() : text) ?? .nan
      let change = saver.receive(
        reading: BatteryReading(percent: percent, isCharging: isCharging), below: 20, isOn: isOn)
      isOn = change ?? isOn
      return change
    }
  }

  @Test("Below 20 % it is on, at 25 % or on the charger off again, and nothing is said twice")
  func saver() {
    #expect(
      switched("21 20 19 18 20 24 25 24 20 19") == [
        nil, nil, true, nil, nil, nil, false, nil, nil, true,
      ])
    #expect(switched("19 19+ 19 5+ 30+") == [true, false, true, false, nil])
  }

  @Test("A service that is started again goes on from how the device was left")
  func restart() {
    #expect(switched("22", isOn: true) == [nil])
    #expect(switched("26", isOn: true) == [false])
    #expect(switched("19+", isOn: true) == [false])
    #expect(switched("22", isOn: false) == [nil])
    #expect(switched("19", isOn: true) == [nil])
  }

  @Test("The battery switches Low Power Mode, and what its user switches meanwhile stays")
  func lowPower() {
    var stage = Stage { $0.lowPowerBelow = 20 }
    func tell(_ percent: Double) {
      stage.tell(.machine(.battery(.init(percent: percent, isCharging: false))))
    }
    tell(50)
    #expect(!stage.service.engine.device.isLowPower)
    tell(19)
    #expect(stage.service.engine.device.isLowPower)
    #expect(stage.journal == ["Low Power Mode is on"])
    stage.say(.device(.lowPower(false)))
    tell(18)
    #expect(!stage.service.engine.device.isLowPower)
    var other = Stage()
    other.tell(.machine(.battery(.init(percent: 1, isCharging: false))))
    #expect(!other.service.engine.device.isLowPower, "it is left to its user")
  }

  // MARK: Memory

  /// Three apps: one in the foreground, one suspended, one that a task keeps in the background.
  private func stage() -> Stage {
    var stage = Stage()
    for (pid, name) in [(11, "front"), (12, "rear"), (13, "busy")] {
      stage.add(Stage.app(name))
      stage.tell(.process(.started(app: name, pid: Int32(pid))))
      let client = ClientID(UInt64(100 + pid))
      stage.connect(client, pid: Int32(pid))
      stage.say(.hello(.init(app: name)), as: client)
      if name == "busy" { stage.say(.beginTask(id: 1, name: ""), as: client) }
    }
    stage.say(.control("front", .foreground))
    stage.pass(6)
    return stage
  }

  private func states(_ stage: Stage) -> [AppState?] {
    stage.service.engine.appIDs.map { stage.service.engine.state(of: $0) }
  }

  /// A twentieth of 2000 MB is 100 MB; each app counts for 50.
  @Test("What is missing to a twentieth goes, suspended apps first; what is in front stays")
  func missing() {
    var stage = stage()
    #expect(states(stage) == [.active, .suspended, .background])
    stage.tell(.machine(.memoryIsShort(.init(total: 2_000, available: 51))))
    #expect(states(stage) == [.active, .notRunning, .background], "49 MB are missing")
    _ = stage.take()
    stage.tell(.machine(.memoryIsShort(.init(total: 2_000, available: 99))))
    #expect(stage.journal.first == "1 MB of memory are needed")
    stage.pass(6)
    #expect(states(stage) == [.active, .notRunning, .notRunning], "no suspended one is left")
    _ = stage.take()
    stage.tell(.machine(.memoryIsShort(.init(total: 2_000, available: 1))))
    #expect(stage.effects.isEmpty, "nobody has any to give, and nothing is said of it")
    #expect(states(stage).first == .active)
  }

  @Test("While enough is free, programs that wait cost suspended apps, and none that runs")
  func waiting() {
    var stage = stage()
    stage.tell(.machine(.memoryIsShort(.init(total: 2_000, available: 500))))
    #expect(states(stage) == [.active, .notRunning, .background])
    _ = stage.take()
    stage.tell(.machine(.memoryIsShort(.init(total: 2_000, available: 500))))
    #expect(states(stage) == [.active, .notRunning, .background])
    #expect(stage.effects.isEmpty)
  }

  @Test("What a machine cannot tell is said in the journal, and no more")
  func trouble() {
    var stage = Stage()
    stage.tell(.machine(.trouble("memory pressure is not watched")))
    #expect(stage.journal == ["memory pressure is not watched"])
    #expect(stage.take().isEmpty)
  }
}
