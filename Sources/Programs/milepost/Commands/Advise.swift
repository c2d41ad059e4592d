// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FixFormats
import JSONText
import RadioPower
import Replay
import Reports
import TraceFiles

/// `milepost advise TRACE...`
struct Advise: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "advise",
    abstract: "Try every policy and setting, and recommend one for your budget.",
    discussion: """
      Replays every way to be told of places that the device can follow, with its settings, and draws energy a \
      day against delay: how long after arrivals and departures the app knew of them, in 95 % of the cases, by \
      the events and figures of milepost compare. Among those that no other one beats in both figures it \
      recommends the quickest within --budget, or the cheapest within --latest, and says what one more mWh a day \
      would buy. Without either it takes the one beyond which a quicker answer costs most.

      A file X.truth.csv beside the trace X is taken as where the device truly was; --truth none \
      ignores it. Exit code 1: nothing is recommended.

        milepost advise monday.gpx tuesday.gpx
        milepost advise --budget "20 mWh/day" --html front.html week/*.gpx
        milepost advise --latest "60 s" --profile tracker-lora-m10 trip.nmea
      """)

  @Argument(files: "Traces to replay; - is standard input.", "trace")
  var traces: [String]

  @Option(
    help: ArgumentHelp(
      "Energy above the baseline that you can afford, with its unit: mWh/day, Wh/day, J/day, kJ/day, "
        + "mW, or %/day of the battery.", valueName: "amount"))
  var budget: String?

  @Option(
    help: ArgumentHelp(
      "How late 95 % of the events may be known at most, with its unit: s, min or h.",
      valueName: "time"))
  var latest: String?

  @Option(
    help: ArgumentHelp(
      "Simulated worlds, 1 to 1000, with seeds from --seed on (default: 20).", valueName: "count"),
    transform: { try Number.worlds($0) })
  var worlds = 20

  @OptionGroup var truth: TruthOption

  @Option(file: "Also draw the front: one HTML file that needs nothing else.")
  var html: String?

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp(
      "What the app must know in time: arrival, or fence: the borders of the trip's places (default: arrival).",
      valueName: "purpose"),
    completion: .list(AdviseReport.purposes.map(\.rawValue)),
    transform: { word in
      guard let purpose = Purpose(rawValue: word) else {
        throw ValidationError("it is neither arrival nor fence")
      }
      return purpose
    })
  var purpose = Purpose.arrival

  @Flag(help: "One JSON document (schema milepost.advise/3).")
  var json = false

  @OptionGroup var setting: ReplaySetting

  func validate() throws {
    if json, html == "-" {
      throw ValidationError("--json and --html - each need standard output; choose one")
    }
    guard AdviseReport.purposes.contains(purpose) else {
      throw ValidationError(
        "--for is arrival or fence here: \(purpose.rawValue) is not about events, of which one knows late or in "
          + "time; milepost compare answers it")
    }
    try truth.check(traces)
  }

  func run() throws {
    try OutputFile.refuse(html, amongInputs: traces + truth.files(beside: traces) + setting.files)
    let options = try setting.options()
    let limits = try limits(for: options.device)
    let configurations = Configuration.all(for: options.device, seed: options.seed)
    let session = ComparisonSession(
      plans: configurations.map(\.plan), options: options, setting: setting, truth: truth,
      worlds: worlds)
    let compared = try traces.map { path in
      let outcome = try session.run(path)
      outcome.input.tellFaults()
      return outcome.trace
    }
    guard
      let report = AdviseReport(
        compared, configurations, for: purpose, limits: limits, options: options)
    else { return }
    try printReport(report)
    if report.recommended == nil { throw NegativeAnswer() }
  }

  private func limits(for device: DeviceProfile) throws -> AdviceLimits {
    AdviceLimits(
      budget: try budget.map { try Amount.budget($0, battery: device.battery.nominal) },
      latest: try latest.map { try Amount.delay($0) })
  }

  private func printReport(_ report: AdviseReport) throws {
    if json {
      try Console.standardOutput(AdviseJSON.document.line(report))
    } else if html != "-" {
      try Console.standardOutput(AdviseText.text(report, style: Console.style))
    }
    if let html { try OutputFile.writeWhole(AdvisePage.document(report), to: html) }
  }
}
