// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import RadioPower
import ServiceContract
import ServiceSimulation
import Testing

@testable import ServiceCore

/// A day of two commutes with a receiver on a serial line, by the second, the service as it runs live.
private struct PlayedDay {
  static let path = "/dev/ttyAMA0"
  static let identity = ReceiverIdentity(
    driver: "u-blox", subtype: "SW ROM CORE 3.01 (107888),HW 00080000",
    subtype1: "FWVER=SPG 3.01,PROTVER=18.00", file: path)

  var stage: Stage
  var receiver: SimulatedReceiver
  private var isWatched = false
  /// The seconds of the significant changes.
  private(set) var told: [Double] = []

  init(sleep: ReceiverSleep?) throws {
    // In the field a hot start takes 11 s (LoRaTracker's test of u-blox 8 modules), by the data sheet 1 s.
    var model = SimulatedReceiver.Model.m8
    model.hotStart = 11
    receiver = SimulatedReceiver(model, at: 0)
    let device = try #require(try ProfileLibrary.device(named: "pi-zero-neo-m8"))
    let policy = try #require(SignificantPolicy.named("milepost", for: device))
    stage = Stage { settings in
      (settings.policy, settings.policyWithCells) = (policy, policy)
      (settings.device, settings.policyName) = (device, "milepost")
      settings.gpsdControl = "/run/gpsd.sock"
      settings.receiverSleep = sleep
    }
    stage.add(Stage.handler())
    for second in 1...86_400 { play(Double(second)) }
  }

  /// Metres east of home: there from 8:00 on and back from 17:00 on, 27 km in half an hour each.
  static func east(at second: Double) -> Double {
    let (there, back) = (second - 8 * 3_600, second - 17 * 3_600)
    return 15 * (min(max(there, 0), 1_800) - min(max(back, 0), 1_800))
  }

  private mutating func play(_ second: Double) {
    stage.pass(1)
    perform(at: second)
    guard isWatched else { return }
    receiver.advance(to: second)
    if receiver.hasFix {
      stage.fix(east: Self.east(at: second))
    } else {
      stage.tell(.gpsd(.searching(device: Self.path)))
    }
    perform(at: second)
  }

  /// What gpsd and the receiver do about the service's effects.
  private mutating func perform(at second: Double) {
    let deliveries = stage.changes.flatMap(\.deliveries)
    if !deliveries.isEmpty { told += [second] }
    stage.changes = []
    for effect in stage.take() {
      guard case .watch(let isOn, let sleep) = effect, isOn != isWatched else { continue }
      isWatched = isOn
      if isOn {
        _ = receiver.receive([0xFF], at: second)
        stage.tell(.gpsd(.link(.connected(release: "3.22", protocolMajor: 3, protocolMinor: 14))))
        stage.tell(.gpsd(.link(.watching(true))))
        stage.tell(.gpsd(.device(.opened(path: Self.path, driver: "u-blox"))))
        stage.tell(.gpsd(.device(.identified(path: Self.path, Self.identity))))
        continue
      }
      stage.tell(.gpsd(.link(.watching(false))))
      guard let sleep, case .sleeps(let family) = Self.identity.rest(by: .timed) else {
        stage.tell(.gpsd(.device(.released(path: Self.path))))
        continue
      }
      _ = receiver.receive(family.sleepCommand(for: family.timer(for: sleep) ?? sleep), at: second)
      stage.tell(.gpsd(.device(.asleep(path: Self.path, by: family))))
    }
  }

  /// Joules of the receiver by the service's own meter.
  func metered() -> Double {
    var meter = stage.service.meter
    return meter.report(at: stage.now.at).components.filter { $0.component == "gnss" }
      .reduce(0) { $0 + $1.energy.nominal }
  }
}

@Suite("A day with a receiver that sleeps")
struct SleepingDayTests {
  @Test(
    "It takes less than a seventh of always on, tells where each way ends, and the meter knows it")
  func day() throws {
    let asleep = try PlayedDay(sleep: .timed)
    let awake = try PlayedDay(sleep: nil)
    var receiver = asleep.receiver
    receiver.advance(to: 86_400)
    var other = awake.receiver
    other.advance(to: 86_400)
    let alwaysOn = SimulatedReceiver.Model.m8.tracking * 86.4
    let saved = try #require(asleep.stage.service.meter.savedBySleep(at: asleep.stage.now.at))
    func words(_ joules: Double) -> String { "\(Int(joules.rounded())) J" }
    print(
      "a day of commute, NEO-M8: always on", words(alwaysOn), "- closed but awake",
      words(other.joules), "- asleep between looks", words(receiver.joules), "metered",
      words(asleep.metered()), "saved", words(saved.nominal), "sleeps", receiver.sleeps, "told",
      asleep.told.count)
    #expect(receiver.joules <= 0.15 * alwaysOn)
    #expect((asleep.metered() / receiver.joules - 1).magnitude <= 0.05)
    #expect((awake.metered() / other.joules - 1).magnitude <= 0.05)
    #expect((saved.nominal / (other.joules - receiver.joules) - 1).magnitude <= 0.05)
    #expect(receiver.refused == 0 && receiver.sleeps > 10)
    let departures: [Double] = [28_800, 61_200]
    for day in [asleep, awake] {
      for departure in departures {
        let told = day.told.filter { $0 > departure && $0 < departure + 3_600 }
        #expect((told.last ?? 0) >= departure + 1_800, "\(told)")
      }
    }
  }
}
