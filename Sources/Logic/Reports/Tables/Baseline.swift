// SPDX-License-Identifier: Apache-2.0

package import JSONText
import LocationModel
import ServiceContract

// Theory
// ======
//
// Two comparisons of the same trace, the older as `compare --json` saved it. A row is found again by its
// identity: mode, scenario, policy, automatic pausing. Rows of only one side are reported, not dropped.
// Traces are the same when name, start and judged time agree (a second of tolerance, since rounding
// differs between versions); others are refused, because a difference would mean nothing.

/// A document saved by `compare --json`.
package struct Baseline: Sendable {
  struct Row: Sendable, Equatable {
    var key: String
    var figures: [String: Double]
  }

  package let name: String
  package let profile: String
  /// Options by name.
  let settings: [String: String]
  let start: String?
  let judged: Double
  let isTotal: Bool
  let rows: [Row]

  /// Reads a document of the schema `milepost.compare/1`; unknown members are ignored.
  package init(_ document: JSONValue) throws(InputError) {
    guard let schema = document["schema"]?.string else {
      throw InputError("no member \"schema\": not a document of milepost compare --json")
    }
    guard schema == CompareJSON.schema.title else {
      throw InputError("its schema is \(schema), expected \(CompareJSON.schema.title)")
    }
    guard let trace = document["trace"], let name = trace["name"]?.string,
      let judged = trace["judged_s"]?.number, let runs = document["runs"]?.array
    else {
      throw InputError("trace.name, trace.judged_s or runs are missing")
    }
    guard (0...Self.most).contains(judged) else {
      throw InputError("trace.judged_s is \(judged), not a number from 0 to 1000000000000")
    }
    self.name = name
    self.judged = judged
    start = trace["start"]?.string
    profile = document["profile"]?.string ?? Figures.unknown
    settings = Self.settings(document)
    isTotal = document["total_of"]?.array?.isEmpty == false
    rows = try Self.rows(runs)
  }

  /// The greatest figure of any comparison.
  private static let most = 1e12

  private static func rows(_ runs: [JSONValue]) throws(InputError) -> [Row] {
    var rows: [Row] = []
    for run in runs {
      var row = Row(
        key: key(
          run["mode"]?.string ?? "?", run["scenario"]?.string ?? "?", run["policy"]?.string,
          run["auto_pause"]?.bool ?? false, armedBy: run["armed_by"]?.string,
          every: run["interval_s"]?.number, metres: run["distance_m"]?.number), figures: [:])
      for column in CompareColumns.all.shown(in: .compared) {
        guard let figure = run[column.key]?.number else { continue }
        guard (0...most).contains(figure) else {
          throw InputError(
            "\(column.key) of \(row.key) is \(figure), not a number from 0 to 1000000000000")
        }
        row.figures[column.key] = figure
      }
      rows.append(row)
    }
    return rows
  }

  /// The saved settings, and the number of worlds.
  private static func settings(_ document: JSONValue) -> [String: String] {
    var settings: [String: String] = [:]
    settings["worlds"] = document["worlds"]?.number.map { Figures.plain($0) }
    for member in document["settings"]?.members ?? [] {
      settings[member.key] = member.value.string
    }
    return settings
  }

  /// `significant, pocket, ios`, as a reader would name the row.
  static func key(
    _ mode: String, _ scenario: String, _ policy: String?, _ pauses: Bool, armedBy: String?,
    every interval: Double?, metres: Double?
  ) -> String {
    [
      mode, scenario, policy, pauses ? "pausing" : nil, armedBy,
      interval.map { "\(Figures.plain($0)) s" }, metres.map { "\(Figures.plain($0)) m" },
    ].compactMap(\.self).joined(separator: ", ")
  }

  /// Whether this is an older comparison of `trace`.
  package func isOf(_ trace: ComparedTrace) -> Bool { mismatch(trace) == nil }

  /// The reason why it is not; `nil` if it is.
  package func mismatch(_ trace: ComparedTrace) -> String? {
    if isTotal != trace.isTotal {
      return isTotal ? "it is the total of several traces" : "it is of one trace"
    }
    if name != trace.name { return "it is of \(name), not of \(trace.name)" }
    if start != trace.start?.rfc3339 {
      return "its trace starts at \(start ?? Figures.unknown), this one at "
        + (trace.start?.rfc3339 ?? Figures.unknown)
    }
    if (judged - trace.judged).magnitude > 1 {
      return "it judged \(Figures.span(judged)), this one \(Figures.span(trace.judged))"
    }
    return nil
  }
}
