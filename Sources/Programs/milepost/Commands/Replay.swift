// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FixFormats
import JSONText
import LocationEngine
import LocationModel
import RadioPower
import Replay
import ServiceCore
import TraceFiles

extension Service: ExpressibleByArgument {}

/// The output format of a replay.
enum ReplayFormat: ExpressibleByArgument, Equatable {
  /// Every event.
  case text, jsonl
  /// The deliveries, as a trace.
  case deliveries(OutputFormat)

  init?(argument: String) {
    switch argument {
    case "text": self = .text
    case "jsonl": self = .jsonl
    default:
      guard let format = OutputFormat(argument) else { return nil }
      self = .deliveries(format)
    }
  }

  static var allValueStrings: [String] {
    ["text", "jsonl"] + OutputFormat.allValueStrings.filter { $0 != "jsonl" }
  }

  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

/// The speed of a replay.
enum ReplaySpeed: String, ExpressibleByArgument, CaseIterable {
  case max
  case real = "1"
  case ten = "10"

  var factor: Double? { Double(rawValue) }
}

extension RunPlan.Arming: ExpressibleByArgument {}

/// `milepost replay TRACE`
struct Replay: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Replay a trace in one mode and tell what happened, and why not.",
    discussion: """
      The formats text and jsonl tell every event: deliveries, changes of the app's state, launches, \
      radio activity, gaps, and with --why the verdict of every fix. The formats gpx, geojson, csv and \
      nmea write the positions that were delivered. --why-at answers for one instant, also while the \
      receiver is off.

      A recording (milepost track --record) is decided again: its inputs go straight to a new service \
      with the recorded settings, whatever the options say of mode, profile and world. Exit code 1: \
      something is decided otherwise; the first difference is told. With --why-at each of its apps is \
      explained, as milepost explain does.

        milepost replay --mode significant trip.gpx
        milepost replay --mode continuous --auto-pause -o seen.gpx trip.gpx
        milepost replay --why-at 2026-05-04T08:15:00Z trip.gpx
      """)

  @Argument(file: "Trace to replay; - is standard input.", "trace")
  var trace: String

  @OptionGroup var truth: TruthOption

  @Option(name: .shortAndLong, help: "How the app asks for locations.")
  var mode = Service.significant

  @Option(
    help: ArgumentHelp(
      "What the user does with the app: pocket, foreground, or a file that scripts apps, user and system.",
      valueName: "name or file"))
  var scenario = ScenarioChoice.builtIn(.pocket)

  @Option(file: "Also draw every app's life there: one HTML file, with a scenario's file.")
  var html: String?

  @Option(
    help: ArgumentHelp(
      "How significant changes are looked for (default: ios-field, or receiver without a modem); "
        + "\(PolicyNames.help).", valueName: "name"),
    completion: .list(PolicyKind.all.map(\.name)), transform: Self.policy)
  var policy: String?

  @Option(
    help: ArgumentHelp(
      "A region that the app monitors too, for example home=55.6761,12.5683,200; may be given several times, at "
        + "most \(MonitoredRegion.limit) times. The end of the account says how late it was told of entries and "
        + "exits.", valueName: "name=lat,lon,radius"),
    transform: RegionOption.region)
  var region: [MonitoredRegion] = []

  @Flag(help: "The app monitors visits too.")
  var visits = false

  @Flag(
    help:
      "Standard and continuous: updates pause while still; on a phone for good, elsewhere until motion starts them again."
  )
  var autoPause = false

  @Option(
    help: ArgumentHelp(
      "Continuous: the app stops at a stay and starts again when this wakes it: region (around the place), visits, "
        + "changes (significant ones) or motion.", valueName: "service"))
  var armedBy: RunPlan.Arming?

  @Option(
    number: "Standard and continuous: the accuracy that is asked for, metres; -1 is the best "
      + "(default: -1).", "metres", read: { try Number.inside($0, -2...1e9) })
  var accuracy = -1.0

  @Option(
    number:
      "Standard and continuous: seconds from one position to the next, as Android lets an app ask; from 10 s on the "
      + "receiver is off in between (default: as they come).", "seconds",
    read: { try Number.inside($0, 1...86_400) })
  var interval: Double?

  @Flag(help: "Tell the verdict of every fix.")
  var why = false

  @Option(
    help: ArgumentHelp(
      "Only say why nothing was heard then: what kept the app from hearing anything at this instant.",
      valueName: "time"),
    transform: Self.instant)
  var whyAt: UTCInstant?

  @Flag(
    help: """
      Answer as JSON: with --why-at (schema milepost.why/1); with a scenario's file that is --format jsonl.
      """)
  var json = false

  @Option(name: .shortAndLong, help: "Output format (default: by the name of --output, else text).")
  var format: ReplayFormat?

  @Option(file: "Write there instead of to standard output.", name: .shortAndLong)
  var output: String?

  @Option(file: "Write the radio activity there, for milepost meter.")
  var radioLog: String?

  @Option(help: "How fast: as fast as possible (max), as recorded (1), or ten times that (10).")
  var speed = ReplaySpeed.max

  @OptionGroup var setting: ReplaySetting

  func validate() throws {
    try setting.world.checkOneEra()
    if policy != nil, mode != .significant {
      throw ValidationError("--policy is for --mode significant; \(mode.rawValue) has none")
    }
    if autoPause, mode == .significant {
      throw ValidationError("--auto-pause is for standard and continuous updates")
    }
    if armedBy != nil, mode != .continuous {
      throw ValidationError("--armed-by is for --mode continuous")
    }
    if accuracy != -1, mode == .significant {
      throw ValidationError("--accuracy is for standard and continuous updates")
    }
    if interval != nil, mode == .significant {
      throw ValidationError("--interval is for standard and continuous updates")
    }
    if scenario.path != nil, whyAt != nil || radioLog != nil || speed != .max || why {
      throw ValidationError(
        "--why, --why-at, --radio-log and --speed do not go with a scenario's file: its timeline says "
          + "why an app was not woken")
    }
    if scenario.path != nil, !region.isEmpty || visits {
      throw ValidationError(
        "--region and --visits are for the built-in app; in a scenario's file an app says monitor region PLACE, "
          + "or monitor visits")
    }
    if html == "-", output ?? "-" == "-", try chosenFormat() != .text {
      throw ValidationError(
        "--html - and the events would both go to standard output; name a file for one of them")
    }
    if let html, html != "-", html == output {
      throw ValidationError("--html and --output name the same file, \(html); name two")
    }
    if html != nil, scenario.path == nil {
      throw ValidationError("--html draws a scenario: --scenario FILE")
    }
    try RegionOption.check(region)
    if json, whyAt == nil, scenario.path == nil {
      throw ValidationError("--json is for --why-at; events as JSON: --format jsonl")
    }
    if let output, output == radioLog {
      throw ValidationError("--output and --radio-log name the same file")
    }
  }

  func run() throws {
    let inputs = [trace] + truth.files(beside: [trace]) + setting.files + [scenario.path]
    try OutputFile.refuse(html, amongInputs: inputs)
    try OutputFile.refuse(output, amongInputs: inputs)
    try OutputFile.refuse(radioLog, amongInputs: inputs)
    let file = try TraceFile.open(trace)
    if let recording = RecordingFile(file) { return try decideAgain(recording) }
    let played = try scenario.scenario(playsAndroid: true)
    var options = try setting.options(playing: played)
    let input = try TraceInput(file, path: trace, truthPath: truth.truth, reading: setting.reading)
    try setting.world.placeTowers(for: input, in: &options)
    input.tellFaults()
    try setting.world.tellIgnored(by: [plan(options)])
    if let script = played?.android {
      let format = try chosenFormat()
      guard format == .text || format == .jsonl else {
        throw Complaint(
          "a scenario of Android has an account, and no trace: leave --format out, or say --json")
      }
      return try AndroidSession(script: script, title: played?.title ?? "", options: options)
        .run(input, asJSON: format == .jsonl, to: output, html: html)
    }
    if let played {
      return try ScenarioSession(
        scenario: played, plan: plan(options), options: options
      )
      .run(input, to: .init(format: try chosenFormat(), path: output, html: html))
    }
    if let whyAt {
      try ReplayQuestion(instant: whyAt, plan: plan(options), options: options)
        .answer(input, asJSON: json, to: OutputFile(path: output))
    } else {
      try ReplaySession(
        plan: plan(options), options: options, format: try chosenFormat(), why: why,
        speed: speed.factor
      )
      .run(input, output: output, radioLog: radioLog)
    }
  }

  private func decideAgain(_ recording: RecordingFile) throws {
    let foreign = [
      ("--truth", truth.truth != nil), ("--policy", policy != nil), ("--auto-pause", autoPause),
      ("--radio-log", radioLog != nil), ("--region", !region.isEmpty), ("--visits", visits),
      ("--scenario", scenario.path != nil),
    ]
    if let (option, _) = foreign.first(where: \.1) {
      throw Complaint(
        "\(recording.file.name): a recording, which holds its own inputs, rules and policy; leave "
          + "\(option) out")
    }
    if let whyAt {
      return try RecordingQuestion(instant: whyAt)
        .answer(recording, asJSON: json, to: OutputFile(path: output))
    }
    try RecordingSession(format: try chosenFormat(), why: why, speed: speed.factor)
      .run(recording, output: output)
  }

  private func plan(_ options: ReplayOptions) -> RunPlan {
    var plan = RunPlan(mode, scenario.builtIn ?? .pocket, pausesAutomatically: autoPause)
    plan.desiredAccuracy = accuracy
    plan.interval = interval
    plan.system = options.device.platform == .phone ? options.device.system : nil
    plan.regions = region
    plan.monitorsVisits = visits
    plan.armedBy = armedBy
    guard mode == .significant || armedBy != nil || scenario.path != nil else { return plan }
    plan.policy =
      policy.flatMap {
        .named(
          $0, for: options.device, seed: options.seed, receiverHold: options.receiverHold)
      } ?? .usual(for: options.device, seed: options.seed)
    return plan
  }

  private static func policy(_ text: String) throws -> String {
    let names = try PolicyNames(parsing: text).names
    guard names.count == 1 else {
      throw ValidationError("--policy takes one policy here; milepost compare takes several")
    }
    return names[0]
  }

  private func chosenFormat() throws -> ReplayFormat {
    if let format { return format }
    if json { return .jsonl }
    guard let output, output != "-" else { return .text }
    let ending = output.split(separator: ".").last.map { $0.lowercased() } ?? ""
    return ReplayFormat(argument: ending) ?? .text
  }

  private static func instant(_ text: String) throws -> UTCInstant {
    guard let (instant, _) = RFC3339.parse(text) else {
      throw ValidationError("'\(text)' is not a time such as 2026-05-04T08:15:00Z")
    }
    return instant
  }
}
