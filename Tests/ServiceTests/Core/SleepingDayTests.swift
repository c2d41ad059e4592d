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

  func device() throws -> DeviceProfile {
    try #require(try ProfileLibrary.device(named: profile))
  }

  func policy() throws -> SignificantPolicy {
    try #require(SignificantPolicy.named("milepost", for: try device(), senses: []))
  }

  /// Its powers by the profile, and its starts as a replay has them under an open sky.
  func model() throws -> SimulatedReceiver.Model {
    let device = try device()
    func power(_ state: String) -> Double {
      device.numbers.first {
        $0.key.component == "gnss" && $0.key.state == state && $0.key.quantity == "power"
      }?.value.nominal ?? 0
    }
    func start(_ start: ReceiverStart) -> Double {
      device.timeToFirstFix(start: start, environment: .open).mean
    }
    var model = SimulatedReceiver.Model(
      protocolVersion: protocolVersion, hardware: "00080000", acquiring: power("acquire_hot"),
      tracking: power("track_good"), sleeping: power("backup"), hotStart: start(.hot),
      coldStart: start(.cold))
    model.language = language
    return model
  }
}

/// A day of two commutes with a receiver on a serial line, the service as it runs live.
private struct PlayedDay {
  static let path = "/dev/ttyAMA0"

  let board: Board
  let commute: Commute
  private(set) var stage: Stage
  private(set) var receiver: SimulatedReceiver
  private var seconds: Commute.Seconds
  private var isWatched = false
  private var signal: Bool?
  private var wifi: String??
  /// The significant changes.
  private(set) var told: [Commute.Told] = []

  init(_ board: Board = .m8, _ commute: Commute = Commute(), sleep: ReceiverSleep?) throws {
    (self.board, self.commute) = (board, commute)
    receiver = SimulatedReceiver(try board.model(), at: 0)
    seconds = Commute.Seconds(commute)
    let (device, policy) = (try board.device(), try board.policy())
    stage = Stage { settings in
      (settings.policy, settings.policyWithCells) = (policy, policy)
      (settings.device, settings.policyName) = (device, "milepost")
      settings.gpsdControl = "/run/gpsd.sock"
      settings.receiverSleep = sleep
      settings.wantsMotion = commute.sensor != nil
      settings.rules.feelsMotion = commute.sensor != nil
    }
    if commute.sensor != nil {
      stage.tell(.machine(.motionSensor(MotionSource(name: "bmc150_accel"))))
    }
    stage.add(Stage.handler())
    for second in 1...Commute.seconds { play(Double(second)) }
    receiver.advance(to: Double(Commute.seconds))
  }

  private mutating func play(_ second: Double) {
    // Each effect at its own moment.
    while let due = stage.service.nextDeadline, due.seconds < second {
      stage.pass(max(0, EngineInstant.seconds(from: stage.now.at, to: due)))
      perform()
    }
    stage.pass(second - stage.now.at.seconds)
    perform()
    let (fix, isFelt) = seconds.next(second, of: commute)
    if isFelt { stage.tell(.machine(.motionFelt)) }
    let wifi = commute.wifi(at: second)
    if wifi != self.wifi { stage.tell(.machine(.wifi(wifi))) }
    self.wifi = wifi
    perform()
    guard isWatched else { return }
    receiver.advance(to: second)
    if receiver.hasFix {
      signal = nil
      stage.tell(.gpsd(.fix(fix, device: Self.path)))
    } else {
      stage.tell(.gpsd(.searching(device: Self.path)))
      if signal == nil { stage.tell(.gpsd(.signal(isHeard: true))) }
      signal = true
    }
    perform()
  }

  /// What gpsd and the receiver do about the service's effects.
  private mutating func perform() {
    let second = stage.now.at.seconds
    for told in stage.changes.flatMap(\.deliveries) where !told.delivery.isCached {
      self.told.append(Commute.Told(at: second, place: told.delivery.fix.coordinate))
    }
    stage.changes = []
    for effect in stage.take() {
      guard case .watch(let isOn, let sleep) = effect, isOn != isWatched else { continue }
      isWatched = isOn
      signal = nil
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
      _ = receiver.receive(
        family.sleepCommand(for: family.timer(for: sleep) ?? sleep.seconds), at: second)
      stage.tell(.gpsd(.device(.asleep(path: Self.path, by: family))))
    }
  }

  /// Joules of the receiver by the service's own meter.
  func metered() -> Double {
    var meter = stage.service.meter
    return meter.report(at: stage.now.at).receiver
  }

  /// The receiver's joules if it were always on.
  var alwaysOn: Double { receiver.model.tracking * Double(Commute.seconds) / 1_000 }
}

@Suite("A day with a receiver that sleeps")
struct SleepingDayTests {
  private func words(_ joules: Double) -> String { "\(Int(joules.rounded())) J" }

