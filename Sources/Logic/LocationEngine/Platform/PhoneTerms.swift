// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

/// The rules of a phone's daemon: the one table of its numbers.
///
/// Tags: *[fit]* fitted by `Tools/fit-phones` to the odd runs of MobilityNet (its travel days in California, 2019 and
/// 2020; checked on the even ones); *[doc]* the vendor's documentation; *[ours]* decided here, no source. What a fitted
/// number stands for is an assumption: only the times at which the phones told are measured.
package struct PhoneTerms: Sendable, Equatable {
  /// When a crossing of a region's border counts.
  package var regions: RegionTerms
  /// Seconds from one look to the next while the phone moves.
  package var looksEvery: Double
  /// From coming near a place until it is a visit.
  package var arrival: Wait
  /// From the first position away from the place of a visit until it is over.
  package var departure: Wait

  /// Metres around the place of a visit; farther away the phone has left it [ours: the region of MobilityNet's apps].
  package static let stayRadius = 100.0
  /// Seconds without a motion event that are a rest [ours: two windows of the sensor, and a half].
  package static let restsAfter = 25.0
  /// The same without a motion sensor, where changes of cell stand for it [ours].
  package static let restsAfterCell = 300.0
  /// Seconds from a vain look to the next for the same reason, doubled each time up to `looksAgainAtMost` [ours].
  package static let looksAgain = 30.0
  package static let looksAgainAtMost = 480.0
  /// Metres per second at which the phone may come nearer to a border, at least; and twice its latest pace [ours: a
  /// bicycle, 18 km/h].
  static let leastPace = 5.0
  /// Seconds from one look to the next while the phone moves, at most [ours: as rarely as a significant change is told].
  static let looksAtMost = 300.0
  /// A position coarser than this is none of Wi-Fi, metres [field: iPhones claim 65 m].
  static let coarse = 100.0

  /// A time that is drawn: never less than `least`, and a log-normal one more.
  package struct Wait: Sendable, Equatable {
    /// Seconds.
    package var least: Double
    /// The median of what is added, seconds.
    package var median: Double
    /// σ of its natural logarithm.
    package var spread: Double

    func seconds(_ normal: Double) -> Double { least + median * exponential(spread * normal) }
  }
}

extension PhoneTerms {
  /// iPhone 6, iOS 12.3: 42 exits, 51 departures, 96 arrivals.
  ///
  ///                 measured: p10, p50, p90 after the true start or end of the trip
  ///     exit        162, 240, 327 s; told 225 to 247 m from the middle of a circle of 100 m
  ///     departure   479, 548, 775 s
  ///     arrival     −9, 104, 373 s, 6 of 96 missed
  ///
  /// A position decides a border from twice its accuracy on, or if it is as good as Wi-Fi's [ours]: 0 false exits were
  /// told in 113 h of stays.
  static let iOS12 = Self(
    regions: RegionTerms(cushion: 40, certainty: 2, fine: 100),  // [fit]; 200 m are quoted of Apple
    looksEvery: 45,  // [fit]: 60 does as well
    arrival: Wait(least: 85, median: 45, spread: 1.15),  // [fit]
    departure: Wait(least: 360, median: 15, spread: 0.9))  // [fit]

  /// Nexus 6, Android 6: 33 exits at 130, 172 and 362 s (p10, p50, p90), told 140 to 153 m from the middle. Android has
  /// no visits; those of the iPhone stand for what an app makes of its own.
  static let android6 = Self(
    regions: RegionTerms(cushion: 10, certainty: 2, fine: 100),  // [fit]
    looksEvery: AndroidRelease.android6.geofenceLooks,
    arrival: iOS12.arrival, departure: iOS12.departure)

  /// A later release looks as rarely as it is documented to, "approximately two minutes"; all else is as it was measured on
  /// Android 6.
  static func android(_ release: AndroidRelease) -> Self {
    var terms = android6
    terms.looksEvery = release.geofenceLooks
    return terms
  }
}
