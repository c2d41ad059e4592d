// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import LocationModel

@testable import LocationEngine

/// A device on a straight road under one policy: a world that is simple enough to draw.
///
/// The receiver has its first fix `acquisition` seconds after it was switched on, and then one a second, while there is
/// sky; switched off, it stays on for `hold` seconds. The motion sensor fires after each 15 s with 15 m of movement in
/// either direction, and cells change every 600 m. Events are drawn with one character per `column` seconds: `D` a
/// delivery, `o` the receiver was on, `.` it was off. Observations are drawn below: `0`…`9`, `a`…`z` the hundreds of
/// metres of the last fix, `+` beyond, `-` no fix.
struct Journey {
  /// A stretch of the road.
  struct Leg {
    var seconds: Int
    var speed: Double
    /// Whether the receiver sees satellites.
    var hasSky = true
    /// The receiver's position error, metres.
    var error = 0.0
    /// The excess of the reported speed, metres per second.
    var speedError = 0.0
    var accuracy: Double? = 5
  }

  var stage: Stage
  let senses: Senses
  var acquisition = 8
  var column = 60
  /// Whether cells have names: the number of the stretch of 600 m.
  var namesCells = false
  let hold: Int
  /// Whether fixes include their speed, and their time.
  var tellsSpeed = true
  var tellsTime = true
  /// Whether the receiver reports whether it hears satellites, and its last report.
  var tellsSignal = false
  /// The accuracy of network positions, metres, which come a second after a request; `nil` if there are none.
  let networkAccuracy: Double?
  /// Requests of the network.
  private(set) var requests = 0
  private var isAsked = false
  private var signal: Bool?
  private(set) var row = ""
  private(set) var fixes = ""
  private(set) var metres = 0.0
  /// True metres at each delivery.
  private(set) var deliveries: [(second: Int, metres: Double)] = []
  private(set) var sessions = 0
  private(set) var secondsOn = 0
  /// Seconds in which the receiver drew power: on, or held.
  private(set) var secondsDrawing = 0
  private(set) var second = 0
  /// Seconds since it was switched off, having tracked.
  private var heldFor: Int?
  private var onFor = 0
  /// Before this second nothing happens by itself: the receiver is off and nothing is due. Seconds of rest are most of
  /// a day, and querying the engine for due events in each of them took most of the tests' time.
  private var restsUntil = -Double.infinity
  private var windowBegan = 0.0
  private var mark: Character = "."
  private var seen: Character = "-"

  init(
    senses: Senses, policy: SignificantPolicy? = nil, hold: Int = 0, networkAccuracy: Double? = nil
  ) {
    self.senses = senses
    self.networkAccuracy = networkAccuracy
    self.hold = hold
    let memory = AcquisitionMemory(hot: 8, timeout: 120)
    let usual = MilepostPolicy(
      senses: senses, memory: memory, hold: Double(hold), motion: Self.sensing,
      networkEnergy: networkAccuracy.map { _ in 0.5 })
    stage = Stage(policy: policy ?? SignificantPolicy(usual))
    stage.launch()
    stage.app(.startMonitoringSignificantChanges)
  }

  mutating func travel(_ legs: Leg...) { for leg in legs { travel(leg) } }

  mutating func travel(_ leg: Leg) {
    // Between two legs a test may change the stage.
    restsUntil = -.infinity
    for _ in 0..<leg.seconds { step(leg) }
    stage.pass(to: Double(second))
  }

  /// Lets the device rest, and then move slightly until a look of the policy begins.
  mutating func stirUntilLook() {
    while stage.engine.plan.isOn { travel(.init(seconds: 1, speed: 0)) }
    travel(.init(seconds: 300, speed: 0))
    for second in 0..<300 where !stage.engine.plan.isOn {
      if second % 15 == 0 { stage.tell(.motionBegan) }
      travel(.init(seconds: 1, speed: 0))
    }
  }

