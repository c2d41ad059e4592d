// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FixFormats
import JSONText
import LocationEngine
import LocationModel
import Replay
import Reports
import ServiceCore
import TraceFiles

/// `filter-lab TRACE`: policies of significant change beside what no policy can do better.
@main
struct FilterLab: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "filter-lab",
    abstract: "Hold policies of significant change against what no policy can do better.",
    discussion: """
      Replays a trace in one world, as milepost compare does, and writes one JSON document \
      (\(FilterLabJSON.schema.title)): for each policy its figures, every judged crossing, what a clairvoyant would have \
      needed (optimum), and how late one must be who knows the past only (causal). A file X.truth.csv beside the \
      trace X is taken as where the device truly was.

      For people who change the filter; Tools/check-filter and Tools/fit-filter drive it. It is not packaged.

        filter-lab --policy ios,milepost Traces/mixed-day.gpx
        filter-lab --profile tracker-lora-m10 --known-ahead 30 Traces/train.gpx
      """)

  @Argument(help: "Trace to replay; - is standard input.", completion: .file())
  var trace: String

  @Option(
    help: ArgumentHelp(
      "Policies, with commas between them: \(PolicyKind.words()).", valueName: "name,..."))
  var policy = "milepost"

  @OptionGroup var world: LabWorld

  @Option(help: "Where the device truly was: a file, or none.", completion: .file())
  var truth: String?

  @Option(
    help: ArgumentHelp(
      "The bound on lateness knows when each crossing comes, and has its receiver on from that many seconds before, 0 to "
        + "300; its energy includes that (default: it knows the past only, and is on for as long as the device moves).",
      valueName: "seconds"))
  var knownAhead: Double?

  @Flag(help: "The app monitors visits too, whose thresholds are others.")
  var visits = false

  func validate() throws {
    if let knownAhead, !(0...300).contains(knownAhead) {
      throw ValidationError("--known-ahead is \(knownAhead), not a number of seconds from 0 to 300")
    }
  }

  func run() throws {
    var options = try world.options()
    options.scoring.lead = knownAhead
    let plans = try plans(options)
    let file = try TraceFile(path: trace, reading: .again(.usual))
    var decoding = DecodingOptions()
    decoding.fixWeekRollover = true
    let surveyed = try SurveyedTrace(
      file, truthPath: truth == "none" ? nil : truth ?? TraceFile.truthPath(beside: trace),
      options: decoding, progress: nil)
    var comparison = Comparison(
      plans, options: options, summary: surveyed.replayed, observed: surveyed.observed,
      records: .crossings, reckonsOptimum: true)
    try surveyed.forEachPiece(of: file) { comparison.feed($0) }
    let result = comparison.finishTrace()
    guard result.judged > 0 else {
      throw Complaint("\(file.name): nothing to judge: every step between its fixes is a gap")
    }
    let compared = ComparedTrace(
      name: file.name,
      format: .init(identifier: file.format.identifier, name: file.format.name),
      truth: surveyed.truthName, summary: surveyed.summary, ledger: surveyed.ledger, result: result)
    let output = try OutputFile(path: nil)
    try output.write(FilterLabJSON.line(compared, options: options))
    try output.commit()
  }

  /// One app in the pocket for each policy.
  private func plans(_ options: ReplayOptions) throws -> [RunPlan] {
    try policy.split(separator: ",").map { name in
      let name = String(name)
      do throws(PolicyRequest.Trouble) {
        _ = try PolicyRequest(name)
      } catch {
        throw ValidationError(error.message(name, known: "known: " + PolicyKind.words()))
      }
      var plan = RunPlan(
        .significant, .pocket,
        policy: .named(
          name, for: options.device, seed: options.seed, receiverHold: options.receiverHold))
      plan.isNamedByPolicy = true
      plan.monitorsVisits = visits
      return plan
    }
  }
}
