// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FixFormats
import Replay
import ServiceContract
import TraceFiles

extension OutputFormat: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }

  package static var allValueStrings: [String] { all.map(\.identifier) }

  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

/// `milepost convert IN [-o OUT] --to FORMAT`
struct Convert: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Write a trace in another format and say what is lost.",
    usage: "milepost convert [<options>] <trace>",
    discussion: """
      Reads \(TraceFormat.namesRead()); writes \(TraceFormat.names(of: OutputFormat.all.map(\.name))). What the new format cannot say, and what could not be read, is told on standard error. \
      Exit code 1: no fix was written.

        milepost convert drive.nmea > drive.gpx
        milepost convert drive.nmea -o drive.geojson
        milepost convert --to csv drive.gpx > drive.csv
      """)

  @Argument(file: "Trace to convert; - is standard input.", "trace")
  var trace: String

  @Option(help: "Format to write (default: by the ending of --output's name, else gpx).")
  var to: OutputFormat?

  @Option(file: "Write there instead of to standard output.", name: .shortAndLong)
  var output: String?

  @Flag(name: .shortAndLong, help: "Do not say what is lost.")
  var quiet = false

  @OptionGroup(title: "Reading options") var reading: ReadingOptions

  func validate() throws { _ = try OutputFormat.chosen(to, for: output) }

  func run() throws {
    let format = try OutputFormat.chosen(to, for: output)
    try OutputFile.refuse(output, amongInputs: [trace])
    let file = try TraceFile.open(trace, reading: .once)
    let progress = Progress(file.name)
    defer { progress.clear() }
    var options = reading.decoding
    // Points may lack times; a log without dates would get invented ones.
    options.allowsUndated = file.format != .nmea
    let target = try OutputFile(path: output, isLive: file.isStream)
    var writer = TraceWriter(format: format)
    var bytes: [UInt8] = []
    var survey = TraceSurvey()
    writer.begin(into: &bytes)
    let ledger = try file.read(options: options, progress: { progress.report(read: $0) }) {
      survey.include(events: $0)
      for event in $0 { writer.encode(event, into: &bytes) }
      try target.write(bytes)
      bytes.removeAll(keepingCapacity: true)
    }
    writer.finish(into: &bytes)
    try target.write(bytes)
    let summary = survey.finished()
    let left = format.needsTimes ? summary.timelessFixes : 0
    let unreadable = writer.dropped[TraceWriter.unreadable] ?? 0
    let written = summary.fixes - left - unreadable
    if written > 0 || !hasFile { try target.commit() }
    progress.clear()
    if !quiet { reportResult(of: writer, file, written: written, left: left, ledger) }
    if written == 0 { throw NegativeAnswer() }
  }

  /// Whether it writes into a file: nothing is no reason to replace one that has something.
  private var hasFile: Bool { output != nil && output != "-" }

  private func reportResult(
    of writer: TraceWriter, _ file: TraceFile, written: Int, left: Int, _ ledger: TraceLedger
  ) {
    let format = writer.format
    let kept = written == 0 && hasFile ? ", so that '\(output ?? "")' stays as it was" : ""
    Console.remark(
      "\(file.name): \(Figures.count(written, "fix", "fixes")) written as \(format.identifier)\(kept)"
    )
    if left > 0 {
      Console.remark(
        "\(file.name): left out: \(Figures.count(left, "fix", "fixes")) without a time, which "
          + "\(format.identifier) needs (--point-interval gives times to points)")
    }
    file.tellFaults(ledger)
    tellCounts(file, "not in a trace, left out", ledger.unused)
    tellCounts(file, "not kept", writer.dropped.filter { $0.key != "fixes without a time" })
    if !format.loses.isEmpty {
      Console.remark("\(format.identifier) does not keep: \(format.loses.joined(separator: "; "))")
    }
  }

  private func tellCounts(_ file: TraceFile, _ what: String, _ counts: [String: Int]) {
    guard !counts.isEmpty else { return }
    Console.remark("\(file.name): \(what): \(TraceFile.list(counts))")
  }
}

extension OutputFormat {
  /// GPX, which most other programs read.
  static let usual = all[0]

  /// The requested format, else that of the output's ending; on standard output, `usual`.
  static func chosen(
    _ to: OutputFormat?, for output: String?, usual: OutputFormat = usual
  ) throws -> OutputFormat {
    if let to { return to }
    guard let output, output != "-" else { return usual }
    if let format = OutputFormat(endingOf: output) { return format }
    throw ValidationError(
      "the ending of '\(output)' is no format; --to says it. Known: "
        + allValueStrings.joined(separator: ", "))
  }
}
