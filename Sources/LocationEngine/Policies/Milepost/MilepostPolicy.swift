// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

// Theory
// ======
//
// An event is due when the device is 500 m from where an app was last told *and* 300 s have passed. The
// policy asks after each fix: when is that likely to be? It sleeps until then and lets the receiver have
// its first fix at that moment.
//
//   stopped ──began──► on ──look again later──► off(planned) ──time──► on
//                      ▲ └──nothing moves─────► off(resting) ──motion, cell, poll──► on (or planned)
//                      └── stays on while the crossing is near
//
// *When.* The crossing is at the later of the 300 s and the moment at which the missing metres are
// covered (`SpeedOutlook`). The receiver is switched on one lead (`AcquisitionMemory`) before it. `late`
// metres are added where distance decides: an event 12 m after the 500 is as good as one at 500, and it
// saves waiting with the receiver on when the prediction was early. Who winds (`OutwardProgress`) is
// expected later, by the share of its way that led outwards; but never so late that a straight way from
// here on would be found out more than `tolerated` after its crossing. That bound is what a hard limit on
// the delay costs: below 500 m it asks for a look every (500 − d) / v + 15 s, wherever the device hovers.
//
// *On or off.* Switching off and on again costs about an acquisition, `again` of tracking seconds (ski
// rental, power model 8.3): a crossing that is nearer than lead and `again` together is waited for.
// Where the receiver is held for a time h after it was switched off, as behind gpsd, that time is the rent:
//
//   wait ≤ h                     off; a second before the crossing it is on, and has its fix at once
//   h < wait ≤ h + lead + again  stays on: off and on again would draw as much
//   longer                       off; the look costs h more, so stays are polled √((again + h) / again)
//                                times less often (cost per look against delay: the square root)
//
// *On foot.* Beside a motion sensor, who walks and stops is followed by what it feels (`WalkOdometer`): the look
// comes when the felt time and the silence together may have covered what is missing. An event brings the
// planned look nearer; one that finds the way too short, at its time, is put off.
//
// *Resting.* A device that stands, with a motion sensor that is silent, is not looked for: the sensor will
// say. A poll is for moves that it does not feel (slower than 1 m/s): on foot when a creep as those before
// has covered what is missing, else in reserve. Where silence was seen to be no rest, or without a sensor, a
// change of cell says it, and without a modem the clock alone: who was seen to creep is looked for when that
// has covered what is missing; else how long a stay will last is known from how long it has lasted (the
// chance that it ends within the next minute falls as 1 / age), and the interval with the best balance of
// energy and delay then grows with the square root of the age.
//
// *Hints.* Motion after rest means a departure: the receiver has its fix when a quick vehicle would be
// at the crossing, or when the 300 s are over. A single event may be a stir (a phone that is picked up, a
// false alarm); a vehicle's second one comes a window later, before it can have made 500 m. So the look
// waits for the sensor's next window, unless a change of cell agrees, and a stir costs nothing. A pause of
// the motion may have been a change of vehicle and makes planned sleep end too.
// A change of cell counts where it is news (`CellMemory`) and surprises: at rest the first one, of a sensor
// at rest only after a while; on the way the second one since the last fix (the first border may have been
// near), when by what is known the device should hardly have moved. Hints that led to nothing at one place
// must wait, after a few, longer and longer: until one finds a vehicle, somebody is told, or the device is
// elsewhere. Who paces about at home is soon left alone, and who strolls on is not. Hints are listened to only
// where they could matter.
//
// *Belief.* A fix is judged by `PositionBelief` first; what may be a jump is looked at again after `recheck`
// and confirmed after 60 s, between which the receiver is off if that is cheaper. The distance asked for
// grows with what two coarse accuracies leave open (`margin`).
// Failure: a session without a fix is given up and tried again after `retry`, then half as long again each
// time. Where the sensor felt nothing during the session, the next one would see the same roof: it
// waits for a hint, and what was made without sky is then taken off what is missing.
//
// Odd cases
// - Apps with different anchors: the earliest crossing of all decides (`weigh`).
// - Nobody may be told (authorization withdrawn): nobody is weighed, and only the polls are
//   left; one of them finds out that it is back.
// - The receiver is on for another app: its fixes are used as if they were the policy's own.
// - State is some kilobytes at most, whatever happens: 16 cells are the largest part.

