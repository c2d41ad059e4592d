// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Glibc
import Reports
import TraceFiles

/// Prints a log, and then its new entries.
struct LogFollower {
  private let app: String
  private let count: Int
  /// Microseconds between two queries.
  private static let pause: UInt32 = 500_000

  init(_ app: String, count: Int) {
    self.app = app
    self.count = count
  }

  /// Ends if there is no reader any more, or the service is gone.
  func followLog(of service: ServiceOptions) throws {
    let output = try OutputFile(path: nil)
    var shown: [LogDocument.Entry] = []
    var isFirst = true
    while !output.isClosed {
      let limit = isFirst ? count : Int(ClientMessage.logLimit)
      let log: LogDocument? = try service.ask(.log(app, count: limit))
      let entries = log?.entries ?? []
      let new = isFirst ? entries : Self.added(to: shown, in: entries)
      if !new.isEmpty {
        try output.write(
          AppText.report(log: LogDocument(app: app, entries: new)).text(Console.style))
        try output.flush()
      }
      if !entries.isEmpty { shown = entries }
      isFirst = false
      usleep(Self.pause)
    }
  }

  /// The entries after the last one that was shown.
  static func added(
    to shown: [LogDocument.Entry], in entries: [LogDocument.Entry]
  ) -> [LogDocument.Entry] {
    guard let last = shown.last, let place = entries.lastIndex(of: last) else { return entries }
    return Array(entries[(place + 1)...])
  }
}
