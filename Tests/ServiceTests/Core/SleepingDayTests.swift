// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import RadioPower
import ServiceContract
import ServiceSimulation
import Testing

@testable import ServiceCore

/// A receiver on a board, by its profile and its maker's commands.
private struct Board: Sendable, CustomTestStringConvertible {
  let profile: String
  private(set) var identity: ReceiverIdentity
  var language = SimulatedReceiver.Language.ubx
  var protocolVersion = 18.0

  var testDescription: String { profile }

  static let m8 = Self(
    "pi-zero-neo-m8",
    .init(
      driver: "u-blox", subtype: "SW ROM CORE 3.01 (107888),HW 00080000",
      subtype1: "FWVER=SPG 3.01,PROTVER=18.00"))

  static let all = [
    Self("pi-zero-neo6m", .init(driver: "u-blox", subtype: "SW 7.03 (45969),HW 00040007"), 12),
    Self(
      "pi-zero-max-7", .init(driver: "u-blox", subtype: "HW 00070000", subtype1: "PROTVER 14.00"),
      14),
    m8,
    Self("pi-zero-neo-m9", .init(driver: "u-blox", subtype1: "FWVER=SPG 4.04,PROTVER=32.01"), 32),
    Self("pi-zero-sam-m10", .init(driver: "u-blox", subtype1: "FWVER=SPG 5.10,PROTVER=34.10"), 34),
    Self("pi-zero-mtk3339", .init(driver: "MTK-3301", subtype: "AXN_2.31_3339"), "PMTK161"),
    Self("pi-zero-l80r", .init(driver: "MTK-3301", subtype: "AXN_3.80_3337"), "PMTK161"),
    Self("pi-zero-at6558", .init(driver: "CASIC"), "PCAS12"),
    Self("pi-zero-l76k", .init(driver: "CASIC"), "PCAS12"),
    Self("pi-zero-sirf4", .init(driver: "SiRF", subtype: "GSD4e_4.1.2-P6")),
  ]

  private init(_ profile: String, _ identity: ReceiverIdentity, _ version: Double = 18) {
    (self.profile, self.identity, protocolVersion) = (profile, identity, version)
    self.identity.file = PlayedDay.path
  }

  private init(_ profile: String, _ identity: ReceiverIdentity, _ address: String) {
    self.init(profile, identity)
    language = .sentence(address)
  }

  /// Its powers and starts by the profile.
  func model() throws -> SimulatedReceiver.Model {
    let device = try #require(try ProfileLibrary.device(named: profile))
    func nominal(_ state: String, _ quantity: String = "power") -> Double {
      device.numbers.first {
        $0.key.component == "gnss" && $0.key.state == state && $0.key.quantity == quantity
      }?.value.nominal ?? 0
    }
    var model = SimulatedReceiver.Model(
      protocolVersion: protocolVersion, hardware: "00080000", acquiring: nominal("acquire_hot"),
      tracking: nominal("track_good"), sleeping: nominal("backup"),
      hotStart: nominal("acquire_hot", "duration"), coldStart: nominal("acquire_cold", "duration"))
    model.language = language
    return model
  }
}

/// A day of two commutes with a receiver on a serial line, by the second, the service as it runs live.
private struct PlayedDay {
  static let path = "/dev/ttyAMA0"

  let board: Board
  var stage: Stage
  var receiver: SimulatedReceiver
  private var isWatched = false
  /// The seconds of the significant changes.
  private(set) var told: [Double] = []

  init(_ board: Board = .m8, sleep: ReceiverSleep?) throws {
    self.board = board
    receiver = SimulatedReceiver(try board.model(), at: 0)
    let device = try #require(try ProfileLibrary.device(named: board.profile))
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

  private mutating func play(_ second: Double) {
    stage.pass(1)
    perform(at: second)
    guard isWatched else { return }
    receiver.advance(to: second)
    if receiver.hasFix {
      stage.fix(east: Commute.east(at: second))
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
        stage.tell(.gpsd(.device(.opened(path: Self.path, driver: board.identity.driver ?? ""))))
        stage.tell(.gpsd(.device(.identified(path: Self.path, board.identity))))
        continue
      }
      stage.tell(.gpsd(.link(.watching(false))))
      guard let sleep, case .sleeps(let family) = board.identity.rest(by: .always) else {
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
    let alwaysOn = receiver.model.tracking * 86.4
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
    try compareLateness(asleep)
    let departures: [Double] = [28_800, 61_200]
    for day in [asleep, awake] {
      for departure in departures {
        let told = day.told.filter { $0 > departure && $0 < departure + 3_600 }
        #expect((told.last ?? 0) >= departure + 1_800, "\(told)")
      }
    }
  }

  /// A receiver that sleeps tells as soon as the replay says.
  fileprivate func compareLateness(_ day: PlayedDay) throws {
    let replayed = try Commute.replayed()
    let (live, replay) = (Commute.lateness(day.told), Commute.lateness(replayed))
    func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(max(1, values.count)) }
    func words(_ values: [Double]) -> String {
      "\(values.count) told, \(Int(mean(values).rounded())) s late in the mean, \(Int(values.max() ?? 0)) s at most"
    }
    print("the sleeping day:", words(live), "- its replay:", words(replay))
    // Under way each is told in time; a departure waits for the next look, and when that comes is luck in both.
    let (under, way) = (Commute.underWay(day.told), Commute.underWay(replayed))
    print("under way:", words(under), "- its replay:", words(way))
    #expect(under.count >= 8 && mean(under) <= mean(way) + 5, "\(day.told) \(replayed)")
    #expect((live.max() ?? 0) <= 1_200)
  }

  /// The figures of the page Live tracking.
  @Test("Each receiver sleeps as far as its maker's commands go", arguments: Board.all)
  private func boards(_ board: Board) throws {
    let day = try PlayedDay(board, sleep: .always)
    var receiver = day.receiver
    receiver.advance(to: 86_400)
    let alwaysOn = receiver.model.tracking * 86.4
    let share = receiver.joules / alwaysOn
    let late = Commute.lateness(day.told)
    let mean = late.reduce(0, +) / Double(max(1, late.count))
    print(
      board.profile, "always on", Int(alwaysOn.rounded()), "J, so", Int(receiver.joules.rounded()),
      "J,", (share * 1_000).rounded() / 10, "%,", receiver.sleeps, "sleeps;", late.count, "told,",
      Int(mean.rounded()), "s late in the mean")
    if case .sleeps(let family) = board.identity.rest(by: .always) {
      // One that only its timer wakes is awake before each look.
      let most = family.waking == .byTimer ? 0.25 : 0.15
      #expect(share <= most && receiver.sleeps > 10 && receiver.refused == 0)
      #expect((day.metered() / receiver.joules - 1).magnitude <= 0.05)
    } else {
      #expect(receiver.sleeps == 0 && share > 0.9)
    }
  }
}
