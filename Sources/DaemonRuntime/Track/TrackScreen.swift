// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import LocationEngine
import LocationModel
import RadioPower
import Reports

/// `milepost track` on a terminal: the state as lines of text, a pure function.
package enum TrackScreen {
  /// The lines, each at most `width` columns.
  package static func lines(_ state: TrackState, width: Int) -> [String] {
    let elapsed = UTCInstant.seconds(from: state.startedAt, to: state.now)
    let policy = state.policy.map { " (policy \($0))" } ?? ""
    let rows: [(String, String)] = [
      ("mode", state.mode.rawValue + policy),
      ("gpsd", state.link),
      ("fix", fix(state)),
      ("receiver", receiver(state)),
      ("app", state.appState.words),
      ("delivered", delivered(state)),
      ("last fix", verdict(state)),
      ("energy", energy(state, elapsed: elapsed)),
      ("battery", battery(state, elapsed: elapsed)),
    ]
    var lines = [
      "milepost track · \(state.now.rfc3339) · \(Figures.span(elapsed)) · Ctrl-C ends it", "",
    ]
    for (name, text) in rows {
      lines.append(name + String(repeating: " ", count: 11 - name.count) + text)
    }
    return lines.map { String($0.prefix(width)) }
  }

  private static func fix(_ state: TrackState) -> String {
    guard let fix = state.fix, let age = state.fixAge else { return "none yet" }
    var parts = [
      Decimal.text(fix.coordinate.latitude, decimals: 6) + " "
        + Decimal.text(fix.coordinate.longitude, decimals: 6)
    ]
    if let accuracy = fix.horizontalAccuracy {
      parts.append("±\(Decimal.text(accuracy, decimals: 0)) m")
    }
    if let speed = fix.speed { parts.append("\(Decimal.text(speed * 3.6, decimals: 0)) km/h") }
    if let course = fix.course { parts.append("\(Decimal.text(course, decimals: 0))°") }
    if let satellites = fix.satellites { parts.append("\(satellites) satellites") }
    parts.append(age < 1.5 ? "now" : "\(Figures.span(age)) ago")
    return parts.joined(separator: "  ")
  }

  private static func receiver(_ state: TrackState) -> String {
    switch state.plan {
    case .continuous: return "on, \(state.receiver)"
    case .session: return "on for a session, \(state.receiver)"
    case .off(let reason):
      let rest = state.receiver == "held" ? "; gpsd still holds the device" : ""
      return "off: \(reason.words(nextIn: state.nextSession))\(rest)"
    }
  }

  private static func delivered(_ state: TrackState) -> String {
    let of = "\(Figures.count(state.deliveries)) of \(Figures.count(state.fixes, "fix", "fixes"))"
    guard let age = state.deliveryAge else { return of }
    return "\(of); the last \(age < 1.5 ? "now" : "\(Figures.span(age)) ago")"
  }

  private static func verdict(_ state: TrackState) -> String {
    guard let verdict = state.verdict else { return "not judged yet" }
    let numbers = VerdictWords.numbers(verdict)
    return verdict.outcome.rawValue + (numbers.isEmpty ? "" : " (\(numbers))")
  }

  private static func energy(_ state: TrackState, elapsed: Double) -> String {
    let energy = state.energy
    let range = Figures.energyRange(energy.low, energy.high, around: energy.nominal)
    let power = elapsed > 0 ? Figures.power(energy.nominal / elapsed * 1_000) : Figures.unknown
    return "\(Figures.energy(energy.nominal)) (\(range)), \(power) on the average, modelled for "
      + state.profile
  }

  /// What a day like this would take.
  private static func battery(_ state: TrackState, elapsed: Double) -> String {
    guard elapsed >= 60, state.battery > 0 else { return "told after a minute" }
    let share = state.energy.nominal / state.battery * 100
    let daily = share / elapsed * 86_400
    return "\(Figures.percent(share)) so far; \(Figures.percent(daily)) in a day like this"
  }
}
