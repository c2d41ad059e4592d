// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FixFormats
import LocationModel
import Replay
import Reports
import Scoring
import ServiceCore
import TraceFiles
import Wording

extension Purpose: ExpressibleByArgument {}

/// `milepost compare TRACE...`
struct Compare: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Say which kind of location updates an app should use, what it costs and misses.",
    discussion: """
      Replays a trace through standard and continuous updates, significant changes, visits and regions, in 20 \
      simulated worlds: what each costs, how far off and how old the position is that \
      the app knows, how late it is told of arrivals and departures. For each of four purposes it says \
      which one to choose; --for asks for one of them and says what to call. --details has every figure.

      A file X.truth.csv beside the trace X is taken as where the device truly was; --truth none \
      ignores it. Several traces are compared one by one, and together.

      For many traces, --partial writes one line of sums for each, on any machine, and --merge adds such lines up, \
      in whatever order they come, to the total that one machine comes to.

        milepost compare trip.gpx
        milepost compare --profile pi-zero-ublox7 --json drive.nmea
        milepost compare --partial *.gpx > part-1.jsonl
        milepost compare --merge part-*.jsonl
        gpspipe -w | head -5000 | milepost compare -
      """)

  @Argument(
    files:
      "Traces to replay; - is standard input. With --merge: files of lines that --partial wrote.",
    "trace")
  var traces: [String]

  @OptionGroup var truth: TruthOption

  @Option(
    help: ArgumentHelp(
      "Only the rows of pocket or foreground (default: all); or a file that scripts apps, user and "
        + "system, whose lives are compared instead.",
      valueName: "name or file"))
  var scenario: ScenarioChoice?

  @Flag(
    help: "Instead: the usual apps, or the scenario's, by the rules of ios4, ios7, ios13 and today."
  )
  var eras = false

  @Option(
    help: ArgumentHelp(
      "Significant change under these policies, side by side (default: ios-field and "
        + "milepost, without a modem receiver and milepost); \(PolicyNames.help).",
      valueName: "name,..."),
    transform: { try PolicyNames(parsing: $0) })
  var policy: PolicyNames?

  @Option(
    name: .customLong("for"),
    help: "What the app must know: the way, arrivals, a place's border, or where it was lately.")
  var purpose: Purpose?

  @Option(
    help: ArgumentHelp(
      "Simulated worlds, 1 to 1000, with seeds from --seed on (default: 20).", valueName: "count"),
    transform: { try Number.worlds($0) })
  var worlds = 20

  @OptionGroup var told: CompareFormOptions

  @Flag(
    help: """
      With --json, for each significant change: what a clairvoyant would have needed, and how late \
      one must be who knows the past only.
      """)
  var optimum = false

  @Flag(help: "With --json: also curves, track, wakes and days, as the HTML report shows them.")
  var curves = false

  @Flag(help: "With --json, for each significant change: every judged crossing.")
  var crossings = false

  @Option(
    number:
      "With --optimum: the bound on lateness knows when each crossing comes, and has its receiver on from that "
      + "many seconds before, 0 to 300; its energy includes that (default: it knows the past only, and is on for "
      + "as long as the device moves).", "seconds", read: { try Number.inside($0, 0...300) })
  var knownAhead: Double?

  @Flag(
    help:
      "With --json, for each significant change: its app monitors visits too, whose thresholds are others."
  )
  var visits = false

  @Flag(
    help:
      "With --details or --json: also the three modes' apps at once on one device, what each adds to the others."
  )
  var together = false

  @OptionGroup var lines: PartialOptions

  @OptionGroup var setting: ReplaySetting

  func validate() throws {
    if curves, !told.isJSON { throw ValidationError("--curves goes with --json") }
    if purpose != nil, told.form?.name != CompareForm.text.name {
      throw ValidationError("--for is for the text; the other forms have all four purposes")
    }
    if crossings, !told.isJSON { throw ValidationError("--crossings goes with --json") }
    if visits, !told.isJSON || lines.partial || lines.merge || eras || scenario?.path != nil {
      throw ValidationError(
        "--visits goes with --json, and without --partial, --merge, --eras and a scenario's file")
    }
    if optimum, !told.isJSON { throw ValidationError("--optimum goes with --json") }
    if together, !told.isJSON, told.form?.name != CompareForm.details.name {
      throw ValidationError("--together goes with --details or --json")
    }
    if knownAhead != nil, !optimum { throw ValidationError("--known-ahead goes with --optimum") }
    if eras || scenario?.path != nil {
      guard told.flags.allSatisfy({ ["text", "json"].contains($0.form.name) }), told.card == nil,
        told.baseline == nil, purpose == nil, policy == nil, !together, !optimum, !curves,
        !crossings
      else {
        throw ValidationError(
          "--eras and a scenario's file are told as text, with --json or with --html; leave the other forms, "
            + "--card, --for, --policy and --together out")
      }
      if eras, setting.world.era != nil {
        throw ValidationError("--eras has all four; leave --era out")
      }
    }
    try checkPartial()
    try truth.check(traces)
  }

  func run() throws {
    if eras || scenario?.path != nil {
      try OutputFile.refuse(
        told.html,
        amongInputs: traces + truth.files(beside: traces) + [scenario?.path] + setting.files)
      return try EraSession(
        scenario: scenario?.scenario(), eras: eras ? Era.all : nil, setting: setting,
        truth: truth, form: told.form, html: told.html
      )
      .run(traces)
    }
    let inputs =
      traces + truth.files(beside: traces) + [told.baseline, told.ground.map] + setting.files
    try OutputFile.refuse(told.html, amongInputs: inputs)
    try OutputFile.refuse(told.card, amongInputs: inputs)
    let ground = told.hasPictures ? try told.ground.open() : nil
    let options = try setting.options()
    let baselines = try told.baselines()
    let plans = rows(options)
    if lines.merge { return try addUp(plans, options) }
    let output = try OutputFile(path: nil)
    // Where a file cannot be, that is said before the work.
    let (page, card) = (
      try told.html.map { try OutputFile(path: $0) }, try told.card.map { try OutputFile(path: $0) }
    )
    if lines.partial {
      return try writePartials(plans, options, to: output) { try compare($0, plans, options).0 }
    }
    var compared: [ComparedTrace] = []
    var reported: [ReportedTrace] = []
    for path in traces {
      do {
        let (trace, drawn) = try compare(path, plans, options)
        compared.append(trace)
        reported.append(ReportedTrace(trace, curves: drawn))
        try writeTrace(
          trace, options, curves: curves ? drawn : [], isFirst: compared.count == 1, to: output)
      } catch {
        // Earlier comparisons are useful without the rest.
        try output.commit()
        throw error
      }
    }
    var total = compared.count > 1 ? ComparedTrace(totalOf: compared) : nil
    total?.assess(options)
    if let total { try writeTrace(total, options, isFirst: false, to: output) }
    try told.ground.place(ground, under: &reported)
    if let page {
      try output.commit()
      try page.write(HTMLReport.document(reported, total: total, options: options))
      try page.commit()
    }
    if let card, let picture = ShareCard(reported, total: total, options: options) {
      try output.commit()
      try card.write(picture.document())
      try card.commit()
    }
    if let baselines {
      try output.commit()
      try output.write(
        baselines.changes(compared + [total].compactMap(\.self), options, style: Console.style))
    }
    if told.form?.hasFootnotes == true, let rows = compared.first?.rows {
      let text = Footnotes.text(
        rows, options: options, traceAsTruth: compared.contains { $0.truth == "trace" },
        style: Console.style)
      try output.write("\n" + text)
    }
    try output.commit()
  }

  /// The rows of the table.
  private func rows(_ options: ReplayOptions) -> [RunPlan] {
    RunPlan.standardRows(
      for: options.device, policies: policy?.policies(for: options), seed: options.seed,
      receiverHold: options.receiverHold
    )
    .filter { scenario?.builtIn == nil || $0.scenario == scenario?.builtIn }
    .map { $0.mode == .significant ? $0.visiting(visits) : $0 }
  }

  private func compare(
    _ path: String, _ plans: [RunPlan], _ options: ReplayOptions
  ) throws -> (ComparedTrace, [CurveRecord]) {
    var options = options
    options.scoring.lead = knownAhead
    var outcome = try ComparisonSession(
      plans: plans, options: options, setting: setting, truth: truth, records: records,
      reckonsOptimum: optimum, worlds: worlds, cores: lines.partial ? .one : .all
    )
    .run(path)
    if !lines.partial { outcome.trace.assess(outcome.options) }
    if together { outcome.trace.together = try atOnce(outcome.input, outcome.options) }
    return (outcome.trace, outcome.trace.rows.compactMap { $0.curves })
  }

  private var records: Run.Records {
    var records: Run.Records = []
    if told.hasPictures || curves { records.insert(.curves) }
    if crossings { records.insert(.crossings) }
    return records
  }

  /// Compares one app per mode, all in one pocket at once.
  private func atOnce(_ trace: TraceInput, _ options: ReplayOptions) throws -> DeviceSharingResult {
    let plans = RunPlan.standardRows(
      for: options.device, policies: [.usual(for: options.device)]
    )
    .filter { $0.scenario == .pocket && !$0.pausesAutomatically && $0.watch == .changes }
    var together = DeviceSharing(
      plans, options: options, summary: trace.replayed, observed: trace.observed)
    try trace.forEachPiece { together.feed($0) }
    return together.finish()
  }

  func writeTrace(
    _ trace: ComparedTrace, _ options: ReplayOptions, curves: [CurveRecord] = [], isFirst: Bool,
    to output: OutputFile
  ) throws {
    guard let form = told.form else { return }
    let subject = CompareForm.Subject(
      trace, options, purpose: purpose, curves: curves, style: Console.style)
    try output.write(form.bytes(subject, isFirst: isFirst))
  }
}
