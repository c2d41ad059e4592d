// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSONText
import Replay
import Reports
import TraceFiles

/// Which form a comparison is told in, beside the table and `--json`.
struct CompareForm: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Also write a report with maps and curves: one HTML file that needs nothing else.",
      valueName: "file"))
  var html: String?

  @Flag(help: "A table in Markdown, for an issue or a wiki.")
  var markdown = false

  @Flag(help: "One line per trace and mode, names and values as in the JSON.")
  var csv = false

  @Option(
    help: ArgumentHelp(
      "Also say what changed since a comparison of the same traces that --json saved.",
      valueName: "file"))
  var baseline: String?

  /// Whether nothing but the page goes to standard output.
  var isSilent: Bool { html == "-" }

  /// Whether what the figures rest on is printed under the tables.
  var hasFootnotes: Bool { !isSilent && !csv && !markdown }

  func writePage(
    _ traces: [ReportedTrace], total: ComparedTrace?, _ options: ReplayOptions,
    to output: OutputFile
  ) throws {
    guard let html else { return }
    let page = HTMLReport.document(traces, total: total, options: options)
    if html == "-" { return try output.write(page) }
    let file = try OutputFile(path: html)
    try file.write(page)
    try file.commit()
  }

  /// The saved comparisons; `nil` where none were asked for.
  func baselines() throws -> Baselines? { try baseline.map(Baselines.init(path:)) }
}

/// A file of `compare --json`: one document per line.
struct Baselines {
  private let path: String
  private let documents: [Baseline]

  init(path: String) throws {
    self.path = path
    let lines = try WholeFile.read(path).split(separator: 0x0A)
    documents = try zip(1..., lines).map { number, line in
      let bytes = Array(line)
      do {
        return try Baseline(try JSONValue.parse(bytes.span))
      } catch let error as BaselineError {
        throw Complaint("\(path):\(number): \(error.message)")
      } catch {
        throw Complaint("\(path):\(number): not a document of milepost compare --json")
      }
    }
    if documents.isEmpty {
      throw Complaint("\(path): empty; milepost compare --json writes such files")
    }
  }

  /// What changed, for each trace; throws where none of the documents is of a trace.
  func changes(
    _ traces: [ComparedTrace], _ options: ReplayOptions, style: TextStyle
  ) throws -> String {
    try traces.map { trace in
      guard let baseline = documents.first(where: { $0.isOf(trace) }) else {
        let nearest = documents.first { $0.name == trace.name } ?? documents.first
        let reason = nearest?.mismatch(trace) ?? "it is empty"
        throw Complaint(
          "\(path): not a comparison of \(trace.name): \(reason); save one with milepost compare --json"
        )
      }
      return "\n" + BaselineText.text(trace, against: baseline, options: options, style: style)
    }.joined()
  }
}
