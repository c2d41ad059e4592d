// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import RadioPower

// Theory
// ======
//
// What the phone's radios do for the need of all apps (`FusedNeed`), and for the daemon of geofences.
//
//   receiver, below 10 s           on all the time
//   receiver, more rarely          on when it is due, off with its first position, or after 60 s in vain (`FusedNeed`)
//   Wi-Fi and cells                a scan when it is due, and the answer a second later
//   cells alone                    an answer without a scan, as coarse as the cells are
//
// A question of the daemon and one of the apps at the same instant is one scan. A scan keeps the processor awake for as
// long as the profile says.

/// The radios of an Android phone in a replay.
struct AndroidRadios: Sendable {
  private var receiver: DeviceReceiver
  private var need = FusedNeed()
  /// When the receiver is next switched on; `nil` if it stays as it is.
  private var receiverDue: EngineInstant?
  /// When a session in vain ends.
  private var givesUpAt: EngineInstant?
  private var isOn = false
  private var networkDue: EngineInstant?
  private var cellsDue: EngineInstant?
  /// The open question: when it is answered, and whether Wi-Fi is asked.
  private var question: Question?
  private var heldUntil: EngineInstant?
  /// Seconds for which a scan keeps the processor awake.
  private let holds: Double
  private var withWiFi: NetworkPositions
  private var cellsOnly: NetworkPositions
  private var counters = Counters()

  private struct Question: Sendable {
    let at: EngineInstant
    let isScan: Bool
  }

  init(_ options: ReplayOptions) {
    receiver = DeviceReceiver(options)
    holds = options.device.locateTime
    withWiFi = options.networkPositions
    cellsOnly = NetworkPositions(seed: options.seed, errorPerAxis: options.networkErrorPerAxis)
  }

  var nextDeadline: EngineInstant? {
    var next = EngineInstant.earlier(receiverDue, givesUpAt)
    next = .earlier(next, .earlier(networkDue, .earlier(cellsDue, heldUntil)))
    return .earlier(next, question?.at)
  }

  /// Whether a position by Wi-Fi keeps the processor awake.
  var locates: Bool { heldUntil != nil }

  // MARK: What is asked of them

  mutating func follow(_ new: FusedNeed, at now: EngineInstant) {
    if new.receiver != need.receiver {
      receiverDue = new.receiver == nil ? nil : now
      if new.receiver == nil { switchReceiver(on: false, at: now) }
    }
    if new.network != need.network { networkDue = new.network == nil ? nil : now }
    if new.cells != need.cells { cellsDue = new.cells == nil ? nil : now }
    need = new
  }

  /// Asks Wi-Fi and cells once; returns whether that is a scan of its own.
  mutating func ask(isScan: Bool, at now: EngineInstant) -> Bool {
    if let question, question.isScan || !isScan { return false }
    question = Question(at: now.advanced(bySeconds: NetworkPositions.delay), isScan: isScan)
    if isScan, holds > 0 { heldUntil = now.advanced(bySeconds: holds) }
    return isScan
  }

  private mutating func switchReceiver(on: Bool, at now: EngineInstant) {
    isOn = on
    givesUpAt = nil
    receiver.follow(
      plan: on ? .continuous : .off(.nobodyAsks), at: now, isInGap: false, stands: false, &counters)
  }

  // MARK: Time

  /// What is due; returns the number of scans.
  mutating func pass(to now: EngineInstant) -> Int {
    if let due = receiverDue, due <= now, let every = need.receiver {
      if !isOn { switchReceiver(on: true, at: now) }
      let isSteady = every < FusedNeed.leastPause
      receiverDue = isSteady ? nil : now.advanced(bySeconds: every)
      givesUpAt = isSteady ? nil : now.advanced(bySeconds: FusedNeed.patience)
    }
    if let due = givesUpAt, due <= now { switchReceiver(on: false, at: now) }
    if let until = heldUntil, until <= now { heldUntil = nil }
    var scans = 0
    if let due = networkDue, due <= now, let every = need.network {
      networkDue = now.advanced(bySeconds: every)
      if ask(isScan: true, at: now) { scans += 1 }
    }
    if let due = cellsDue, due <= now, let every = need.cells {
      cellsDue = now.advanced(bySeconds: every)
      _ = ask(isScan: false, at: now)
    }
    return scans
  }

  /// The answer to the question, if it is due: a position, or a failure where the true place is not known.
  mutating func answer(at sample: TruthSample?, _ clock: RunClock) -> Answer? {
    guard let question, question.at <= clock.now else { return nil }
    self.question = nil
    guard let sample else { return .failed }
    let movement = sample.movement
    let (place, time, now) = (sample.coordinate, clock.utc, clock.now)
    return .position(
      question.isScan
        ? withWiFi.position(of: place, moving: movement, time: time, at: now)
        : cellsOnly.position(of: place, moving: movement, time: time, at: now))
  }

  enum Answer {
    case position(Fix)
    case failed
  }

  /// A second of the receiver; returns its position.
  mutating func tick(_ sample: WorldSample, at now: EngineInstant) -> Fix? {
    let (hasFix, _) = receiver.tick(hasSky: sample.hasSky, at: now)
    guard hasFix, !sample.losesFix, let fix = sample.fix else { return nil }
    if givesUpAt != nil { switchReceiver(on: false, at: now) }
    return fix
  }

  /// The receiver's state, if it is not the one that the meter was told last.
  mutating func change() -> Activity.GNSSState? { receiver.change() }
}

extension TruthSample {
  /// The movement that decides which access points are known.
  fileprivate var movement: WiFiIslands.Movement {
    if !moves { return .stay }
    return speed > WiFiIslands.Movement.limit ? .fast : .onTheWay
  }
}
