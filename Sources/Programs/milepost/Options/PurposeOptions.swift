// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSONText
import LocationModel
import Replay
import Reports

extension Purpose: ExpressibleByArgument {}

/// What the app must know, and how well.
struct PurposeOptions: ParsableArguments {
  @Option(
    name: .customLong("for"),
    help: "What the app must know: the way, arrivals, crossings of a place's border, or its area.")
  var purpose: Purpose?

  @Option(
    help: ArgumentHelp(
      "With --for: how far off (100m), how late (10min) or how often right (95%) is good enough.",
      valueName: "tolerance"))
  var within: String?

  @Option(
    help: ArgumentHelp(
      "With --for fence: the circle around each place of the trip (default: 150m).",
      valueName: "metres"),
    transform: { try PurposeOptions.radius($0) })
  var radius: Double?

  func validate() throws {
    if within != nil, purpose == nil {
      throw ValidationError(
        "--within is the tolerance of a purpose; name it too: --for track, arrival, fence or area")
    }
    if radius != nil, purpose != .fence {
      throw ValidationError("--radius is of a fence; write --for fence too")
    }
    _ = try tolerances()
  }

  /// The tolerances that the answers are within.
  func tolerances() throws -> Tolerances {
    guard let purpose, let within else { return .usual }
    do {
      return Tolerances(try Tolerance(within, for: purpose))
    } catch {
      throw ValidationError("--within: \(error)")
    }
  }

  private static func radius(_ text: String) throws -> Double {
    let radius = try Amount.distance(text)
    guard MonitoredRegion.radii.contains(radius) else {
      throw ValidationError(
        "a fence's radius is from \(Int(MonitoredRegion.radii.lowerBound)) to "
          + "\(Int(MonitoredRegion.radii.upperBound)) m")
    }
    return radius
  }
}
