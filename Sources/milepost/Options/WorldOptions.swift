// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LocationEngine
import LocationModel
import RadioPower
import RadioWorld
import Replay

extension RadioWorld.Environment: ExpressibleByArgument {}
extension Receiver.Start: ExpressibleByArgument {}

/// How times to first fix come about.
enum AcquisitionTimes: String, ExpressibleByArgument, CaseIterable {
  case drawn
  case mean
}

/// The world around the trace: everything that it does not say.
struct WorldOptions: ParsableArguments {
  @Option(help: "Where the device is carried: decides time to first fix and error.")
  var environment = RadioWorld.Environment.pocket

  @Option(help: "What the receiver knows at its first start.")
  var start = Receiver.Start.cold

  @Option(help: "Times to first fix: drawn around their mean, or the mean.")
  var ttff = AcquisitionTimes.drawn

  @Option(
    help: ArgumentHelp(
      "Rules of which generation of the system: ios4, ios7, ios13 or today (default: ios4).",
      valueName: "era"),
    transform: Self.era)
  var era: Era = .ios4

  @Option(
    help: ArgumentHelp(
      "Seed of everything that is drawn; the same seed, the same bytes (default: 1)."),
    transform: { try Number.seed($0) })
  var seed: UInt64 = 1

  @Option(
    help: ArgumentHelp(
      "Metres between the synthetic cell towers (default: 800).", valueName: "metres"),
    transform: { try Number.positive($0) })
  var cellSpacing = 800.0

  @Option(
    help: ArgumentHelp(
      "Error of network positions per axis (default: 0.4 of the cells' spacing).",
      valueName: "metres"),
    transform: { try Number.zeroOrMore($0) })
  var networkError: Double?

  @Flag(help: "The receiver's supply is cut while it is off; every start is cold then.")
  var vbusOff = false

  @Option(
    help: ArgumentHelp(
      "When the app sends what was delivered: none, each, seconds=N, count=N or piggyback=N, which "
        + "goes in an open tail, else at most N s late (default: none).", valueName: "policy"),
    transform: Self.upload)
  var upload: UploadPolicy = .none

  @Option(
    help: ArgumentHelp("Bytes sent for one delivery (default: 10240).", valueName: "bytes"),
    transform: { try Number.bytes($0) })
  var uploadBytes = 10_240

  @Option(
    help: ArgumentHelp(
      "Distance from the last delivered position at which the app is called blind (default: 500).",
      valueName: "metres"),
    transform: { try Number.positive($0) })
  var blindDistance = 500.0

  /// Writes these into the options of a replay.
  func apply(to options: inout ReplayOptions) {
    options.rules.era = era
    options.seed = seed
    options.environment = environment
    options.firstStart = start
    options.drawsAcquisition = ttff == .drawn
    options.cellSpacing = cellSpacing
    options.networkError = networkError
    options.uploads = upload
    options.itemBytes = uploadBytes
    options.blindDistance = blindDistance
    if vbusOff { options.device.gnssWhenOff = .vbusOff }
  }

  private static func upload(_ text: String) throws -> UploadPolicy {
    if let policy = UploadPolicy(text) { return policy }
    throw ValidationError(
      "there is no upload policy '\(text)'; known: \(UploadPolicy.forms.joined(separator: ", ")), "
        + "with N above 0")
  }

  private static func era(_ text: String) throws -> Era {
    if let era = Era.named(text) { return era }
    let names = Era.all.map(\.name).joined(separator: ", ")
    throw ValidationError("there is no era '\(text)'; known: \(names)")
  }
}
