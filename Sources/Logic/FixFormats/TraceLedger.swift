// SPDX-License-Identifier: Apache-2.0

/// The account of everything that a decoder read: `read` = `used` + the sum of `skipped`.
///
/// Its memory does not grow with the trace: reasons and kinds of findings are closed lists, and of
/// each kind only the first few places are kept.
package struct TraceLedger: Sendable, Equatable {
  /// The unit of the counts.
  package enum Unit: String, Sendable {
    case lines
    case points
  }

  package let unit: Unit
  package var read = 0
  /// Units that contributed to a fix or a "no fix" epoch, to the sky, to dates, or to structure.
  package var used = 0
  /// Units that did not, by reason; the key is a short phrase such as `checksum wrong`.
  package var skipped: [String: Int] = [:]
  /// The first unit that could not be read, as `--strict` would say it.
  package private(set) var firstFault: TraceError?
  package var fixes = 0
  package var noFixEpochs = 0
  /// Oddities in the order in which each kind was first seen.
  package var findings: [Finding] = []
  /// Sentences or messages by type (`GPRMC`, `TPV`), bounded; the rest is counted under `other`.
  package private(set) var types: [String: Int] = [:]
  /// Stated values without a place in a trace, by their name in the file, bounded like `types`: a heart
  /// rate, a track's name.
  package private(set) var unused: [String: Int] = [:]
  /// Whether any date was seen or given; a dateless trace has times of day only.
  package var isDated = true
  /// Minutes east of UTC, of the first time stamp that states them; `nil` if all are in UTC (`Z`) or
  /// without a zone.
  package var utcOffset: Int?
  /// Satellites used, over all fixes that state them.
  package var satellites = Extent()
  /// Satellites in view, over all epochs that state them.
  package var satellitesInView = Extent()
  /// Signal strength (C/N0) over all satellites, dB-Hz.
  package var signal = Extent()

  /// The number of places kept for a finding.
  package static let placesPerFinding = 5
  /// The number of separate sentence types.
  package static let typeLimit = 64

  package init(unit: Unit) { self.unit = unit }

  /// An oddity that a reader of the trace should know.
  package struct Finding: Sendable, Equatable {
    /// A closed, stable word for machines, such as `week_rollover`.
    package let kind: String
    /// One sentence in plain words.
    package let text: String
    package var count: Int
    /// The first lines on which it was seen, at most `placesPerFinding`.
    package var lines: [Int]

    package init(kind: String, text: String, count: Int, lines: [Int]) {
      (self.kind, self.text, self.count, self.lines) = (kind, text, count, lines)
    }
  }

  /// Smallest, largest and mean of a quantity.
  package struct Extent: Sendable, Equatable {
    package private(set) var count = 0
    package private(set) var least = 0.0
    package private(set) var greatest = 0.0
    /// The sum of the values in units of 2⁶⁴, so that no sum of finite values is infinite.
    private var sum = 0.0
    private static let unit = 0x1p64
    private static let units = 0x1p-64

    package init() {}

    /// The mean, or `nil` if nothing was counted.
    package var mean: Double? { count == 0 ? nil : sum / Double(count) * Self.unit }

    /// Takes a value that came `times` times, 1 or more.
    package mutating func include(_ value: Double, times: Int = 1) {
      least = count == 0 ? value : min(least, value)
      greatest = count == 0 ? value : max(greatest, value)
      sum += value * Self.units * Double(times)
      count += times
    }
  }

  package mutating func skip(_ reason: String, times: Int = 1) {
    skipped[reason, default: 0] += times
  }

  /// Keeps a unit that could not be read if it is the first; with `strict` it is an error.
  mutating func keepFault(
    line: Int, strict: Bool, _ message: @autoclosure () -> String
  ) throws(TraceError) {
    guard strict || firstFault == nil else { return }
    let fault = TraceError(.malformed, line: line, message())
    if strict { throw fault }
    firstFault = fault
  }

  package mutating func note(_ kind: String, _ text: @autoclosure () -> String, line: Int) {
    guard let index = findings.firstIndex(where: { $0.kind == kind }) else {
      findings.append(Finding(kind: kind, text: text(), count: 1, lines: [line]))
      return
    }
    findings[index].count += 1
    if findings[index].lines.count < Self.placesPerFinding { findings[index].lines.append(line) }
  }

  /// Notes a last line without an end: its writer may have been stopped within it.
  mutating func noteOpenEnd(line: Int) {
    note("open_end", "the last line has no end: its last value may be cut", line: line)
  }

  package mutating func count(type: String, times: Int = 1) {
    Self.count(type, times, to: &types)
  }

  package mutating func count(unused name: String, times: Int = 1) {
    Self.count(name, times, to: &unused)
  }

  private static func count(_ name: String, _ times: Int, to counts: inout [String: Int]) {
    let isTold = counts[name] != nil || counts.count < typeLimit
    counts[isTold ? name : "other", default: 0] += times
  }
}
