// SPDX-License-Identifier: Apache-2.0

import JSONText

/// The schedule of a sink's deliveries: the keys of `sink` with the same meaning for each kind of sink.
package struct SinkSchedule: Sendable, Equatable {
  /// Whether a delivery waits for others (`urgent`, `max_delay_s`, `rides`).
  package enum Departure: Sendable, Equatable {
    /// Each goes at once.
    case atOnce
    /// They go when the oldest has waited for this many seconds; if they ride, also when the radio is on for
    /// something else.
    case gathered(within: Double, rides: Bool)
  }

  /// The waiting events to keep (`keep`).
  package enum Keeping: String, Sendable, CaseIterable {
    case all
    /// A newer one replaces them: for a receiver that needs only the present position.
    case last
  }

  /// What becomes of them while the connection is metered (`on_metered`).
  package enum OnMetered: String, Sendable, CaseIterable {
    case send
    case wait
  }

  package let departure: Departure
  package let keeping: Keeping
  package let onMetered: OnMetered
  /// Seconds of silence after which a sink at rest repeats its position (`heartbeat_s`); `nil` if it never does.
  package let heartbeat: Double?

  /// The default of `max_delay_s`, seconds, and the maximum: a week.
  package static let usualDelay = 900.0
  package static let longestDelay = 7 * 86_400.0
  /// The default of `heartbeat_s`, seconds, of a sink that has an other side, and the minimum of one that is not off
  /// [ours: an hour is below the silence after which Dawarich's and GeoPulse's defaults see a gap].
  package static let usualHeartbeat = 3_600.0
  package static let shortestHeartbeat = 60.0

  /// The keys.
  package static let keys = ["heartbeat_s", "urgent", "max_delay_s", "rides", "keep", "on_metered"]

  /// Reads the keys, and notes their faults. A file has no reader that waits: its usual heartbeat is none.
  package init(_ table: inout SettingsTable) {
    let seconds =
      table.number("heartbeat_s", in: 0...Self.longestDelay, unit: "seconds")
      ?? (table.states("url") ? Self.usualHeartbeat : 0)
    heartbeat = seconds > 0 ? seconds : nil
    if let heartbeat, heartbeat < Self.shortestHeartbeat {
      table.noteProblem(
        at: "heartbeat_s",
        "\(Decimal.shortest(heartbeat)) is too often; say at least "
          + "\(Decimal.shortest(Self.shortestHeartbeat)), or 0 for none")
    }
    let isUrgent = table.bool("urgent") ?? true
    let delay = table.number("max_delay_s", in: 0...Self.longestDelay, unit: "seconds")
    let rides = table.bool("rides") ?? true
    departure =
      isUrgent ? .atOnce : .gathered(within: delay ?? Self.usualDelay, rides: rides)
    keeping = table.choice("keep", among: Keeping.allCases) ?? .all
    onMetered = table.choice("on_metered", among: OnMetered.allCases) ?? .send
    guard isUrgent else { return }
    for key in ["max_delay_s", "rides"] where table.states(key) {
      table.noteProblem(at: key, "an urgent sink does not wait; say urgent: false")
    }
  }

  /// The schedule of a stored sink, which was checked when it was added.
  package init(_ settings: SinkSettings) {
    var table = SettingsTable(settings.table, file: "")
    self.init(&table)
  }
}

extension SinkSettings {
  /// The other side's host, as in `url`; `nil` for a sink that sends nothing over a network.
  package var host: Substring? {
    guard let url = table["url"]?.string else { return nil }
    var rest = url[...]
    if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
    rest = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    if let at = rest.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
    if rest.first == "[" { return rest.dropFirst().prefix { $0 != "]" } }
    return rest.prefix { $0 != ":" }
  }

  /// Whether it needs a network: not into a file, nor to this machine.
  package var needsNetwork: Bool { host.map { !Loopback.holds($0) } ?? false }

  /// Whether it needs a way out of the local network.
  package var needsWayOut: Bool { needsNetwork && host.map { !LocalNetwork.holds($0) } ?? false }
}