/// Our own policy: looks when a crossing is likely.
struct MilepostPolicy: Policy {
  /// Metres beyond 500 for which a predicted crossing may be waited [ours].
  static let late = 15.0
  /// Delay, and way beyond the 500 m, that a straight way may have after a winding one [ours: what may be
  /// late at 95 %, 30 s and 150 m, less an acquisition].
  static let tolerated = (seconds: 15.0, metres: 60.0)
  /// Seconds of a first rest without any hint, and of a planned sleep at most [ours: the 300 s].
  static let poll = 300.0
  /// Seconds of a planned sleep at most where hints would tell of a change [ours].
  static let longestPlan = 600.0
  /// Seconds between polls at most without a motion sensor: without any hint, and with cells.
  static let longestPoll = (blind: 1_200.0, cells: 1_800.0)
  /// Seconds between polls in reserve beside a motion sensor: at first, and later where there are no
  /// cells, and where there are. A walker whom the sensor does not feel (1 m/s) crosses 500 s after
  /// leaving, and is missed 1,800 s later: 2,300 s miss nobody. Where cells watch too, the ephemeris
  /// decides: it is kept younger than 2 h.
  static let reserve = (first: 1_800.0, alone: 2_300.0, withCells: 7_000.0)
  /// Metres per second of a mean that is a creep and no rest, and seconds between looks at it at least [ours].
  static let creep = (speed: 0.2, poll: 60.0)
  /// Metres per second of a movement that no sensor feels, on the average [estimate].
  static let silent = 0.3
  /// Metres per second that the sensor may not feel for some minutes.
  static let unfelt = 0.5
  /// Metres that a stir makes at most: two windows at 2 m/s.
  static let stir = 60.0
  /// Metres per second that a standing receiver may show [estimate].
  static let noise = 0.3
  /// Metres per second at a brisk walk.
  static let walking = 1.6
  /// Vain events of the motion sensor at one place after which it has to wait longer [ours].
  static let patience = 3
  /// Seconds after a hint, doubled with each vain one, and at most [ours].
  static let backoff = (first: 30.0, longest: 900.0)
  /// Seconds after a session without a fix, half as much again each time, and at most: a tunnel is out
  /// after minutes, and what is late is late by a third of its length on the average.
  static let retry = (first: 15.0, factor: 1.5, longest: 900.0)
  /// Seconds from a departure to the sensor's first event, on the average (two windows are the most).
  static let motionLag = 22.0
  /// The same to the first change of cell: cells are some hundred metres across at least [ours].
  static let cellLag = 45.0
  /// Seconds after which a jump is looked at again, before its confirmation.
  static let recheck = 30.0
  /// Metres per second that a quick vehicle makes good over its first 500 m: 42 s from rest.
  static let quick = 12.0
  /// Metres: a fix coarser than this is given `improves` seconds to get better [ours].
  static let coarse = 50.0
  static let improves = 10.0
  /// Metres that explain one change of cell: cells are not smaller, but a border may be near [ours].
  static let perCell = 150.0

  let senses: Senses
  /// Seconds for which the receiver goes on after it was switched off.
  let receiverHold: Double
  var memory: AcquisitionMemory
  var whereabouts = PositionBelief()
  var outlook = SpeedOutlook()
  var motion = MotionRecord()
  var stroll = WalkOdometer()
  var phase = Phase.stopped
  /// The earliest crossing of any app, and the metres that are missing to it, of the fix at hand.
  var aim: EngineInstant?
  var missing: Double?
  /// The first instant at which some app may be told.
  var dueAt: EngineInstant?
  /// Where and since when the device has stayed.
  var stay: Stay?
  /// When the receiver last had a fix, and the last look began.
  var trackedAt: EngineInstant?
  var lookedAt: EngineInstant?
  /// Sessions in a row without a fix, and hints in a row that led to nothing.
  var failures = 0
  var vain = 0
  /// Changes of cell since the last fix that were news.
  var cellChanges = 0
  /// The cells that were heard, and where.
  var cells = CellMemory()
  /// How much of the way led outwards, and the metres of way to the last fix.
  var progress = OutwardProgress()
  var legWay: Double?

  /// Where the device has stayed, and since when.
  struct Stay: Sendable, Equatable, Codable {
    var frame: LocalFrame
    var since: EngineInstant
  }

  enum Phase: Sendable, Equatable, Codable {
    /// No app monitors.
    case stopped
    /// The receiver is on: since when, until when at most without a further fix, what for.
    case on(since: EngineInstant, until: EngineInstant, firstFix: EngineInstant?, isHinted: Bool)
    /// The receiver is off until the crossing is near, by the speed or by a hint.
    case planned(EngineInstant, isHinted: Bool)
    /// The receiver is off until something moves, or the poll.
    case resting(EngineInstant)
  }

  /// `senses`: the hints that the device gives, `[]` for a receiver alone. `memory`: what is known of the
  /// receiver's times to first fix. `receiverHold`: seconds for which the receiver goes on, and draws
  /// power, after it was switched off: 0 where it is switched directly, 60 behind gpsd.
  init(
    senses: Senses, memory: AcquisitionMemory = AcquisitionMemory(), receiverHold: Double = 0
  ) {
    self.senses = senses
    self.memory = memory
    self.receiverHold = max(0, receiverHold)
  }

