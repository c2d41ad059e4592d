// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import Wording

// Theory
// ======
//
// What does not happen has no event. So while an app runs no code, what was judged for it is gathered, and when it
// runs again, or the trace is over, one line says how long nothing woke it, and why:
//
//   suspended ──── verdicts, plans of the receiver ──── woken
//       └ "not woken for 12 min: too close 410 × (at most 480 m of 500 m); the receiver off: …"

/// A stretch in which an app runs no code, and why nothing woke it.
struct Silence: Sendable {
  /// Where its line stands among the parts, and when it began, seconds from the begin.
  let place: Int
  let since: Double
  private var verdicts: [(outcome: Verdict.Outcome, count: Int, nearest: Verdict)] = []
  private var plan: ReceiverPlan?

  init(place: Int, since: Double, plan: ReceiverPlan?) {
    self.place = place
    self.since = since
    self.plan = plan
  }

  /// Below it nobody wonders, seconds [ours].
  private static let least = 600.0

  mutating func judged(_ verdict: Verdict) {
    guard verdict.outcome != .delivered else { return }
    guard let index = verdicts.firstIndex(where: { $0.outcome == verdict.outcome }) else {
      return verdicts.append((verdict.outcome, 1, verdict))
    }
    verdicts[index].count += 1
    if Self.isNearer(verdict, verdicts[index].nearest) { verdicts[index].nearest = verdict }
  }

  mutating func planned(_ plan: ReceiverPlan) { self.plan = plan }

  /// What the line says; `nil` where there is nothing to say.
  func words(until seconds: Double, isRunning: Bool) -> String? {
    guard seconds - since >= Self.least else { return nil }
    var reasons: [String] = []
    if !verdicts.isEmpty {
      reasons.append(verdicts.map(Self.words).joined(separator: ", "))
    }
    if case .off(let off)? = plan { reasons.append("receiver off, " + off.words(next: nil)) }
    guard !reasons.isEmpty else { return nil }
    return "not \(isRunning ? "woken" : "launched") for \(Figures.span(seconds - since)): "
      + reasons.joined(separator: "; ")
  }

  /// The one that was nearer to a wake has gone further of what was asked for.
  private static func isNearer(_ a: Verdict, _ b: Verdict) -> Bool {
    (a.moved ?? 0, a.since ?? 0) > (b.moved ?? 0, b.since ?? 0)
  }

  private static func words(_ entry: (outcome: Verdict.Outcome, count: Int, nearest: Verdict))
    -> String
  {
    let name = Names.words(entry.outcome.rawValue)
    let times = entry.count == 1 ? "" : " \(Figures.count(entry.count)) ×"
    let numbers = entry.nearest.numbers
    guard !numbers.isEmpty else { return name + times }
    return name + times + (entry.count == 1 ? " (" : " (the nearest: ") + numbers + ")"
  }
}
