// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// The costs of deliveries, for a clairvoyant's schedule and for every policy's run; joules above the baseline.
package struct EventCosts: Sendable, Equatable {
  /// Paid whatever is delivered: the resting receiver, the app's time in the foreground.
  package var standing = 0.0
  /// One delivery to an app that runs.
  package var delivery = 0.0
  /// The surcharge for an app that must be woken, or started anew.
  package var wake = 0.0
  package var launch = 0.0
  /// Watts of the processor while it is awake, and seconds that an app works after a wake.
  package var awakeWatts = 0.0
  package var workTime = 0.0
  /// Until then the app is awake anyway; never ends for an app that stays in the foreground.
  package var awakeUntil = EngineInstant.zero
  /// Seconds of suspension after which an app must be started anew.
  package var purgesAfter = Double.infinity
  /// The surcharge for an upload, and its duration in seconds; not charged if the segment ends earlier.
  package var upload = 0.0
  package var uploadTail = 0.0
  /// The surcharge for a session of the receiver, or the whole price of a network position.
  package var session = 0.0
  /// Watts and seconds of a receiver that goes on after a session; not charged if the segment ends earlier, nor after
  /// the last session.
  package var holdWatts = 0.0
  package var hold = 0.0
  /// Watts of a session while it searches, processor included, and of the first one.
  package var acquisitionWatts = 0.0
  package var firstAcquisitionWatts = 0.0
  /// Seconds after which a receiver that hears no satellite is switched off again; infinite if it does not report this.
  package var silence = Double.infinity
  /// Watts of a receiver that stays on between two deliveries; infinite if it never does.
  package var stayOnWatts = Double.infinity
  /// Seconds of the acquisitions: one for the first delivery, then one for each that follows.
  package var acquisitions: [Double] = []

  package init() {}

  /// Joules of the acquisitions for `sessions` sessions; the last known one stands for those not drawn.
  func acquired(_ sessions: Int) -> Double {
    guard sessions > 0, let first = acquisitions.first else { return 0 }
    let hot = acquisitions.dropFirst().prefix(sessions - 1).reduce(0, +)
    let undrawn = max(0, sessions - acquisitions.count)
    let rest = undrawn > 0 ? Double(undrawn) * (acquisitions.dropFirst().min() ?? 0) : 0
    return first * firstAcquisitionWatts + (hot + rest) * acquisitionWatts
  }

  /// Mean seconds of the acquisitions after the first; 0 if none are made.
  var meanLaterAcquisition: Double {
    let later = acquisitions.count > 1 ? acquisitions.dropFirst() : acquisitions[...]
    return later.isEmpty ? 0 : later.reduce(0, +) / Double(later.count)
  }

  /// Seconds of the acquisitions for `sessions` sessions; 0 if none are made.
  func acquiring(_ sessions: Int) -> Double {
    let undrawn = max(0, sessions - acquisitions.count)
    return acquisitions.prefix(sessions).reduce(0, +)
      + Double(undrawn) * (acquisitions.dropFirst().min() ?? 0)
  }

  /// Joules of one delivery without its acquisition. `before` is the delivery before it, `left` the
  /// seconds until the segment ends.
  func event(at now: EngineInstant, before: EngineInstant, left: Double) -> Double {
    let suspended = max(awakeUntil, before.advanced(bySeconds: workTime))
    let sent = left > uploadTail ? upload : 0
    guard now > suspended else { return session + delivery + sent }
    let isGone = EngineInstant.seconds(from: suspended, to: now) > purgesAfter
    return session + delivery + sent + (isGone ? launch : wake) + awakeWatts * min(workTime, left)
  }

  /// Joules of the hold after a session that ended `left` seconds before its segment.
  func held(left: Double) -> Double { holdWatts * min(hold, max(0, left)) }

  /// The least cost of a delivery after the first, without its acquisition, if deliveries are further apart than
  /// the app works.
  var leastEvent: Double {
    awakeUntil == .never ? session + delivery : session + delivery + min(wake, launch)
  }
}

extension EngineInstant {
  /// Later than any trace.
  package static let never = EngineInstant(microseconds: .max / 4)
}
