// SPDX-License-Identifier: Apache-2.0

import JSONText

/// When a sink's deliveries may go: the keys of `[sink]` that mean the same for each kind of sink.
package struct SinkSchedule: Sendable, Equatable {
  /// Whether each delivery goes at once. What is not urgent waits for more, or for a radio that is on anyway.
  package var isUrgent = true
  /// Seconds for which a delivery that is not urgent waits at most.
  package var maxDelay = 900.0
  /// Whether what waits goes along when the radio is on for something else.
  package var rides = true
  /// Whether a newer delivery replaces those that wait: for a receiver that knows the present position only.
  package var keepsLast = false
  /// Whether it waits while the connection is metered.
  package var sparesMetered = false

  /// Seconds of `max_delay_s` at most: a week.
  package static let longestDelay = 7 * 86_400.0

  package init() {}

  /// Reads the keys, and notes what is wrong with them.
  package init(_ table: inout SettingsTable) {
    isUrgent = table.bool("urgent") ?? true
    maxDelay =
      table.number("max_delay_s", in: 0...Self.longestDelay, unit: "seconds") ?? maxDelay
    rides = table.bool("rides") ?? true
    keepsLast = table.choice("keep", among: Keeping.allCases) == .last
    sparesMetered = table.choice("on_metered", among: Metered.allCases) == .wait
    guard isUrgent else { return }
    for key in ["max_delay_s", "rides"] where table.states(key) {
      table.note(key, "an urgent sink does not wait; say urgent = false")
    }
  }

  /// What a stored sink says; it was looked at when it was added.
  package init(_ settings: SinkSettings) {
    var table = SettingsTable(settings.table, file: "")
    self.init(&table)
  }

  private enum Keeping: String, CaseIterable { case all, last }
  private enum Metered: String, CaseIterable { case send, wait }
}

extension SinkSettings {
  /// The other side's host, as `url` or `host` has it; `nil` of a sink that sends nothing over a network.
  package var host: Substring? {
    let members = table.members ?? []
    let text = { (key: String) in members.first { $0.key == key }?.value.string }
    guard let url = text("url") else { return text("host")?[...] }
    var rest = url[...]
    if let scheme = Self.firstRange(of: "://", in: rest) { rest = rest[scheme.upperBound...] }
    rest = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    if let at = rest.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
    if rest.first == "[" { return rest.dropFirst().prefix { $0 != "]" } }
    return rest.prefix { $0 != ":" }
  }

  /// Whether it needs a network to get through: not into a file, nor to this machine.
  package var needsNetwork: Bool {
    guard let host else { return false }
    return host != "localhost" && host != "::1" && !host.hasPrefix("127.")
  }

  private static func firstRange(
    of mark: String, in text: Substring
  ) -> Range<Substring.Index>? {
    var start = text.startIndex
    while start < text.endIndex {
      if text[start...].hasPrefix(mark) {
        return start..<text.index(start, offsetBy: mark.count)
      }
      start = text.index(after: start)
    }
    return nil
  }
}
