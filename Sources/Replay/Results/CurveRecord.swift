// SPDX-License-Identifier: Apache-2.0

package import Geodesy
package import LocationModel

/// What a picture of one run needs beside its totals; bounded, whatever the length of the trace.
package struct CurveRecord: Sendable, Equatable {
  /// Joules above the baseline, from the start.
  package var energy: Curve
  /// Metres from the true position to the last delivered one.
  package var distance: Curve
  package var track = TrackLine()
  /// Where positions were delivered, thinned out where there are many; `deliveries` counts them all.
  package var places: [Coordinate] = []
  package var deliveries = 0
  /// The first `wakeupLimit` times that the app was woken or started anew, and how many there were.
  package var wakeups: [Wakeup] = []
  package var wakeupCount = 0
  /// The first `crossingLimit` times that the app became blind, and how many there were.
  package var crossings: [Crossing] = []
  package var crossingCount = 0
  /// How many of all crossings ended with a delivery.
  package var answeredCount = 0
  /// The longest of all crossings; exact.
  package var longest: Crossing?
  /// Exact totals of each day, by `clock`.
  package var days: [DayTotal] = []
  package var start: UTCInstant?
  /// Seconds from the start to the last sample, on the engine's axis.
  package var end = 0.0
  /// The first `gapLimit` gaps of the trace.
  package var gaps: [Gap] = []
  /// Whether the trace's UTC runs along with the engine's axis from the start, and from each of `gaps`, on.
  package var isClockSteady = true
  /// The clock of the place where the trace begins.
  package var clock = LocalClock.utc

  package static let placeLimit = 400
  package static let wakeupLimit = 200
  package static let crossingLimit = 1_000
  package static let gapLimit = 400
  /// How many days are told apart; what comes later counts with the last.
  package static let dayLimit = 400

  /// The app was woken, or started anew.
  package struct Wakeup: Sendable, Equatable {
    package var time: UTCInstant
    package var isLaunch: Bool
    package var reason: WakeReason
    /// Where the device truly was.
    package var place: Coordinate
    /// Metres from there to the position delivered last.
    package var distance: Double
    /// What the delivery that came with it said; `nil` where none did.
    package var moved: Double?
    package var since: Double?
    package var accuracy: Double?
  }

  /// A stretch of being blind, from the crossing of the limit on.
  package struct Crossing: Sendable, Equatable {
    package enum Ending: Sendable {
      case delivered
      /// The device came back by itself.
      case returned
      /// The trace ended, or nobody knows for a gap.
      case unknown
    }

    /// Seconds from the start.
    package var at: Double
    package var time: UTCInstant
    /// Seconds that it lasted.
    package var lasted: Double
    /// Metres from the last delivered position when it ended, and at most.
    package var distance: Double
    package var furthest: Double
    package var ending: Ending
  }

  /// A stretch of time of which nobody knows where the device was.
  package struct Gap: Sendable, Equatable {
    /// Seconds from the start, on the engine's axis.
    package var from: Double
    package var to: Double
    /// When it was over.
    package var resumed: UTCInstant

    package init(from: Double, to: Double, resumed: UTCInstant) {
      (self.from, self.to, self.resumed) = (from, to, resumed)
    }
  }

  /// What one day came to.
  package struct DayTotal: Sendable, Equatable {
    package var date: CivilDate
    /// Seconds of which the truth is known.
    package var judged = 0.0
    package var joules = 0.0
    package var deliveries = 0
    package var wakes = 0
    package var launches = 0
    package var blindSeconds = 0.0
    package var blindMetres = 0.0

    package init(date: CivilDate) { self.date = date }

    package static func += (a: inout Self, b: Self) {
      a.judged += b.judged
      a.joules += b.joules
      a.deliveries += b.deliveries
      a.wakes += b.wakes
      a.launches += b.launches
      a.blindSeconds += b.blindSeconds
      a.blindMetres += b.blindMetres
    }
  }
}
