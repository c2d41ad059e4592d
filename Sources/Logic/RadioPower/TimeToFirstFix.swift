// SPDX-License-Identifier: Apache-2.0

// A receiver's TTFF. Datasheets say 1 s for a hot start; a field test of 144 fixes a day on ten modules
// implies 11 to 27 s. So the time comes from a table by environment, scaled by the device: its stated
// hot start over 6 s, the table's hot start under open sky.
//
// Estimates, fitted to that field test; the distribution around the mean is log-normal with σ_ln = 0.5,
// clipped at the acquisition timeout. Indoors a receiver without ephemeris is assumed never to get a fix.
//
//     seconds (failures)   assisted    hot         warm        cold
//     open sky             2           6           27          32
//     pocket, urban        5           12          40          50
//     indoors, canyon      15 (20 %)   25 (30 %)   (100 %)     (100 %)
//
// A phone has assistance at each start: of 14 that iPhones 6 made in pockets, to track for an app that had waited at a
// geofence, 12 took 2.3 to 14.8 s, 3.9 s in the middle and 5.0 s in the mean, those after 2.4 to 4 h without the receiver
// 3.0 to 7.0 s (`Tools/check-phones` counts them in MobilityNet's days).

import LocationModel

/// What a receiver knows when it starts.
package enum ReceiverStart: String, Sendable, CaseIterable {
  /// Nothing.
  case cold
  /// Almanac, time and position, but no ephemeris.
  case warm
  /// The receiver's own ephemeris, at most about 4 h old.
  case hot
  /// Ephemeris fetched over the network.
  case assisted

  /// The meter's state while it searches.
  package var state: Activity.GNSSState {
    switch self {
    case .assisted: .acquireAssisted
    case .hot: .acquireHot
    case .warm: .acquireWarm
    case .cold: .acquireCold
    }
  }
}

/// The sky as the antenna sees it.
package enum ReceiverEnvironment: String, Sendable, CaseIterable {
  case open
  case pocket
  case indoors
}

/// The expected course of an acquisition.
package struct AcquisitionOutlook: Sendable, Equatable {
  /// Mean TTFF, seconds, if there is a fix; at most the device's nominal timeout.
  package let mean: Double
  /// 0 to 1; a failed acquisition lasts until the timeout.
  package let failureProbability: Double
}

/// Which starts a receiver makes.
package struct ReceiverStarts: Sendable, Equatable {
  /// What it knows at a start after it has tracked.
  package enum Knowledge: Sendable, Equatable {
    /// What it heard, by its age (`Ephemeris`).
    case byAge
    /// Assistance data, each time.
    case assistance
    /// Nothing: its supply is cut while it is off.
    case nothing
  }

  /// The start of a receiver that has not tracked yet.
  package var first: ReceiverStart
  package var later: Knowledge

  package init(first: ReceiverStart = .cold, later: Knowledge = .byAge) {
    (self.first, self.later) = (first, later)
  }

  /// The start of one that has tracked lately.
  package var usual: ReceiverStart {
    switch later {
    case .byAge: .hot
    case .assistance: .assisted
    case .nothing: .cold
    }
  }

  /// The start of one that tracked `age` seconds ago, `nil` if it never did. Where an ephemeris of that age may fit or
  /// not, `draw`, from 0 to 1, decides; one half is the likelier.
  package func start(age: Double?, draw: Double = 0.5) -> ReceiverStart {
    guard let age else { return first }
    guard later == .byAge else { return usual }
    if age > Ephemeris.almanacServes { return .cold }
    return draw < Ephemeris.chanceOfHotStart(age: age) ? .hot : .warm
  }
}

extension DeviceProfile {
  /// Those of its receiver, if nothing is known of its past.
  package var starts: ReceiverStarts {
    if platform == .phone { return .init(first: .assisted, later: .assistance) }
    return .init(later: forgetsWhenOff ? .nothing : .byAge)
  }

  /// The expected TTFF for a start and an environment, by the table above.
  package func timeToFirstFix(
    start: ReceiverStart, environment: ReceiverEnvironment
  ) -> AcquisitionOutlook {
    let timeout = acquisitionTimeout.nominal
    let (seconds, failure): (Double, Double) =
      switch (environment, start) {
      case (.open, .assisted): (2, 0)
      case (.open, .hot): (6, 0)
      case (.open, .warm): (27, 0)
      case (.open, .cold): (32, 0)
      case (.pocket, .assisted): (5, 0)
      case (.pocket, .hot): (12, 0)
      case (.pocket, .warm): (40, 0)
      case (.pocket, .cold): (50, 0)
      case (.indoors, .assisted): (15, 0.2)
      case (.indoors, .hot): (25, 0.3)
      case (.indoors, .warm), (.indoors, .cold): (.infinity, 1)
      }
    let scale = statedTimeToFirstFix(.hot).nominal / 6
    return AcquisitionOutlook(mean: min(seconds * scale, timeout), failureProbability: failure)
  }
}
