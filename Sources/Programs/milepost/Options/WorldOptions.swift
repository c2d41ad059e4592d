// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FixFormats
import JSONText
import LocationEngine
import LocationModel
import RadioPower
import RadioWorld
import Replay
import TraceFiles
import Wording

extension SimulatedReceiver.Start: ExpressibleByArgument {}

/// The place where the device is carried.
enum SurroundingsName: String, ExpressibleByArgument, CaseIterable {
  case open, pocket, indoors
  /// Seeded places along the way.
  case mixed

  /// The environment outside of all places.
  var usual: RadioWorld.Environment { .init(rawValue: rawValue) ?? .pocket }
}

/// The source of times to first fix (TTFF).
enum AcquisitionTimes: String, ExpressibleByArgument, CaseIterable {
  case drawn
  case mean
}

/// The knowledge of access points.
enum WiFiChoice: Equatable {
  /// As suits the device.
  case auto
  case coverage(WiFiCoverage)
}

/// The world around the trace: everything that the trace does not contain.
struct WorldOptions: ParsableArguments {
  @Option(
    help: "Where the device is carried: decides time to first fix and error; mixed: place by place."
  )
  var environment = SurroundingsName.pocket

  @Option(
    help: "What the receiver knows at its first start (default: assisted for a phone, else cold).")
  var start: SimulatedReceiver.Start?

  @Option(help: "Times to first fix: drawn around their mean, or the mean.")
  var ttff = AcquisitionTimes.drawn

  @Option(
    help: ArgumentHelp(
      "Rules of which generation of the system: ios4, ios7, ios13 or today (default: that of a scenario's file, "
        + "else today). The built-in apps meet none in which these differ; compare --eras has apps that do.",
      valueName: "era"),
    completion: .list(Era.all.map(\.name)), transform: Self.era)
  var era: Era?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Seed of everything that is drawn; the same seed, the same bytes (default: 1)."),
    transform: { try Number.seed($0) })
  var seed: UInt64 = 1

  @Option(
    number: "Metres between the synthetic cell towers, 50 to 100000 (default: 800).", "metres",
    read: { try Number.inside($0, TowerGrid.spacings) })
  var cellSpacing = 800.0

  @Option(file: "Real towers instead of synthetic ones: a list in OpenCelliD's CSV.")
  var towers: String?

  @Option(
    help: ArgumentHelp(
      "Share of places where network positions are good to 25 m: auto (0.95 where one stays, 0.8 on the way, "
        + "0.1 above 60 km/h; none for a device without Wi-Fi), on (0.5), off, or 0 to 1 (default: auto).",
      valueName: "density"),
    transform: Self.coverage)
  var wifiIslands = WiFiChoice.auto

  @Option(
    number: "Error of network positions per axis (default: 0.4 of the cells' spacing).", "metres")
  var networkError: Double?

  @Option(
    number: "Share of fixes that go missing between receiver and system, 0 to 0.8 (default: 0).",
    "share",
    read: { try Number.inside($0, 0...FixLoss.most) })
  var loss = 0.0

  @OptionGroup var motion: MotionOptions
  @Option(
    number:
      "By how much the receiver's errors and claimed accuracies are larger, 0.01 to 100 (default: 1).",
    "factor", read: { try Number.inside($0, 0.01...100) })
  var noise = 1.0

  @Option(
    number:
      "How long the receiver goes on after nobody asks any more: 0 where it is switched directly, "
      + "60 behind gpsd (default: 0).", "seconds")
  var receiverHold = 0.0

  @Flag(help: "The receiver's supply is cut while it is off; every start is cold then.")
  var vbusOff = false

  @Option(
    help: ArgumentHelp(
      "When the app sends what was delivered: none, each, seconds=N, count=N or piggyback=N, which "
        + "goes in an open tail, else at most N s late (default: none).", valueName: "policy"),
    transform: Self.upload)
  var upload: UploadPolicy = .none

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Bytes of one delivery when it is sent: some 200 as JSON, 11 as Cayenne LPP for LoRa (default: 200).",
      valueName: "bytes"),
    transform: { try Number.bytes($0) })
  var uploadBytes = 200

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Bytes that each transfer adds: TCP, a TLS session that is resumed, MQTT; not for LoRa, whose headers "
        + "are counted for themselves (default: 700).", valueName: "bytes"),
    transform: { try Number.bytes($0) })
  var uploadOverhead = 700

  @Option(
    number:
      "Distance from the last delivered position at which the app is called blind (default: 500).",
    "metres",
    read: { try Number.positive($0) })
  var blindDistance = 500.0

  /// Writes these into the options of a replay.
  func apply(to options: inout ReplayOptions) {
    options.rules.era = era ?? .usual
    options.seed = seed
    options.environment = environment.usual
    options.mixesEnvironments = environment == .mixed
    if let start { options.firstStart = start }
    options.drawsAcquisition = ttff == .drawn
    options.cellSpacing = cellSpacing
    options.networkError = networkError
    if case .coverage(let coverage) = wifiIslands { options.wifiIslands = coverage }
    motion.apply(to: &options)
    options.fixLoss = loss
    options.noise = noise
    options.towerList = towers.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
    options.uploads = upload
    options.itemBytes = uploadBytes
    options.overheadBytes = uploadOverhead
    options.blindDistance = blindDistance
    options.receiverHold = receiverHold
    if vbusOff { options.device.gnssWhenOff = .vbusOff }
  }

  /// Adds the towers that a trace can hear to the options of its replay.
  func placeTowers(for input: TraceInput, in options: inout ReplayOptions) throws {
    guard let towers, let name = options.towerList else { return }
    var area = TrackArea()
    try input.forEachPiece(isReported: false) { events in
      for fix in events.lazy.compactMap(\.fix) { area.include(fix.coordinate) }
    }
    let found = try TowerFile.read(towers, near: area)
    guard found.map.count > 0 else {
      throw Complaint(
        "\(name): none of its \(found.read) towers lies within 35 km of \(input.file.name); "
          + "take a list of that country, or leave --towers out for synthetic cells")
    }
    let silent = area.places.count { found.map.towers(around: $0).isEmpty }
    let holes =
      silent == 0
      ? ""
      : "; none within 35 km in \(silent) of the \(area.places.count) squares of 0.25° on the way, "
        + "where no change of cell is heard"
    Console.remark(
      "\(name): \(Figures.count(found.map.count, "tower", "towers")) near \(input.file.name), of "
        + found.networks.joined(separator: " and ") + holes)
    options.towers = found.map
  }

  private static func coverage(_ text: String) throws -> WiFiChoice {
    switch text {
    case "auto": return .auto
    case "on": return .coverage(.usual)
    case "off": return .coverage(.none)
    default:
      guard let share = Double(text), (0...1).contains(share) else {
        throw ValidationError("'\(text)' is not auto, on, off or a number from 0 to 1")
      }
      return .coverage(.share(share))
    }
  }

  private static func upload(_ text: String) throws -> UploadPolicy {
    if let policy = UploadPolicy(text) { return policy }
    throw ValidationError(
      "there is no upload policy '\(text)'; known: \(UploadPolicy.forms.joined(separator: ", ")), "
        + "with N above 0 and at most 1000000000")
  }

  private static func era(_ text: String) throws -> Era {
    if let era = Era.named(text) { return era }
    let names = Era.all.map(\.name).joined(separator: ", ")
    throw ValidationError("there is no era '\(text)'; known: \(names)")
  }
}
