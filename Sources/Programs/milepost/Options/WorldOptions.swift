// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FixFormats
import JSONText
import LocationEngine
import LocationModel
import RadioPower
import Replay
import ServiceContract
import SettingsFiles
import TraceFiles

extension ReceiverStart: ExpressibleByArgument {}

/// The place where the device is carried.
enum SurroundingsName: String, ExpressibleByArgument, CaseIterable {
  case open, pocket, indoors
  /// Seeded places along the way.
  case mixed

  /// The environment outside of all places.
  var usual: Environment { .init(rawValue: rawValue) ?? .pocket }
}

/// The world around the trace: everything that the trace does not contain.
struct WorldOptions: ParsableArguments {
  @Option(
    help: "Where the device is carried: decides time to first fix and error; mixed: place by place."
  )
  var environment = SurroundingsName.pocket

  @Option(
    help: "What the receiver knows at its first start (default: assisted for a phone, else cold).")
  var start: ReceiverStart?

  @Option(
    name: .customLong("era"),
    help: ArgumentHelp(
      "Rules of which generation of the system: ios4, ios7, ios13 or today (default: that of a scenario's file, "
        + "else today). The built-in apps meet none in which these differ; compare --era all has apps that do, by the "
        + "rules of all four.",
      valueName: "era"),
    completion: .list(Era.all.map(\.name) + ["all"]), transform: Self.eras)
  private var eras: Eras?

  private enum Eras {
    case one(Era)
    case all
  }

  /// Whether an era was asked for.
  var namesEra: Bool { eras != nil }

  /// The era that was asked for; `nil` if none was, or all.
  var era: Era? {
    switch eras {
    case .one(let era): era
    case .all, nil: nil
    }
  }

  /// Whether eras are to be compared.
  var hasAllEras: Bool {
    switch eras {
    case .all: true
    case .one, nil: false
    }
  }

  /// Refuses to compare eras, for a command that lives by the rules of one.
  func checkOneEra() throws {
    guard hasAllEras else { return }
    throw ValidationError("--era all compares eras, which milepost compare does; name one of them")
  }

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Seed of everything that is drawn; the same seed, the same bytes (default: 1)."),
    transform: { try Number.seed($0) })
  var seed: UInt64 = 1

  @Option(
    file:
      "What the simulated world is like: a YAML file with cells, motion sensor, losses, the system's times; milepost "
      + "schema world has its keys with their defaults, Traces/world.yaml is an example.")
  var world: String?

  @Option(
    help: ArgumentHelp(
      "When the app sends what was delivered: none, each, seconds=N, count=N or piggyback=N, which "
        + "goes in an open tail, else at most N s late (default: none).", valueName: "policy"),
    transform: Self.upload)
  var upload: UploadPolicy = .none

  /// The file of the world, and what it names.
  var files: [String?] { [world, (try? file())?.towers] }

  /// The file of the world; `nil` without one. Throws `Complaint` with all its faults.
  private func file() throws -> WorldFile? {
    guard let world else { return nil }
    let document = try SettingsFile.document(SettingsFile.readBytes(of: world), name: world)
    let folder = world.lastIndex(of: "/").map { String(world[...$0]) } ?? "."
    do throws(SettingsError) {
      return try WorldFile(document.value, file: world, directory: folder)
    } catch {
      throw Complaint(error.located(by: document.lines).message)
    }
  }

  /// Writes these into the options of a replay.
  func apply(to options: inout ReplayOptions) throws {
    options.rules.era = era ?? .usual
    options.seed = seed
    options.environment = environment.usual
    options.mixesEnvironments = environment == .mixed
    if let start { options.firstStart = start }
    options.uploads = upload
    try file()?.apply(to: &options)
  }

  /// Says which keys of the world's file do not matter to the policies of these plans.
  func tellIgnored(by plans: [RunPlan]) throws {
    guard let world, let file = try file() else { return }
    var told: Set<String> = []
    for policy in plans.compactMap(\.policy) where told.insert(policy.name).inserted {
      let keys = file.keys(ignoredBy: policy)
      guard !keys.isEmpty else { continue }
      let verb = keys.count == 1 ? "does" : "do"
      Console.remark(
        "\(InputName.short(world)): \(keys.joined(separator: ", ")) \(verb) not matter to the policy \(policy.name), "
          + "which has numbers of its own")
    }
  }

  /// Adds the towers that a trace can hear to the options of its replay.
  func placeTowers(for input: TraceInput, in options: inout ReplayOptions) throws {
    guard let towers = options.towerFile, let name = options.towerList else { return }
    var area = TrackArea()
    try input.forEachPiece(isReported: false) { events in
      for fix in events.lazy.compactMap(\.fix) { area.include(fix.coordinate) }
    }
    let found = try TowerFile.readTowers(towers, near: area)
    guard found.map.count > 0 else {
      throw Complaint(
        "\(name): none of its \(found.read) towers lies within 35 km of \(input.file.name); "
          + "take a list of that country, or leave towers out for synthetic cells")
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

  private static func upload(_ text: String) throws -> UploadPolicy {
    if let policy = UploadPolicy(text) { return policy }
    throw ValidationError(
      "there is no upload policy '\(text)'; known: \(UploadPolicy.forms.joined(separator: ", ")), "
        + "with N above 0 and at most 1000000000")
  }

  private static func eras(_ text: String) throws -> Eras {
    if text == "all" { return .all }
    if let era = Era.named(text) { return .one(era) }
    let names = (Era.all.map(\.name) + ["all"]).joined(separator: ", ")
    throw ValidationError("there is no era '\(text)'; known: \(names)")
  }
}
