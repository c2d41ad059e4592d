// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSONText
import LocationModel
import RadioPower
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
      "Instead of a tolerance: what the mode may cost over the trace, of a full battery (1%) or as energy or power; "
        + "also %/h, %/day, mWh, mWh/day, mW. Of the modes that cost no more, the best one is named.",
      valueName: "amount"))
  var budget: String?

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
    if within != nil, budget != nil {
      throw ValidationError(
        "--within asks for the cheapest mode that is good enough, --budget for the best that is cheap enough; leave one "
          + "out")
    }
    if radius != nil, purpose != .fence {
      throw ValidationError("--radius is of a fence; write --for fence too")
    }
    _ = try tolerances()
  }

  /// The tolerances that the answers are within.
  func tolerances() throws -> Tolerances {
    if let budget {
      do {
        return Tolerances(budget: try Budget(budget))
      } catch {
        throw ValidationError("--budget: \(error)")
      }
    }
    guard let purpose, let within else { return .usual }
    do {
      return Tolerances(try Tolerance(within, for: purpose))
    } catch {
      throw ValidationError("--within: \(error)")
    }
  }

  /// Refuses a budget in shares of a battery for a device that has none.
  func check(_ device: DeviceProfile) throws {
    guard let budget = try tolerances().budget, budget.unit.needsBattery,
      device.battery.nominal == 0
    else { return }
    throw Complaint("--budget: \(device.name) has no battery; write mWh, mWh/day or mW")
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
