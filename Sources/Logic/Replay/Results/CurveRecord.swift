// SPDX-License-Identifier: Apache-2.0

package import Geodesy
package import LocationModel

/// The data for a picture of one run, besides its totals; bounded, whatever the length of the trace.
package struct CurveRecord: Sendable, Equatable {
  /// Joules above the baseline, from the start.
  package var energy: Curve
  /// Metres from the true position to the last delivered one.
  package var distance: Curve
  package var track = TrackLine()
  /// The places of deliveries, thinned out if there are many; `deliveries` counts them all.
  package var places: [Coordinate] = []
  package var deliveries = 0
  /// The first `wakeupLimit` wakes or relaunches of the app, and their total number.
  package var wakeups: [Wakeup] = []
  package var wakeupCount = 0
  /// The first `crossingLimit` times that the app became blind, and their total number.
  package var crossings: [Crossing] = []
  package var crossingCount = 0
  /// The number of all crossings that ended with a delivery.
  package var answeredCount = 0
  /// The longest of all crossings; exact.
  package var longest: Crossing?
  /// Exact totals of each day, by `clock`.
  package var days: [DayTotal] = []
  /// The first arrivals and departures that were judged, in order.
  package internal(set) var stays: [StayEvent] = []
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
  /// The number of separate days; later ones count with the last.
  package static let dayLimit = 400

  /// An arrival at a place or a departure from one, by the truth.
  package struct StayEvent: Sendable, Equatable {
    package let isArrival: Bool
    package let time: UTCInstant
    package let place: Coordinate
    /// Seconds until the app was told of it, those left out in which nobody could know the place; `nil` if it was missed.
    package let delay: Double?
  }

  /// The app was woken, or started anew.
  package struct Wakeup: Sendable, Equatable {
    package var time: UTCInstant
    package var isLaunch: Bool
    package var reason: WakeReason
    /// The true place of the device.
    package var place: Coordinate
    /// Metres from there to the last delivered position.
    package var distance: Double
    /// The distance moved in the accompanying delivery; `nil` if there was none.
    package var moved: Double?
    package var since: Double?
    package var accuracy: Double?
  }

  /// A stretch of blindness, from the crossing of the limit on.
  package struct Crossing: Sendable, Equatable {
    package enum Ending: Sendable {
      case delivered
      /// The device came back by itself.
      case returned
      /// The trace ended, or a gap hides it.
      case unknown
    }

    /// Seconds from the start.
    package var at: Double
    package var time: UTCInstant
    /// Its duration, seconds.
    package var lasted: Double
    /// Metres from the last delivered position when it ended, and at most.
    package var distance: Double
    package var furthest: Double
    package var ending: Ending
  }

  /// A stretch of time without a known position.
  package struct Gap: Sendable, Equatable {
    /// Seconds from the start, on the engine's axis.
    package var from: Double
    package var to: Double
    /// The time of its end.
    package var resumed: UTCInstant

    package init(from: Double, to: Double, resumed: UTCInstant) {
      (self.from, self.to, self.resumed) = (from, to, resumed)
    }
  }

  /// The totals of one day.
  package struct DayTotal: Sendable, Equatable {
    package var date: CivilDate
    /// Seconds with known truth.
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
