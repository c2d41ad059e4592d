// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LocationEngine
import RadioPower
import Replay

/// The reach of the world's motion sensor, if it differs from the device's profile. A policy still uses the profile's,
/// unless there is no sensor at all.
struct MotionOptions: ParsableArguments {
  @Option(
    number:
      "What the motion sensor judges at once; it fires half of that to one and a half after a "
      + "start (default: the profile's).",
    "seconds", read: { try Number.positive($0) })
  var motionLag: Double?

  @Option(
    number: "Share of such windows in which it feels steps (default: the profile's).", "share",
    read: { try Number.inside($0, 0...1) })
  var motionSteps: Double?

  @Option(
    number: "The same of a ride that shakes it (default: the profile's).", "share",
    read: { try Number.inside($0, 0...1) })
  var motionRide: Double?

  @Option(
    number: "Share of rides that are too smooth to be felt at all (default: the profile's).",
    "share", read: { try Number.inside($0, 0...1) })
  var motionSmooth: Double?

  @Option(
    number: "How often it fires for nothing (default: the profile's).", "per-hour",
    read: { try Number.inside($0, 0...3_600) })
  var motionFalseAlarms: Double?

  @Flag(help: "The device has no motion sensor, whatever its profile says.")
  var noMotionSensor = false

  func apply(to options: inout ReplayOptions) {
    options.motion.window = motionLag ?? options.motion.window
    options.motion.steps = motionSteps ?? options.motion.steps
    options.motion.ride = motionRide ?? options.motion.ride
    options.motion.smooth = motionSmooth ?? options.motion.smooth
    options.motion.falseAlarms = motionFalseAlarms ?? options.motion.falseAlarms
    if noMotionSensor { options.device.hasMotionSensor = false }
  }
}
