// SPDX-License-Identifier: Apache-2.0

import FixFormats
import ServiceContract
import TraceFiles

extension TraceInput {
  /// Says on standard error what was skipped and everything odd, for output that has no place for it.
  func tellFaults() {
    var ledger = ledger
    for reason in ["blank", "comment", "not a position sentence", "separator"] {
      ledger.skipped[reason] = nil
    }
    file.tellFaults(ledger)
  }
}

extension TraceFile {
  /// Opens a trace, and says on standard error through which programs it is read if they are needed.
  static func open(_ path: String, reading: Reading = .again(.usual)) throws -> TraceFile {
    let file = try TraceFile(path: path, reading: reading)
    if let conversion = file.conversion { Console.remark("\(file.name): \(conversion.account)") }
    return file
  }

  /// Says on standard error what was skipped, with the first fault, and everything odd.
  func tellFaults(_ ledger: TraceLedger) {
    if !ledger.skipped.isEmpty {
      // The first fault may be a value that was left out, which has a line of its own.
      let hasUnread = ledger.findings.contains { $0.kind.hasPrefix("unread") }
      let fault = hasUnread ? nil : ledger.firstFault
      let first = fault.map { "; line \($0.line ?? 1): \($0.message)" } ?? ""
      Console.remark("\(name): skipped: \(Self.list(ledger.skipped))\(first)")
    }
    for finding in ledger.findings where !finding.text.hasPrefix("skipped: ") {
      Console.remark(
        "\(name): \(finding.text) (\(Figures.count(finding.count, "time", "times")))")
    }
  }

  /// `cut off 1, malformed 7`.
  static func list(_ counts: [String: Int]) -> String {
    counts.sorted { $0.key < $1.key }.map { "\($0.key) \(Figures.count($0.value))" }
      .joined(separator: ", ")
  }
}
