// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Geodesy
import LocationModel

/// `--region home=55.6761,12.5683,200`.
enum RegionOption {
  static func region(_ text: String) throws -> MonitoredRegion {
    let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard sides.count == 2, let (centre, radius) = CircleText.readCircle(sides[1])
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

  /// Refuses more regions than an app may monitor, and two of one name.
  static func check(_ regions: [MonitoredRegion]) throws {
    if regions.count > MonitoredRegion.limit {
      throw ValidationError(
        "--region is there \(regions.count) times; an app monitors \(MonitoredRegion.limit) regions at most"
      )
    }
    var seen: Set<String> = []
    if let twice = regions.first(where: { !seen.insert($0.identifier).inserted })?.identifier {
      throw ValidationError("--region names '\(twice)' twice; each region has a name of its own")
    }
  }
}
