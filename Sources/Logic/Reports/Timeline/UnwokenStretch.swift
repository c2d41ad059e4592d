// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import ServiceContract

// Theory
// ======
//
// A missing event leaves no trace. So while an app runs no code, its verdicts are gathered, and when it runs again, or
// the trace is over, one line says how long nothing woke it, and why:
//
//   suspended ──── verdicts, plans of the receiver ──── woken
//       └ "not woken for 12 min: too close 410 × (at most 480 m of 500 m); the receiver off: …"

/// A stretch in which an app runs no code, and the reasons why nothing woke it.
struct UnwokenStretch: Sendable {
  /// The index of its line among the parts, and its start, seconds from the beginning.
  let place: Int
  let since: Double
  private var verdicts: [Judged] = []
  private var plan: ReceiverPlan?
  /// The reasons why no location would have woken it, and when each began, in seconds; `nil` while one would have.
  private var refusals: [(why: NotWoken?, since: Double)]

  init(place: Int, since: Double, plan: ReceiverPlan?, refusal: NotWoken?) {
    self.place = place
    self.since = since
    self.plan = plan
    refusals = [(refusal, since)]
  }

  /// The shortest stretch worth explaining, seconds [ours].
  private static let least = 600.0

  /// Equal verdicts, and the one nearest to a wake.
  private struct Judged: Sendable {
    let isBorder: Bool
    var count = 1
    var nearest: Verdict
  }

  /// `isBorder` for a verdict about a region.
  mutating func judged(_ verdict: Verdict, isBorder: Bool = false) {
    guard verdict.outcome != .delivered else { return }
    let same = verdicts.firstIndex {
      $0.isBorder == isBorder && $0.nearest.outcome == verdict.outcome
    }
    guard let same else {
      return verdicts.append(Judged(isBorder: isBorder, nearest: verdict))
    }
    verdicts[same].count += 1
    if Self.isNearer(verdict, verdicts[same].nearest) { verdicts[same].nearest = verdict }
  }

  mutating func planned(_ plan: ReceiverPlan) { self.plan = plan }

  /// From now on no location wakes it, for that reason; with `nil` one does again.
  mutating func refused(_ why: NotWoken?, at seconds: Double) { refusals.append((why, seconds)) }

  /// The text of the line; `nil` if there is none.
  func reason(until seconds: Double, isRunning: Bool) -> String? {
    guard seconds - since >= Self.least else { return nil }
    var (reasons, isRefused) = refusals(until: seconds)
    if !verdicts.isEmpty {
      reasons.append(verdicts.map(Self.refusal).joined(separator: ", "))
    }
    if case .off(let off)? = plan, !isRefused {
      reasons.append("receiver off, " + off.words(next: nil))
    }
    guard !reasons.isEmpty else { return nil }
    return "not \(isRunning ? "woken" : "launched") for \(Figures.span(seconds - since)): "
      + reasons.joined(separator: "; ")
  }

  /// The refusals, each with its part of the stretch, and whether they are all of it.
  private func refusals(until seconds: Double) -> (words: [String], areAll: Bool) {
    var lasted: [(why: NotWoken, seconds: Double)] = []
    for (index, refusal) in refusals.enumerated() {
      let end = index + 1 < refusals.count ? refusals[index + 1].since : seconds
      guard let why = refusal.why, end > refusal.since else { continue }
      if let same = lasted.firstIndex(where: { $0.why == why }) {
        lasted[same].seconds += end - refusal.since
      } else {
        lasted.append((why, end - refusal.since))
      }
    }
    let words = lasted.map { why, lasted in
      // The instant in which it began is not worth a word.
      lasted > seconds - since - 1.5
        ? why.words : "for \(Figures.span(lasted)) \(why.words)"
    }
    return (words, lasted.reduce(0) { $0 + $1.seconds } > seconds - since - 1.5)
  }

  /// The one nearer to a wake has reached a greater share of the requirement.
  private static func isNearer(_ a: Verdict, _ b: Verdict) -> Bool {
    (a.moved ?? 0, a.since ?? 0) > (b.moved ?? 0, b.since ?? 0)
  }

  /// `too close 14 × (the nearest: 480 m of 500 m, …)`.
  private static func refusal(_ judged: Judged) -> String {
    let nearest = judged.nearest
    guard judged.count > 1 else { return judged.isBorder ? nearest.borderWords : nearest.words() }
    let numbers = judged.isBorder ? nearest.borderNumbers : nearest.numbers
    return "\(Names.words(nearest.outcome.rawValue)) \(Figures.count(judged.count)) ×"
      + (numbers.isEmpty ? "" : " (the nearest: \(numbers))")
  }
}
