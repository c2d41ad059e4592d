// SPDX-License-Identifier: Apache-2.0

import Host
import JSONText
import Logging

/// Log lines in journald's form: prefixed with a priority if standard error is the journal
/// (sd-daemon(3)), else with `milepostd: `.
struct JournalLog: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel: Logger.Level
  private let isJournal: Bool

  init(level: Logger.Level) {
    logLevel = level
    isJournal = Systemd.isJournalOnStderr
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let front = isJournal ? Systemd.journaldPrefix(event.level.systemd) : "milepostd: "
    let mark = !isJournal && event.level >= .warning ? "\(event.level): " : ""
    // One line per message, whatever it holds.
    let text = event.message.description.split(whereSeparator: \.isNewline).joined(separator: " ")
    Terminal.error("\(front)\(mark)\(Quoted.plain(text))\n")
  }
}

extension Logger.Level {
  fileprivate var systemd: Systemd.Priority {
    switch self {
    case .trace, .debug: .debug
    case .info: .info
    case .notice: .notice
    case .warning: .warning
    case .error: .error
    case .critical: .critical
    }
  }
}
