// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FixFormats
import JSONText
import LocationModel
import RadioPower
import Replay
import Reports
import TraceFiles

/// `milepost score TRACE EVENTS`
struct Score: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "score",
    abstract: "Judge a list of deliveries against a trace as the truth.",
    usage: "milepost score [<options>] <trace> [<events> ...]",
    discussion: """
      How many crossings of 500 m were missed, how late and how far beyond the others were delivered, \
      and how many deliveries were spurious. The list is ours (milepost replay --format jsonl) or \
      anybody's: OwnTracks, Overland, gpxlogger, GPX, CSV, GeoJSON, JSON lines. Each delivery is taken \
      at its own time.

      A file X.truth.csv beside the trace X is taken as where the device truly was; --truth none \
      ignores it. The optimum is what a clairvoyant with the device would have needed at least, from \
      the list's first delivery on, with sessions of the receiver.

      Many lists are scored one by one with --partial, on any machine, and added up with --merge; a total has no \
      optimum.

        milepost score trip.gpx overland.geojson
        milepost score --partial trip.gpx overland.geojson >> part.jsonl
        milepost score --merge part.jsonl
        milepost replay -m significant --format jsonl a.gpx | milepost score a.gpx -
      """)

  @Argument(
    file:
      "Trace that says where the device was. With --merge: a file of lines that --partial wrote.")
  var trace = ""

  @Argument(
    help: "Deliveries to judge; - is standard input. With --merge: more such files.",
    completion: .file())
  var events: [String] = []

  @OptionGroup var truth: TruthOption

  @Option(
    help: ArgumentHelp("Metres that make a crossing, at most 10000.", valueName: "metres"),
    transform: Self.distance)
  var distance = ScoringRules().distance

  @Option(number: "Seconds between a delivery and the next crossing.", "seconds")
  var interval = ScoringRules().interval

  @Flag(help: "List every crossing.")
  var list = false

  @Flag(help: "One JSON document (schema milepost.score/1).")
  var json = false

  @OptionGroup var lines: PartialOptions

  @OptionGroup(title: "Profile options") var profiles: ProfileOptions
  @OptionGroup(title: "World options") var world: WorldOptions
  @OptionGroup(title: "Reading options") var reading: ReadingOptions

  func validate() throws {
    try world.checkOneEra()
    try checkPartial()
    if !lines.merge, !lines.stream {
      guard let first = events.first else {
        throw ValidationError("Missing expected argument '<events>'")
      }
      guard events.count == 1 else {
        throw ValidationError(
          "Unexpected argument '\(events[1])': one list of deliveries at a time")
      }
      try TruthOption.checkStandardInput([trace, first])
    }
  }

  func run() throws {
    if lines.merge { return try addUp() }
    if lines.stream { return try scoreStream() }
    let report = try report(on: trace, of: events[0], .none)
    if lines.partial {
      return try Console.standardOutput(
        ScorePartial(report, release: Release.version).line + [0x0A])
    }
    try Console.show(json ? ScoreJSON.document.line(report) : nil, ScoreText.report(report))
  }

  /// A list of deliveries judged against a trace; without its optimum if sums are written.
  func report(on trace: String, of events: String, _ budget: TripBudget) throws -> ScoreReport {
    let list = try DeliveryList(path: events, options: reading.decoding)
    let input = try TraceInput(path: trace, truthPath: truth.truth, reading: reading)
    input.tellFaults()
    var options = try profiles.options(in: world)
    (options.scoring.distance, options.scoring.interval) = (distance, interval)
    try world.placeTowers(for: input, in: &options)
    let rules = options.scoring
    var scoring = DeliveryScoring(
      list.deliveries, rules: rules, summary: input.replayed, observed: input.observed,
      world: lines.isUsed ? nil : options)
    try input.forEachPiece {
      try budget.check(trace)
      scoring.feed($0)
    }
    let result = scoring.finishTrace()
    try check(result, list, input)
    var report = ScoreReport(
      trace: (input.file.name, input.file.format.identifier), truth: input.truthName,
      events: (list.name, list.format), skipped: list.skipped, rules: rules, result: result)
    if lines.isUsed { return report }
    report.listsCrossings = self.list
    report.optimum = optimum(of: result, options)
    return report
  }

  /// The energy that a clairvoyant policy on this device would have needed from the list's first delivery on.
  private func optimum(of result: DeliveryScore, _ options: ReplayOptions) -> (
    profile: String, optimum: Optimum
  )? {
    guard let path = result.path, let start = result.score.anchoredAt else { return nil }
    return Optimum(
      over: path, from: start, options: options, scenario: .pocket, means: .receiver,
      isSpaced: result.score.isSpaced
    ).map { (options.device.name, $0) }
  }

  private func check(
    _ result: DeliveryScore, _ list: DeliveryList, _ input: TraceInput
  ) throws {
    guard result.score.deliveries == 0, let first = list.deliveries.first,
      let last = list.deliveries.last, let start = input.replayed.start,
      let end = input.replayed.end
    else { return }
    throw Complaint(
      "\(list.name): no fresh delivery of this list can be placed on \(input.file.name): its "
        + "deliveries are from \(first.time.rfc3339) to \(last.time.rfc3339), the trace is from "
        + "\(start.rfc3339) to \(end.rfc3339)")
  }

  private static func distance(_ text: String) throws -> Double {
    guard let value = Double(text), value > 0, value <= 10_000 else {
      throw ValidationError("'\(text)' is not a number above 0 and at most 10000")
    }
    return value
  }
}
