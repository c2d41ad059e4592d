// SPDX-License-Identifier: Apache-2.0

import Geodesy
package import LocationModel
package import RadioPower

// Theory
// ======
//
//        switch on                    acquired (time under open sky is used up)
//   off ───────────► acquiring(start) ─────────────────────────────► tracking
//    ▲                  │    ▲                                          │
//    │   switch off     │    └──────── sky lost for a second ───────────┤
//    └──────────────────┴──────────────── switch off ───────────────────┘
//
// - The *start* depends on the age of the ephemeris, which is sent for 2 h and fits for 4 h (IS-GPS-200, 20.3.4.4): up
//   to 2 h hot; from 2 to 4 h hot with a probability that falls linearly to 0, else warm; older warm; none yet, older
//   than 60 days, or a supply that was cut: cold. The ephemeris is fresh while the receiver tracks. A receiver that has
//   assistance at each start, as in a phone, is assisted after its first one.
// - *Time to first fix* is log-normal with σ_ln 0.5 around the profile's mean for start and environment, or that mean
//   itself; it counts only while there is sky.
// - *Failure*: indoors an acquisition may fail. It is given up at the timeout, where drawn times are
//   clipped too; a receiver that is left on then tries again.
// - *Lost sky*: a loss of up to 60 s is bridged: the first second of sky gives a fix again. After a
//   longer one (or a gap of the trace) it acquires anew.
//
// - *Places* (`--environment mixed`): times and failures are those of the environment in which an acquisition begins.
//   One that was bound to fail is begun anew when the device comes to another environment; one under way continues: its
//   first seconds were not for nothing.
//
// - *Hold*: the owner of the receiver (gpsd) may release it only `hold` seconds after the last request. Until then it
//   goes on as before and draws power; switched on again, it continues, and a receiver that tracks has a fix at once.
//
//   in use ──switch off──► held(until) ──time──► off
//      ▲                        │
//      └────── switch on ───────┘
//
// - *Shared radio*: while a modem has the radio (`block`), the receiver has no sky. A search resumes afterwards;
//   tracked satellites are back at once, if that did not last too long.
//
// The receiver yields once a second, so the first fix falls on the next whole second of the trace.

