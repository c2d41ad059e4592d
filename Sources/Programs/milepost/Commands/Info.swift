// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FixFormats
import JSONText
import Replay
import Reports
import TraceFiles

/// `milepost info TRACE...`
struct Info: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Tell what is in a trace, its gaps, and everything odd.",
    usage: "milepost info [<options>] <trace> ...",
    discussion: """
      What was read adds up: lines (or points) read = used + skipped, by reason. Logs without a date and \
      points without times are read too; replaying them needs --date or --point-interval. Exit code 1: \
      there is no fix in a trace.
      """)

  @Argument(files: "Traces to look at; - is standard input.", "trace")
  var traces: [String]

  @Flag(help: "One JSON document per trace and line (schema milepost.info/1).")
  var json = false

  @OptionGroup(title: "Reading options") var reading: ReadingOptions

  func run() throws {
    let output = try OutputFile(path: nil)
    var options = reading.decoding
    options.allowsUndated = true
    let (isAlone, decoding) = (traces.count == 1, options)
    var isFirst = true
    var foundFixes = true
    var failed = FailedTraces(among: traces)
    defer { failed.tell() }
    try SideBySide.forEach(traces) { path in
      (path, Result { try Self.look(at: path, decoding, showsProgress: isAlone) })
    } _: { path, result in
      guard let report = try failed.attempt(path, result.get) else { return }
      foundFixes = foundFixes && report.summary.fixes > 0
      if json {
        try output.write(InfoJSON.document.line(report))
      } else {
        let gap = isFirst ? "" : "\n"
        try output.write(gap + InfoText.report(report).text(Console.style))
      }
      isFirst = false
    }
    try output.commit()
    try failed.check()
    if !foundFixes { throw NegativeAnswer() }
  }

  private static func look(
    at path: String, _ options: DecodingOptions, showsProgress: Bool
  ) throws -> InfoReport {
    let file = try TraceFile.open(path, reading: .once)
    // Lines of several files would overwrite one another.
    let progress = showsProgress ? Progress(file.name) : nil
    defer { progress?.clear() }
    var survey = TraceSurvey()
    var path = PathSurvey()
    let ledger = try file.read(options: options, progress: { progress?.report(read: $0) }) {
      survey.include(events: $0)
      path.include(events: $0)
    }
    let summary = survey.finished()
    return InfoReport(
      name: file.name, format: .init(identifier: file.format.identifier, name: file.format.name),
      summary: summary, path: path.finished(summary), ledger: ledger)
  }
}
