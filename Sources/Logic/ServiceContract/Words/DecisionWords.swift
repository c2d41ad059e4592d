// SPDX-License-Identifier: Apache-2.0

import JSONText
package import LocationEngine
package import LocationModel

// The words for a decision, in one place: the receiver's plan, a fix's verdict, a change of state. Logs, status,
// explanations, replays and the screen of a track all use them.

/// The time of a sentence: now, or an earlier instant.
package enum Tense: Sendable {
  case present
  case past
}

extension ReceiverPlan {
  /// `on`, `on for a session`, `off: another cell is awaited`; `next` is the time of the next session: `in 4 min`.
  package func words(next: String?) -> String {
    switch self {
    case .continuous: "on"
    case .session: "on for a session"
    case .off(let off): "off: " + off.words(next: next)
    }
  }
}

extension ReceiverPlan.Off {
  /// The reason why the receiver is off; `next` is the time of the next session, if known: `in 4 min`.
  package func words(next: String?, _ tense: Tense = .present) -> String {
    let isNow = tense == .present
    let session =
      "the next session "
      + (next.map { (isNow ? "is " : "was due ") + $0 } ?? (isNow ? "is awaited" : "was awaited"))
    let now: String
    let then: String
    switch self {
    case .nobodyAsks: (now, then) = ("nobody asks for locations", "nobody asked for locations")
    case .nobodyRuns:
      now = "the apps that asked do not run, and nothing wakes them"
      then = "the apps that asked did not run, and nothing woke them"
    case .awaitsCellChange: (now, then) = ("another cell is awaited", "another cell was awaited")
    case .awaitsInterval:
      let event = next.map { "the next event \(isNow ? "may" : "might") come \($0)" }
      now = "it is too soon after the last event" + (event.map { "; " + $0 } ?? "")
      then = "it was too soon after the last event" + (event.map { ", and " + $0 } ?? "")
    case .awaitsPlace:
      (now, then) = ("the phone looks for places by Wi-Fi", "the phone looked for places by Wi-Fi")
    case .awaitsSession: (now, then) = (session, session)
    case .awaitsHint:
      now = "the device rests; \(session), or when something moves"
      then = "the device rested, and \(session), or when something moved"
    case .awaitsNetwork:
      now = "the network is asked for a position; \(session)"
      then = "the network was asked for a position, and \(session)"
    case .positionHolds(_, let accuracy):
      let served = "for \(Self.words(accuracy: accuracy))"
      now = "the last position holds \(served); \(session)"
      then = "the last position held \(served), and \(session)"
    case .networkServes(let accuracy):
      let served = Self.words(accuracy: accuracy)
      (now, then) = ("network positions serve \(served)", "network positions served \(served)")
    case .networkMissing(_, let accuracy):
      let served = "no position for \(Self.words(accuracy: accuracy)), so the receiver"
      now = "the network has \(served) looks in short sessions; \(session)"
      then = "the network had \(served) looked in short sessions, and \(session)"
    case .awaitsMotion:
      (now, then) = ("motion is awaited", "motion was awaited")
    case .paused: (now, then) = ("updates are paused", "updates were paused")
    }
    return isNow ? now : then
  }

  /// `in 4 min`: the time of the next session, `seconds` from now.
  package static func next(in seconds: Double?) -> String? {
    seconds.map { "in \(Figures.span(max(0, $0)))" }
  }

  private static func words(accuracy: Double) -> String {
    accuracy < 1e9 ? "an accuracy of \(Int(accuracy.rounded())) m" : "reduced accuracy"
  }
}

extension RestBelief {
  /// `probably at rest (0.97) since 14:02`; `since` gives the time in words.
  package func words(since: String, _ tense: Tense = .present) -> String {
    // Rounded down: it is never certain.
    let chance = Decimal.text((chance * 100).rounded(.down) / 100, decimals: 2)
    return "\(tense == .past ? "it was" : "it is") probably at rest (\(chance)) since \(since)"
  }
}

extension MovementBelief {
  /// `probably moving (0.93), sooner on a ride than on foot, at some 14 m/s`.
  package func words(_ tense: Tense = .present) -> String {
    let chance = Decimal.text((chance * 100).rounded(.down) / 100, decimals: 2)
    let kinds = isRide ? "on a ride than on foot" : "on foot than on a ride"
    let pace = Decimal.text(pace, decimals: pace < 10 ? 1 : 0, trimmed: true)
    return "\(tense == .past ? "it was" : "it is") probably moving (\(chance)), sooner \(kinds), "
      + "at some \(pace) m/s"
  }
}

extension LookWorth {
  /// `a look is taken where it is expected to save 20 s of lateness`, and the terms behind that.
  package func words(_ tense: Tense = .present) -> String {
    let isTaken = tense == .past ? "was taken where it was" : "is taken where it is"
    var words = terms.isOnExternalPower ? "on external power " : ""
    let dear = Decimal.text(seconds, decimals: 1, trimmed: true)
    words += "a look \(isTaken) expected to save \(dear) s of lateness"
    if let price = terms.price {
      words += ", at \(Decimal.text(price * 1_000, decimals: 3, trimmed: true)) mJ a second"
    }
    if let longest = terms.longest {
      let late = Decimal.text(longest, decimals: 1, trimmed: true)
      let (likelier, comes) =
        tense == .past ? ("was likelier", "came") : ("is likelier", "comes")
      words += "; once an event \(likelier) than 1 in 20, a look \(comes) within \(late) s"
    }
    return words
  }
}

extension Verdict {
  /// `too soon (2110 m of 500 m, 123 s of 300 s)`; with `age`, seconds, `delivered 12 s ago`.
  package func words(age: Double? = nil) -> String {
    let ago =
      outcome == .delivered ? age.map { " \(Figures.span(max(0, $0))) ago" } ?? "" : ""
    return Names.words(outcome.rawValue) + ago + (numbers.isEmpty ? "" : " (\(numbers))")
  }

  /// The deciding numbers: `412 m of 500 m, 188 s of 300 s, accuracy 35 m`; empty if there are none.
  package var numbers: String {
    func part(_ value: Double?, of required: Double?, _ unit: String) -> String? {
      value.map {
        "\(Figures.whole($0)) \(unit)" + (required.map { " of \(Figures.whole($0)) \(unit)" } ?? "")
      }
    }
    return [
      zone.map { "inside the zone '\($0)'" },
      part(moved, of: movedRequired, "m"), part(since, of: sinceRequired, "s"),
      part(accuracy, of: nil, "m").map { "accuracy \($0)" },
    ].compactMap(\.self).joined(separator: ", ")
  }
}

extension LifecycleTransition {
  /// `not running to inactive: launched by the service`.
  package func words() -> String { "\(from.words) to \(to.words): \(reason.text)" }
}
