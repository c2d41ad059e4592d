// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FixFormats
import JSONText
import LocationModel
import Replay
import Reports
import ServiceContract
import ServiceCore
import TraceFiles

/// `milepost compare TRACE...`
struct Compare: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Say which location updates an app should use, and what they cost.",
    usage: "milepost compare [<options>] <trace> ...",
    discussion: """
      Replays a trace through standard and continuous updates, significant changes, visits and regions, in 20 \
      simulated worlds: what each costs, how far off the recorded way is, how late arrivals and departures and \
      the crossings of a place's border are known. For each of four purposes it says \
      which one to choose; --for asks for one of them and says what to call, --budget for the best that is cheap \
      enough. --details has every figure.

      A file X.truth.csv beside the trace X is taken as where the device truly was; --truth none \
      ignores it. Several traces are compared one by one, and together; those that fail are left out and \
      told at the end.

      For many traces, --partial writes their sums as one line, on any machine, and --merge adds such lines up, in \
      whatever order they come, to the total that one machine comes to.

        milepost compare trip.gpx
        milepost compare --for arrival --within 5min trip.gpx
        milepost compare --budget 1%/day trip.gpx
        milepost compare --profile pi-zero-ublox7 --json drive.nmea
        milepost compare --partial *.gpx > part-1.jsonl
        milepost compare --merge part-*.jsonl
        gpspipe -w | head -5000 | milepost compare -
      """)

  @Argument(
    files:
      "Traces to replay; - is standard input. With --merge: files of lines that --partial wrote.",
    "trace")
  var traces: [String] = []

  @OptionGroup var truth: TruthOption

  @Option(
    help: ArgumentHelp(
      "Only the rows of pocket or foreground (default: all); or a file that scripts apps, user and "
        + "system, whose lives are compared instead.",
      valueName: "name or file"))
  var scenario: ScenarioChoice?

  @Option(
    help: ArgumentHelp(
      "Significant change under these policies (default: ios-field and milepost, without a modem receiver and "
        + "milepost), a row for each; \(PolicyNames.help).",
      valueName: "name,..."),
    transform: { try PolicyNames(parsing: $0) })
  var policy: PolicyNames?

  @OptionGroup var wish: PurposeOptions

  @Option(
    help: ArgumentHelp(
      "A place whose border is judged, and which an app with region monitoring monitors, for example "
        + "home=55.6761,12.5683,150; at most \(MonitoredRegion.limit) times (default: "
        + "\(Figures.plain(TripPlaces.usualRadius)) m around the places at which the device stays).",
      valueName: "name=lat,lon,radius"),
    transform: RegionOption.region)
  var region: [MonitoredRegion] = []

  @Option(
    help: ArgumentHelp(
      "Simulated worlds, 1 to 1000, with seeds from --seed on (default: 20).", valueName: "count"),
    transform: { try Number.worlds($0) })
  var worlds = 20

  @OptionGroup var told: CompareFormOptions

  @OptionGroup var lines: PartialOptions

  @OptionGroup var setting: ReplaySetting

  private var eras: Bool { setting.world.hasAllEras }

  func validate() throws {
    try RegionOption.check(region)
    if !region.isEmpty, wish.radius != nil {
      throw ValidationError("--region states its radius; leave --radius out")
    }
    if !region.isEmpty, lines.isUsed || eras || scenario?.path != nil {
      throw ValidationError(
        "--region is for comparisons of modes over whole traces; leave it out with --partial, --merge, --era all and a "
          + "scenario's file")
    }
    if eras || scenario?.path != nil {
      guard told.flags.allSatisfy({ ["text", "json"].contains($0.form.name) }), told.card == nil,
        told.baseline == nil, wish.purpose == nil, wish.budget == nil, policy == nil
      else {
        throw ValidationError(
          "--era all and a scenario's file are told as text, with --json or with --html; leave the other forms, "
            + "--card, --for, --budget and --policy out")
      }
    }
    try checkPartial()
    try truth.check(traces)
  }

  private func compareEras() throws {
    try OutputFile.refuse(
      told.html,
      amongInputs: traces + truth.files(beside: traces) + [scenario?.path] + setting.files)
    try EraSession(
      scenario: scenario?.scenario(), eras: eras ? Era.all : nil, setting: setting,
      truth: truth, form: told.form, html: told.html
    )
    .run(traces)
  }

  func run() throws {
    if eras || scenario?.path != nil { return try compareEras() }
    let inputs =
      traces + truth.files(beside: traces) + [told.baseline, told.ground.map] + setting.files
    try OutputFile.refuse(told.html, amongInputs: inputs)
    try OutputFile.refuse(told.card, amongInputs: inputs)
    let ground = told.hasPictures ? try told.ground.openFile() : nil
    let options = try options()
    let baselines = try told.baselines()
    let plans = rows(options)
    try setting.world.tellIgnored(by: plans.filter(\.isAskedFor))
    if lines.merge { return try addUp(plans, options) }
    if lines.stream { return try compareStream(plans, options) }
    let output = try OutputFile(path: nil)
    let (page, card) = (
      try told.html.map { try OutputFile(path: $0) }, try told.card.map { try OutputFile(path: $0) }
    )
    var failed = FailedTraces(among: traces, truth: truth)
    defer { failed.tell() }
    if lines.partial {
      try writePartial(plans, options, to: output) { path in
        try failed.attempt(path) { try compare(path, plans, options).0 }
      }
      return try failed.check()
    }
    var compared: [ComparedTrace] = []
    var reported: [ReportedTrace] = []
    for path in traces {
      do {
        guard
          let (trace, drawn) = try failed.attempt(path, { try compare(path, plans, options) })
        else { continue }
        compared.append(trace)
        reported.append(ReportedTrace(trace, curves: drawn))
        try printForm(
          of: trace, options, curves: hasCurves ? drawn : [], isFirst: compared.count == 1,
          to: output)
      } catch {
        // Earlier comparisons are useful without the rest.
        try output.commit()
        throw error
      }
    }
    guard !compared.isEmpty else { return try failed.check() }
    var total = compared.count > 1 ? ComparedTrace(totalOf: compared) : nil
    total?.assess(options, within: try wish.tolerances())
    if let total { try printForm(of: total, options, isFirst: false, to: output) }
    try told.ground.place(ground, under: &reported)
    if page != nil || card != nil { try output.commit() }
    try page?.write(HTMLReport.document(reported, total: total, options: options))
    try page?.commit()
    if let card { try writeCard(of: reported, total, options, to: card) }
    if let baselines {
      try output.commit()
      // A total without the failed ones is no change of the one with them.
      let all = compared + (failed.isEmpty ? [total].compactMap(\.self) : [])
      try output.write(baselines.changes(all, options, style: Console.style))
    }
    if told.form?.hasFootnotes == true, let rows = compared.first?.rows {
      let basis = Footnotes.report(
        rows, options: options, traceAsTruth: compared.contains { $0.truth == "trace" })
      try output.write("\n" + basis.text(Console.style))
    }
    try output.commit()
    try failed.check()
  }

  private func writeCard(
    of traces: [ReportedTrace], _ total: ComparedTrace?, _ options: ReplayOptions,
    to file: OutputFile
  ) throws {
    guard let picture = ShareCard(traces, total: total, options: options) else {
      throw Complaint(
        "--card: nothing to share: the trace answers none of the purposes (milepost compare says why)"
      )
    }
    try file.write(picture.document())
    try file.commit()
  }

  private func options() throws -> ReplayOptions {
    var options = try setting.options()
    try wish.check(options.device)
    options.places = region
    options.placeRadius = wish.radius ?? options.placeRadius
    return options
  }

  /// The rows of the table.
  private func rows(_ options: ReplayOptions) -> [RunPlan] {
    RunPlan.standardRows(
      for: options.device, policies: policy?.policies(for: options), seed: options.seed,
      receiverHold: options.receiverHold
    )
    .filter { scenario?.builtIn == nil || $0.scenario == scenario?.builtIn }
  }

  private func compare(
    _ path: String, _ plans: [RunPlan], _ options: ReplayOptions
  ) throws -> (ComparedTrace, [CurveRecord]) {
    var outcome = try ComparisonSession(
      plans: plans, options: options, setting: setting, truth: truth,
      records: told.hasPictures || hasCurves ? .curves : [], worlds: worlds,
      cores: lines.partial ? .one : .all
    )
    .run(path)
    if !lines.partial { outcome.trace.assess(outcome.options, within: try wish.tolerances()) }
    if told.isDetailed, !lines.partial {
      outcome.trace.together = try atOnce(outcome.input, outcome.options)
    }
    return (outcome.trace, outcome.trace.rows.compactMap { $0.curves })
  }

  /// Whether the JSON has what the page draws.
  private var hasCurves: Bool { told.isJSON && told.isDetailed }

  /// Compares one app per mode, all in one pocket at once.
  private func atOnce(_ trace: TraceInput, _ options: ReplayOptions) throws -> DeviceSharingResult {
    let plans = RunPlan.standardRows(
      for: options.device, policies: [.usual(for: options.device)]
    )
    .filter { $0.scenario == .pocket && !$0.pausesAutomatically && $0.watch == .changes }
    var together = DeviceSharing(
      plans, options: options, summary: trace.replayed, observed: trace.observed)
    try trace.forEachPiece { together.feed($0) }
    return together.finishTrace()
  }

  /// Writes the chosen form of a trace, or of a total.
  func printForm(
    of trace: ComparedTrace, _ options: ReplayOptions, curves: [CurveRecord] = [], isFirst: Bool,
    to output: OutputFile
  ) throws {
    guard let form = told.form else { return }
    let subject = CompareForm.Subject(
      trace, options, purpose: wish.purpose, curves: curves, style: Console.style,
      width: Console.width)
    try output.write(form.bytes(subject, isFirst: isFirst))
  }
}