  /// Encodes the engine and decodes it again, as at a restart of the service.
  mutating func restart() throws {
    let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "+", negativeInfinity: "-", nan: "?")
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "+", negativeInfinity: "-", nan: "?")
    let written = try encoder.encode(stage.engine.snapshot)
    stage.engine = LocationEngine(
      restoring: try decoder.decode(LocationEngine.Snapshot.self, from: written))
  }

  private mutating func step(_ leg: Leg) {
    let cell = (metres / 600).rounded(.down)
    second += 1
    metres += leg.speed
    let next = (metres / 600).rounded(.down)
    if Double(second) < restsUntil, next == cell, second % 15 != 0, second % column != 0 { return }
    let before = stage.log.count
    stage.pass(to: Double(second))
    answer(at: metres + leg.error)
    let isOn = stage.engine.plan.isOn
    if isOn && onFor == 0 {
      sessions += 1
      if heldFor != nil { onFor = acquisition }
    }
    if isOn { secondsOn += 1 }
    hold(isOn: isOn)
    onFor = isOn ? onFor + (leg.hasSky || onFor == 0 ? 1 : 0) : 0
    if next != cell, senses.contains(.cells) {
      stage.tell(.cellChanged(namesCells ? Self.cell(Int(next)) : nil))
    }
    if second % 15 == 0 {
      if abs(metres - windowBegan) >= 15, senses.contains(.motion) { stage.tell(.motionBegan) }
      windowBegan = metres
    }
    tellSignal(isOn && (onFor <= acquisition || !leg.hasSky) ? leg.hasSky : nil)
    if isOn, leg.hasSky, onFor > acquisition {
      var fix = Stage.fix(
        metres: metres + leg.error, at: stage.now, accuracy: leg.accuracy,
        speed: tellsSpeed ? abs(leg.speed) + leg.speedError : nil)
      if !tellsTime { fix.time = nil }
      stage.tell(.fix(fix))
      seen = Self.hundreds(metres + leg.error)
    }
    draw(Array(stage.log[before...]), isOn: isOn)
    if stage.log[before...].contains(.requestNetworkPosition) {
      (isAsked, requests) = (true, requests + 1)
    }
    let isAtRest = onFor == 0 && heldFor == nil && !stage.engine.plan.isOn && !isAsked
    restsUntil = isAtRest ? stage.engine.nextDeadline?.seconds ?? .infinity : -.infinity
  }

  private mutating func answer(at place: Double) {
    guard isAsked else { return }
    isAsked = false
    guard let networkAccuracy else { return _ = stage.tell(.networkPositionFailed) }
    stage.tell(
      .networkFix(
        Stage.fix(metres: place, at: stage.now, accuracy: networkAccuracy, source: .network)))
  }

  private mutating func tellSignal(_ isHeard: Bool?) {
    guard tellsSignal, isHeard != signal else { return }
    signal = isHeard
    if let isHeard { stage.tell(.signal(isHeard: isHeard)) }
  }

  private static func hundreds(_ metres: Double) -> Character {
    let hundreds = Int((abs(metres) / 100).rounded(.down))
    return hundreds < 36 ? Character(String(hundreds, radix: 36)) : "+"
  }

  /// A profile's description of its motion sensor: no doubt, no smooth ride, and one mistake every four hours.
  static let sensing = MotionSensing(
    window: 15, steps: 0.95, ride: 0.95, smooth: 0, falseAlarms: 0.25)

  /// The name of the cell of a stretch of 600 m.
  static func cell(_ number: Int) -> CellHint { CellHint(rawValue: UInt64(1_000 + number)) }

  private mutating func hold(isOn: Bool) {
    if isOn {
      heldFor = nil
    } else if onFor > acquisition {
      heldFor = hold > 0 ? 0 : nil
    } else if let seconds = heldFor {
      heldFor = seconds + 1 < hold ? seconds + 1 : nil
    }
    if isOn || heldFor != nil { secondsDrawing += 1 }
  }

  private mutating func draw(_ commands: [EngineCommand], isOn: Bool) {
    if isOn && mark == "." { mark = "o" }
    if commands.deliveries.contains(where: { !$0.isCached && $0.service == .significant }) {
      mark = "D"
      deliveries.append((second, metres))
    }
    guard second % column == 0 else { return }
    row.append(mark)
    fixes.append(seen)
    (mark, seen) = (".", "-")
  }
}

extension MilepostPolicy {
  init(
    senses: Senses, memory: AcquisitionMemory = AcquisitionMemory(), hold: Double? = nil,
    motion: MotionSensing? = nil, networkEnergy: Double? = nil
  ) {
    var settings = PolicySettings(name: Self.kind.name, senses: senses)
    settings.receiverHold = hold
    settings.motion = motion
    settings.lookEnergy = networkEnergy.map { _ in 1 }
    settings.networkEnergy = networkEnergy
    self.init(settings, memory: memory)
  }
}
