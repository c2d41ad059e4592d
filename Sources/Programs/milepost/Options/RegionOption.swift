// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Geodesy
import LocationModel

/// `--region home=55.6761,12.5683,200`.
enum RegionOption {
  static func region(_ text: String) throws -> MonitoredRegion {
    let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard sides.count == 2, let (centre, radius) = CircleText.read(sides[1])
    else {
      throw ValidationError(
        "'\(text)' is no region; one is NAME=LATITUDE,LONGITUDE,RADIUS in degrees and metres, such as "
          + "home=55.6761,12.5683,200")
    }
    let region = MonitoredRegion(String(sides[0]), centre: centre, radius: radius)
    guard region.isValid else {
      throw ValidationError(
        "'\(text)': a region's name has 1 to \(MonitoredRegion.identifierLimit) bytes, and its radius is from "
          + "\(Int(MonitoredRegion.radii.lowerBound)) to \(Int(MonitoredRegion.radii.upperBound)) m"
      )
    }
    return region
  }

  /// A repeated name; `nil` if there is none.
  static func repeated(_ regions: [MonitoredRegion]) -> String? {
    var seen: Set<String> = []
    return regions.first { !seen.insert($0.identifier).inserted }?.identifier
  }
}
