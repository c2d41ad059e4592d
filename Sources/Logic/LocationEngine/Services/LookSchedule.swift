// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// Standard updates that ask for 100 m or coarser, or for a position every 10 s or more, do not need a receiver that is on
// all the time (`AccuracyNeed`). This machine decides when to look for one, and from which source.
//
//   sessions (100 m to below 1,000 m, where no Wi-Fi tells positions)
//
//     looking(until) ──good fix──► resting(held) ──time──► looking
//         │  ▲                        └── fix of another app's receiver: the rest begins anew
//         │  └── good fix, but the device is so fast that no rest is worth it
//         └── time ──► resting(nothing) ──time──► looking
//
//   network (1,000 m and coarser; on a phone, which Wi-Fi locates, 100 m too)
//
//     asking ──good answer──► resting(network) ──time──► asking
//       └── failure, too coarse, no answer ──► looking(until) ──good fix, time──► resting(noNetwork) ──► asking
//
//   interval (an app of Android)
//
//     looking(until), asking ──good position, time──► resting(interval) ──time──► looking, asking
//                                       └── time, no motion for 25 s ──► still ──motion──► looking, asking
//
// - *Good* is a position whose accuracy is at most what is asked for, or unknown.
// - *Rest of a session* [ours]: the position holds until the device may have left the circle that was asked for, less
//   the time that a receiver takes to start: (accuracy asked for − accuracy of the fix) / speed − `starting`. The speed
//   is the fix's, and at least `walkingPace`, since a device at rest may begin to walk. At most `longestRest`: a car at
//   a light may be 800 m off a minute later, and no further. Below `shortestRest` a start costs more than the rest
//   saves, so the receiver stays on; so it does at an unknown speed.
// - *Rest of the network* [ours]: the time to cross the accuracy asked for at 60 km/h, from 60 to 300 s: 1,000 m every
//   60 s, 3,000 m every 180 s. Network positions have no speed, and two of them are too coarse to derive one from.
// - *Interval* [AOSP, GnssLocationProvider: from 10 s on the receiver hibernates between two fixes, and gives up a search
//   after 60 s]. Nexus phones that were asked for a position every 30 s told hardly any at rest, and drew no more than
//   without an app [field: MobilityNet]: so a device that feels motion looks only while it moves.
// - *Timeouts* [ours]: 300 s before the first fix, which may need a cold start; 60 s from then on.
//
// A phone that was asked for 100 m told positions of Wi-Fi (claimed to 65 m), and drew 50 mW at rest for it, a fifth of
// what its receiver takes (iPhone 6, MobilityNet). So it asks the network first, and its receiver looks where there is no
// Wi-Fi.
//
// One case is missing here: an app that is suspended looks for nothing, and a rest that ended meanwhile is over at once
// when it runs again.

/// When to look for positions, and from which source, for updates that do not need the receiver all the time.
struct LookSchedule: Sendable, Equatable, Codable {
  /// Metres per second that a device at rest may take up at once.
  static let walkingPace = 1.5
  /// Seconds that a hot start takes.
  static let starting = 10.0
  /// The least and the greatest rest of a session, seconds.
  static let shortestRest = 20.0
  static let longestRest = 60.0
  /// Metres per second, and seconds, that make the rest between two questions to the network.
  static let networkPace = 60 / 3.6
  static let networkRests = 60.0...300.0
  /// Seconds that the network may take to answer.
  static let answersWithin = 30.0
  /// Seconds between two positions from which on the receiver is off in between.
  static let leastInterval = FusedNeed.leastPause
  /// Seconds that the receiver looks before its first fix, and afterwards.
  static let firstTimeout = 300.0
  static let timeout = FusedNeed.patience

  enum Phase: Sendable, Equatable, Codable {
    /// The receiver is on until then at the latest.
    case looking(until: EngineInstant)
    /// The network was asked and may answer until then.
    case asking(until: EngineInstant)
    /// The receiver is off until then.
    case resting(until: EngineInstant, Rest)
    /// The device rests: the next position of its interval waits for motion.
    case still
  }

  /// The reason why the receiver is off.
  enum Rest: Sendable, Equatable, Codable {
    /// The last fix of a receiver holds.
    case held
    /// A network position serves.
    case network
    /// The receiver has looked, since the network had no position that is good enough.
    case noNetwork
    /// It has looked and found nothing.
    case nothing
    /// The app asked for a position only then.
    case interval
  }

  /// Metres; 100 or more, unless there is an interval.
  let accuracy: Double
  /// Seconds between two positions, 10 or more, if the app asks for that.
  let interval: Double?
  private(set) var phase: Phase
  private var hasFound = false
  /// When motion was felt last; `nil` if the device feels none, or there is no interval.
  private var feltAt: EngineInstant?
  /// Whether the network is asked first, although the accuracy would need sessions.
  private let asksFirst: Bool?

  /// Begins to look; `nil` if the request needs the receiver all the time.
  init?(_ request: StandardRequest, at now: EngineInstant, hasWiFi: Bool, feelsMotion: Bool) {
    accuracy = request.desiredAccuracy
    interval = request.interval.flatMap { $0 >= Self.leastInterval ? $0 : nil }
    feltAt = interval != nil && feelsMotion ? now : nil
    asksFirst = hasWiFi
    switch Self.need(accuracy, hasWiFi: hasWiFi) {
    case .receiver:
      guard interval != nil else { return nil }
      phase = .looking(until: now.advanced(bySeconds: Self.firstTimeout))
    case .sessions: phase = .looking(until: now.advanced(bySeconds: Self.firstTimeout))
    case .network: phase = .asking(until: now.advanced(bySeconds: Self.answersWithin))
    }
  }