  /// Metres beyond 500 that a position must be away so that a true 470 m are passed with a probability
  /// of 84 %: one deviation of both errors together, less 30 m.
  static func margin(_ accuracy: Double?, _ anchorAccuracy: Double?) -> Double {
    let (a, b) = (accuracy ?? 30, anchorAccuracy ?? 30)
    // 1.51 σ per axis hold 68 % of a circular normal distribution.
    return max(0, (a * a + b * b).squareRoot() / 1.51 - 30)
  }

  var wantsSession: Bool {
    if case .on = phase { true } else { false }
  }

  var nextDeadline: EngineInstant? {
    switch phase {
    case .stopped: nil
    case .on(_, let until, _, _): until
    case .planned(let at, _), .resting(let at): at
    }
  }

  var waitsFor: ReceiverPlan.Off {
    switch phase {
    case .stopped, .on: .nobodyAsks
    case .planned(let at, _): .awaitsSession(at)
    case .resting(let at): senses.isEmpty ? .awaitsSession(at) : .awaitsHint(at)
    }
  }

  /// The motion sensor always; cells only while a change could matter, for each one wakes the processor.
  var triggers: Triggers {
    var wanted = senses.triggers
    switch phase {
    case .resting: break
    case .planned(let at, _):
      let beyond = dueAt.map { EngineInstant.seconds(from: $0, to: at) } ?? 0
      if beyond < 60 { wanted.remove(.cells) }
    case .stopped, .on: wanted.remove(.cells)
    }
    return wanted
  }

  func criteria(
    for fix: Fix, anchorAccuracy: Double?, _ rules: EngineRules
  ) -> SignificantService.Criteria {
    var criteria = SignificantService.Criteria(rules)
    criteria.distance += Self.margin(fix.horizontalAccuracy, anchorAccuracy)
    return criteria
  }

  mutating func handle(_ event: PolicyEvent, at now: EngineInstant) -> Bool {
    switch (event, phase) {
    case (.ended, _):
      self = MilepostPolicy(senses: senses, memory: memory, receiverHold: receiverHold)
    case (.began, _): look(at: now, isHinted: false)
    case (.judged(let judged), .on), (.judged(let judged), .planned),
      (.judged(let judged), .resting):
      plan(after: judged, at: now)
    case (.moved(let mayTellAt), _): moved(mayTellAt: mayTellAt, at: now)
    case (.cellChanged(let cell, let mayTellAt), .planned),
      (.cellChanged(let cell, let mayTellAt), .resting):
      cellChanged(cell, mayTellAt: mayTellAt, at: now)
    case (.timePassed, .on(_, let until, _, _)) where until <= now: giveUp(at: now)
    case (.failed, .on): giveUp(at: now)
    case (.timePassed, .planned(let due, let isHinted)) where due <= now:
      if isSurelyNear(at: now) {
        rest(at: now)
      } else if isHinted, let end = stirEnds(at: now) {
        phase = .planned(end, isHinted: true)
      } else if !isHinted, let seconds = postponement(at: now) {
        phase = .planned(now.advanced(bySeconds: seconds), isHinted: false)
      } else {
        look(at: now, isHinted: isHinted)
      }
    case (.timePassed, .resting(let due)) where due <= now: look(at: now, isHinted: false)
    case (.timePassed, _), (.failed, _), (.cellChanged, _), (.judged, .stopped): break
    }
    return false
  }
}

extension MilepostPolicy {
  static let kind = PolicyKind(
    "milepost", .receiver, hints: [.motion, .cells]
  ) { (settings) -> MilepostPolicy? in
    guard let timeout = settings.timeout, let hotStart = settings.hotStart else { return nil }
    return MilepostPolicy(
      senses: settings.senses,
      memory: AcquisitionMemory(logMedian: hotStart, timeout: timeout),
      receiverHold: settings.receiverHold ?? 0)
  }

  var kind: PolicyKind { Self.kind }

  var settings: PolicySettings {
    var settings = PolicySettings(name: kind.name, senses: senses)
    (settings.timeout, settings.hotStart) = (memory.timeout, memory.logMedian)
    settings.receiverHold = receiverHold
    return settings
  }

  func sentence(_ rules: EngineRules, plain: (Double) -> String) -> String {
    "the receiver is switched on when a move of \(plain(rules.significantDistance)) m is likely, "
      + "by speed and hints; " + rules.limits(plain)
  }
}

extension SignificantPolicy {
  /// `hotStart`: mean seconds of a hot start, as expected at first; `timeout`: seconds after which any
  /// acquisition is given up.
  package static func milepost(
    senses: Senses, hotStart: Double, timeout: Double
  ) -> SignificantPolicy {
    SignificantPolicy(
      MilepostPolicy(senses: senses, memory: AcquisitionMemory(hot: hotStart, timeout: timeout)))
  }
}
