// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// An app of `newsstand-content` has the system download its issues: that goes on while the app is suspended, or has no
// process, and its end wakes or launches the app, be it complete or failed (Apple's Newsstand Kit Framework Reference).
//
//   asked for ─► the mode declared, in an era that has it? ──no──► nothing
//                   │ yes
//                   ▼
//                under way ── all bytes are there ──┐
//                   └──────── no network ───────────┴─► over ─► an event `newsstand` for the app

/// The downloads of issues under way, in the order in which they were asked for.
struct IssueDownloads: Sendable {
  private struct Download: Sendable {
    let app: String
    var until: EngineInstant
  }

  private var all: [Download] = []

  /// The time when the first is over; `nil` without any.
  var nextDeadline: EngineInstant? { all.map(\.until).min() }

  mutating func begin(for app: String, until: EngineInstant) {
    all.append(Download(app: app, until: until))
  }

  /// All fail now: there is no network.
  mutating func fail(at now: EngineInstant) {
    for index in all.indices { all[index].until = min(all[index].until, now) }
  }

  /// Returns the app of one that is over, and forgets the download.
  mutating func next(at now: EngineInstant) -> String? {
    guard let index = all.firstIndex(where: { $0.until <= now }) else { return nil }
    return all.remove(at: index).app
  }
}
