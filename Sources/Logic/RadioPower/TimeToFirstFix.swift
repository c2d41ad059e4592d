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

/// What a receiver knows when it starts.
package enum ReceiverStart: String, Sendable, CaseIterable {
  /// Ephemeris fetched over the network.
  case assisted
  /// The receiver's own ephemeris, at most about 4 h old.
  case hot
  /// Almanac, time and position, but no ephemeris.
  case warm
  /// Nothing.
  case cold

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

extension DeviceProfile {
  /// Whether each start of its receiver has assistance data.
  package var isAssisted: Bool { platform == .phone }

  /// The start of a receiver that has tracked lately.
  package var usualStart: ReceiverStart { isAssisted ? .assisted : .hot }

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