/// A receiver in replay: its observations and their times.
package struct SimulatedReceiver: Sendable, Equatable {
  /// Time to first fix by start.
  package struct Acquisition: Sendable, Equatable {
    /// Mean seconds under the sky of the environment.
    package var seconds: Double
    /// Probability, 0 to 1, that it does not succeed at all.
    package var failure: Double

    package init(seconds: Double, failure: Double) {
      self.seconds = seconds
      self.failure = failure
    }
  }

  package struct Parameters: Sendable, Equatable {
    package var cold: Acquisition
    package var warm: Acquisition
    package var hot: Acquisition
    package var assisted: Acquisition
    package var starts: ReceiverStarts
    /// Whether times are drawn, or are the means.
    package var isDrawn: Bool
    /// Seconds after which an acquisition is given up; drawn times are at most this.
    package var timeout: Double

    package init(
      cold: Acquisition, warm: Acquisition, hot: Acquisition, assisted: Acquisition,
      starts: ReceiverStarts = .init(), isDrawn: Bool = true, timeout: Double = 300
    ) {
      self.cold = cold
      self.warm = warm
      self.hot = hot
      self.assisted = assisted
      self.starts = starts
      self.isDrawn = isDrawn
      self.timeout = timeout
    }

    func acquisition(for start: ReceiverStart) -> Acquisition {
      switch start {
      case .cold: cold
      case .warm: warm
      case .hot: hot
      case .assisted: assisted
      }
    }
  }

  package enum Phase: Sendable, Equatable {
    case off
    /// Searches for satellites; `remaining` seconds of sky are missing until it tracks or, if `fails`,
    /// until it gives up.
    case acquiring(ReceiverStart, remaining: Double, fails: Bool)
    case tracking
    /// Tracked, and lost the sky `lost` seconds ago.
    case searching(lost: Double)
  }

  package private(set) var phase = Phase.off
  private var parameters: Parameters
  private let places: [Environment: Parameters]
  private var environment: Environment?
  private let times: Draw
  private let failures: Draw
  private let ages: Draw
  private var starts: UInt64 = 0
  /// The instant up to which the time of the present acquisition has been counted.
  private var countedTo = EngineInstant.zero
  private var ephemerisFrom: EngineInstant?
  /// Seconds for which it goes on after it was switched off.
  private let hold: Double
  /// The time at which an unused receiver will be off; `nil` while it is in use, or is off.
  private var heldUntil: EngineInstant?
  /// The time at which the modem returns the shared radio; `nil` while the receiver has it.
  package private(set) var blockedUntil: EngineInstant?

  /// Seconds without sky that tracking survives [ours].
  package static let bridged = 60.0

  /// `places` replaces `parameters` in the environments that it names, once `enter` gives the environment.
  ///
  /// `hold`: seconds, 0 for a receiver that is switched directly.
  package init(
    seed: UInt64, parameters: Parameters, places: [Environment: Parameters] = [:], hold: Double = 0
  ) {
    self.parameters = parameters
    self.hold = hold
    self.places = places
    times = Draw(seed: seed, purpose: .acquisition)
    failures = Draw(seed: seed, purpose: .acquisitionFailure)
    ages = Draw(seed: seed, purpose: .ephemerisAge)
  }

  /// Switches the receiver on; nothing happens if it already is.
  package mutating func switchOn(at now: EngineInstant) {
    release(at: now)
    heldUntil = nil
    guard phase == .off else { return }
    begin(at: now)
  }

  /// Switches the receiver off; with a hold it goes on for that long.
  package mutating func switchOff(at now: EngineInstant = .zero) {
    guard phase != .off, heldUntil == nil else { return }
    heldUntil = now.advanced(bySeconds: hold)
    release(at: now)
  }

  /// Releases a held receiver when its time is over.
  private mutating func release(at now: EngineInstant) {
    guard let due = heldUntil, due <= now else { return }
    heldUntil = nil
    phase = .off
  }

  /// Whether its fixes are requested.
  package var isInUse: Bool { phase != .off && heldUntil == nil }

  /// Whether it hears satellites while it searches in this second, `nil` if it does not search: too few of them are in
  /// an acquisition that fails.
  package func hears(hasSky: Bool) -> Bool? {
    guard isInUse else { return nil }
    let isOpen = hasSky && blockedUntil == nil
    return switch phase {
    case .off, .tracking: nil
    case .acquiring(_, _, let fails): isOpen && !fails
    case .searching: isOpen
    }
  }

  /// Notes a gap in the trace that ends now: a receiver that tracked must acquire again.
  package mutating func lostTrack(at now: EngineInstant) {
    release(at: now)
    if phase != .off { begin(at: now) }
  }

  /// Notes that the device is in a place of this environment.
  package mutating func enter(_ environment: Environment, at now: EngineInstant) {
    guard environment != self.environment else { return }
    self.environment = environment
    guard let parameters = places[environment] else { return }
    self.parameters = parameters
    if case .acquiring(_, _, fails: true) = phase { begin(at: now) }
  }

  /// Gives the radio to the modem until `instant`, which is in the future, or returns it (`nil`).
  package mutating func block(until instant: EngineInstant?) { blockedUntil = instant }

  /// Advances by a second with or without sky; returns whether there is a fix now.
  ///
  /// A held receiver's fixes are dropped.
  package mutating func tick(hasSky: Bool, at now: EngineInstant) -> Bool {
    release(at: now)
    let hasFix = track(hasSky: hasSky && blockedUntil == nil, at: now)
    return hasFix && heldUntil == nil
  }

  private mutating func track(hasSky: Bool, at now: EngineInstant) -> Bool {
    switch phase {
    case .off: return false
    case .tracking:
      if hasSky {
        ephemerisFrom = now
        return true
      }
      phase = .searching(lost: 1)
      return false
    case .acquiring(let start, let remaining, let fails):
      let left = remaining - EngineInstant.seconds(from: countedTo, to: now)
      countedTo = now
      guard hasSky else { return false }
      if left > 0 {
        phase = .acquiring(start, remaining: left, fails: fails)
        return false
      }
      if fails {
        begin(at: now)
        return false
      }
      phase = .tracking
      ephemerisFrom = now
      return true
    case .searching(let lost):
      if hasSky && lost <= Self.bridged {
        phase = .tracking
        return true
      }
      if hasSky {
        begin(at: now)
      } else {
        phase = .searching(lost: lost + 1)
      }
      return false
    }
  }

  private mutating func begin(at now: EngineInstant) {
    countedTo = now
    let start = self.start(at: now)
    let acquisition = parameters.acquisition(for: start)
    let counter = starts
    starts += 1
    guard failures.uniform(counter) >= acquisition.failure else {
      phase = .acquiring(start, remaining: parameters.timeout, fails: true)
      return
    }
    var seconds = acquisition.seconds
    if parameters.isDrawn {
      // Mean of a log-normal is exp(μ + σ²/2), so μ = ln(mean) − σ²/2 keeps the stated mean.
      let sigma = 0.5
      let normal = times.normalPair(counter).0
      seconds *= exponential(sigma * normal - sigma * sigma / 2)
    }
    phase = .acquiring(start, remaining: min(seconds, parameters.timeout), fails: false)
  }

  private func start(at now: EngineInstant) -> ReceiverStart {
    parameters.starts.start(
      age: ephemerisFrom.map { EngineInstant.seconds(from: $0, to: now) },
      draw: ages.uniform(starts))
  }
}