  @Test("It takes less than a seventh of always on, and the meter knows it")
  func day() throws {
    let asleep = try PlayedDay(sleep: .timed)
    let awake = try PlayedDay(sleep: nil)
    let (receiver, other) = (asleep.receiver, awake.receiver)
    let saved = try #require(asleep.stage.service.meter.savedBySleep(at: asleep.stage.now.at))
    print(
      "a day of commute, NEO-M8: always on", words(asleep.alwaysOn), "- closed but awake",
      words(other.joules), "- asleep between looks", words(receiver.joules), "metered",
      words(asleep.metered()), "saved", words(saved.nominal), "sleeps", receiver.sleeps, "told",
      asleep.told.count)
    #expect(receiver.joules <= 0.15 * asleep.alwaysOn)
    #expect((asleep.metered() / receiver.joules - 1).magnitude <= 0.05)
    #expect((awake.metered() / other.joules - 1).magnitude <= 0.05)
    #expect((saved.nominal / (other.joules - receiver.joules) - 1).magnitude <= 0.05)
    #expect(receiver.refused == 0 && receiver.sleeps > 10)
    for day in [asleep, awake] {
      for departure in day.commute.departures {
        let told = day.told.filter { $0.at > departure && $0.at < departure + 3_600 }
        // Less than 500 m are no change.
        #expect((told.last?.at ?? 0) >= departure + 1_800 - 500 / 15, "\(told)")
      }
    }
  }

  /// Twelve days, which begin at other moments between two looks: when a departure is seen in one day is luck.
  private struct Days {
    private(set) var (departures, underWay): ([Double], [Double]) = ([], [])
    private var joules = 0.0
    private var count = 0.0
    var joulesADay: Double { joules / count }

    static func numbered(_ commute: Commute) -> [Commute] {
      (0..<12).map { number in
        var day = commute
        day.later = Double(number) * 97
        return day
      }
    }

    mutating func add(_ day: Commute, _ told: [Commute.Told], joules: Double) {
      let late = day.lateness(told)
      departures += late.departures
      underWay += late.underWay
      self.joules += joules
      count += 1
    }

    var words: String {
      "\(Int(joulesADay.rounded())) J a day, departures: \(Spread(departures)), under way: \(Spread(underWay))"
    }
  }

  @Test(
    "In a world of the same senses it tells what its replay tells, as late, and draws as much",
    arguments: [nil, MotionSensing.usual])
  func parity(_ sensor: MotionSensing?) throws {
    let device = try Board.m8.device()
    let plain = try Board.m8.policy()
    let policy = sensor.map { plain.feeling($0) } ?? plain
    var (live, replay) = (Days(), Days())
    for commute in Days.numbered(Commute(sensor: sensor)) {
      let day = try PlayedDay(.m8, commute, sleep: .timed)
      let replayed = try commute.replayed(on: device, policy: policy)
      live.add(commute, day.told, joules: day.receiver.joules)
      replay.add(commute, replayed.told, joules: replayed.joules)
      #expect(day.told.count == replayed.told.count)
      for (one, other) in zip(day.told, replayed.told) {
        // A replay reads the movement that a sensor feels off the positions around each second: a window or so before.
        let apart = sensor == nil ? 0 : 60.0
        #expect((one.at - other.at).magnitude <= apart, "\(day.told) \(replayed.told)")
        if sensor == nil { #expect(one.place == other.place) }
      }
    }
    print(sensor == nil ? "no sensor:" : "an accelerometer:", live.words)
    print("    in the replay:", replay.words)
    #expect((live.joulesADay / replay.joulesADay - 1).magnitude <= 0.05)
    #expect(live.departures.count == 24 && replay.departures.count == 24)
    let later = Spread(live.departures).mean - Spread(replay.departures).mean
    #expect(later <= (sensor?.window ?? 0))
    #expect(Spread(live.underWay).mean <= 5)
    if sensor != nil { #expect(Spread(live.departures).most <= 120) }
  }

  @Test("Known Wi-Fi networks at both ends tell of the departures, and cost no looks")
  func wifi() throws {
    var (with, without) = (Days(), Days())
    for commute in Days.numbered(Commute(hasWiFi: true)) {
      let day = try PlayedDay(.m8, commute, sleep: .timed)
      with.add(commute, day.told, joules: day.receiver.joules)
      let plain = try PlayedDay(.m8, Commute(later: commute.later), sleep: .timed)
      without.add(commute, plain.told, joules: plain.receiver.joules)
    }
    print("known Wi-Fi:", with.words, "- none:", without.words)
    #expect(Spread(with.departures).most <= 120)
    #expect(with.joulesADay <= 1.05 * without.joulesADay)
  }

  /// The figures of the page Live tracking.
  @Test("Each receiver sleeps as far as its maker's commands go", arguments: Board.all)
  private func boards(_ board: Board) throws {
    let day = try PlayedDay(board, sleep: .always)
    let receiver = day.receiver
    let share = receiver.joules / day.alwaysOn
    print(
      board.profile, "always on", words(day.alwaysOn), "so", words(receiver.joules),
      (share * 1_000).rounded() / 10, "%,", receiver.sleeps, "sleeps,", day.told.count, "told")
    if case .sleeps = board.identity.rest(by: .always) {
      #expect(share <= 0.15 && receiver.sleeps > 10 && receiver.refused == 0)
      #expect((day.metered() / receiver.joules - 1).magnitude <= 0.05)
    } else {
      #expect(receiver.sleeps == 0 && share > 0.9)
    }
  }
}
