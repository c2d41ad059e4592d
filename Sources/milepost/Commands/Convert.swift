// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FixFormats
import Replay
import Reports
import TraceFiles
import Wording

extension OutputFormat: ExpressibleByArgument {}

/// `milepost convert IN [-o OUT] --to FORMAT`
struct Convert: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write a trace in another format and say what is lost.",
    usage: "milepost convert [<options>] <trace>",
    discussion: """
      Reads NMEA 0183, GPX, gpsd JSON, GeoJSON, CSV and JSON lines; writes GPX, NMEA, GeoJSON, CSV and \
      JSON lines. What the new format cannot say, and what could not be read, is told on standard error. \
      Exit code 1: no fix was written.

        milepost convert drive.nmea -o drive.gpx
        milepost convert --to csv drive.gpx > drive.csv
      """)

  @Argument(file: "Trace to convert; - is standard input.", "trace")
  var trace: String

  @Option(help: "Format to write (default: by the ending of --output's name).")
  var to: OutputFormat?

  @Option(file: "Write there instead of to standard output.", name: .shortAndLong)
  var output: String?

  @Flag(name: .shortAndLong, help: "Do not say what is lost.")
  var quiet = false

  @OptionGroup(title: "Reading options") var reading: ReadingOptions

  func validate() throws { _ = try chosenFormat() }

  func run() throws {
    let format = try chosenFormat()
    try OutputFile.refuse(output, amongInputs: [trace])
    let file = try TraceFile(path: trace)
    let progress = Progress(file.name)
    defer { progress.clear() }
    var options = reading.decoding
    // Points keep their lack of times; a log without dates would get invented ones.
    options.allowsUndated = file.format != .nmea
    let target = try OutputFile(path: output)
    var writer = TraceWriter(format: format)
    var bytes: [UInt8] = []
    var survey = TraceSurvey()
    writer.begin(into: &bytes)
    let ledger = try file.read(options: options, progress: { progress.report($0, pass: 1) }) {
      survey.include($0)
      for event in $0 { writer.write(event, into: &bytes) }
      try target.write(bytes)
      bytes.removeAll(keepingCapacity: true)
    }
    writer.finish(into: &bytes)
    try target.write(bytes)
    try target.commit()
    progress.clear()
    let summary = survey.finished()
    let left = format.needsTimes ? summary.timelessFixes : 0
    if !quiet { tell(format, file, written: summary.fixes - left, left: left, ledger) }
    if summary.fixes == left { throw NegativeAnswer() }
  }

  private func tell(
    _ format: OutputFormat, _ file: TraceFile, written: Int, left: Int, _ ledger: TraceLedger
  ) {
    Console.remark(
      "\(file.name): \(Figures.count(written, "fix", "fixes")) written as \(format.rawValue)")
    if left > 0 {
      Console.remark(
        "\(file.name): left out: \(Figures.count(left, "fix", "fixes")) without a time, which "
          + "\(format.rawValue) needs (--point-interval gives times to points)")
    }
    if !ledger.skipped.isEmpty {
      Console.remark("\(file.name): skipped: \(Figures.counts(ledger.skipped))")
    }
    if !format.loses.isEmpty {
      Console.remark("\(format.rawValue) does not keep: \(format.loses.joined(separator: "; "))")
    }
  }

  private func chosenFormat() throws -> OutputFormat {
    if let to { return to }
    let known = OutputFormat.allCases.map(\.rawValue).joined(separator: ", ")
    guard let output, output != "-" else {
      throw ValidationError("--to is missing: to which format? Known: \(known)")
    }
    let ending = output.split(separator: ".").last.map { $0.lowercased() } ?? ""
    if let format = OutputFormat(rawValue: ending) { return format }
    throw ValidationError("the ending of '\(output)' is no format; --to says it. Known: \(known)")
  }
}