  private static func need(_ accuracy: Double, hasWiFi: Bool?) -> AccuracyNeed {
    let need = AccuracyNeed(accuracy)
    return need == .sessions && hasWiFi == true ? .network : need
  }

  private var need: AccuracyNeed { Self.need(accuracy, hasWiFi: asksFirst) }

  var isLooking: Bool { if case .looking = phase { true } else { false } }
  var isAsking: Bool { if case .asking = phase { true } else { false } }

  /// The instant at which time alone will change something; `nil` if only motion will.
  var deadline: EngineInstant? {
    switch phase {
    case .looking(let until), .asking(let until), .resting(let until, _): until
    case .still: nil
    }
  }

  /// Whether motion decides when it looks.
  var heedsMotion: Bool { feltAt != nil }

  /// The reason why the receiver is not wanted.
  var reason: ReceiverPlan.Off {
    switch phase {
    case .looking(let until), .resting(let until, .nothing): .awaitsSession(until)
    case .resting(let until, .interval):
      need == .network ? .networkServes(accuracy: accuracy) : .awaitsSession(until)
    case .still: .awaitsMotion
    case .asking, .resting(_, .network): .networkServes(accuracy: accuracy)
    case .resting(let until, .held): .positionHolds(until: until, accuracy: accuracy)
    case .resting(let until, .noNetwork): .networkMissing(until: until, accuracy: accuracy)
    }
  }

  /// A receiver's fix came.
  mutating func found(_ fix: Fix, at now: EngineInstant) {
    hasFound = true
    guard fix.isGood(for: accuracy) else { return }
    if let interval { return rest(for: interval, .interval, at: now) }
    let wasLooking = isLooking
    guard let rest = rest(after: fix) else { return look(at: now) }
    let isInstead = wasLooking && need == .network
    self.rest(for: rest, isInstead ? .noNetwork : .held, at: now)
  }

  /// The network answered.
  mutating func answered(_ fix: Fix, at now: EngineInstant) {
    guard isAsking else { return }
    if let interval { return rest(for: interval, .interval, at: now) }
    guard fix.isGood(for: accuracy) else { return look(at: now) }
    rest(for: networkRest, .network, at: now)
  }

  /// The network had no answer.
  mutating func failed(at now: EngineInstant) {
    guard isAsking else { return }
    if let interval { rest(for: interval, .interval, at: now) } else { look(at: now) }
  }

  /// The device moves.
  mutating func felt(at now: EngineInstant) {
    guard feltAt != nil else { return }
    feltAt = now
    if phase == .still { begin(at: now) }
  }

  /// The deadline may have come.
  mutating func timePassed(at now: EngineInstant) {
    guard let deadline, deadline <= now else { return }
    if let interval { return pass(interval, at: now) }
    let isNetwork = need == .network
    switch phase {
    case .asking: look(at: now)
    case .looking:
      rest(
        for: isNetwork ? networkRest : Self.longestRest, isNetwork ? .noNetwork : .nothing, at: now)
    case .resting:
      if isNetwork {
        phase = .asking(until: now.advanced(bySeconds: Self.answersWithin))
      } else {
        look(at: now)
      }
    case .still: break
    }
  }

  /// A session, a question or an interval is over.
  private mutating func pass(_ interval: Double, at now: EngineInstant) {
    guard !isLooking, !isAsking else { return rest(for: interval, .interval, at: now) }
    let rests = feltAt.map { EngineInstant.seconds(from: $0, to: now) >= PhoneTerms.restsAfter }
    if rests == true { phase = .still } else { begin(at: now) }
  }

  /// Looks for the next position of an interval; balanced power never asks the receiver [doc: very rarely].
  private mutating func begin(at now: EngineInstant) {
    guard need == .network else { return look(at: now) }
    phase = .asking(until: now.advanced(bySeconds: Self.answersWithin))
  }

  private mutating func look(at now: EngineInstant) {
    phase = .looking(
      until: now.advanced(bySeconds: hasFound ? Self.timeout : Self.firstTimeout))
  }

  private mutating func rest(for seconds: Double, _ rest: Rest, at now: EngineInstant) {
    phase = .resting(until: now.advanced(bySeconds: seconds), rest)
  }

  /// Seconds that a receiver's fix holds; `nil` if no rest is worth it.
  private func rest(after fix: Fix) -> Double? {
    if need == .network { return networkRest }
    guard let speed = fix.speed else { return nil }
    let left = accuracy - (fix.horizontalAccuracy ?? 0)
    let holds = left / max(speed, Self.walkingPace) - Self.starting
    return holds < Self.shortestRest ? nil : min(holds, Self.longestRest)
  }

  private var networkRest: Double {
    let crossing = accuracy / Self.networkPace
    return min(max(crossing, Self.networkRests.lowerBound), Self.networkRests.upperBound)
  }
}

extension Fix {
  /// Whether its accuracy is at most `accuracy` metres; one of Core Location's negative constants asks for the
  /// best, which any is.
  func isGood(for accuracy: Double) -> Bool {
    guard accuracy > 0, let own = horizontalAccuracy else { return true }
    return own <= accuracy
  }
}
