// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import LocationEngine
import LocationModel
import RadioPower
import ServiceContract
import ServiceCore

/// `milepost track` on a terminal: the state as lines of text, a pure function.
package enum TrackScreen {
  /// Columns before the text of a row.
  private static let indent = 11

  /// The lines, each at most `width` columns and at most `height` in all: rows that do not fit are left out, the oldest
  /// remarks first. Long texts wrap to the next line.
  package static func lines(
    _ state: TrackState, remarks: [String] = [], width: Int, height: Int = .max
  ) -> [String] {
    let policy = state.policy.map { " (policy \($0))" } ?? ""
    let rows: [(String, String)] = [
      ("mode", state.mode.rawValue + policy),
      ("gpsd", state.link),
      ("fix", fix(state)),
      ("receiver", receiver(state)),
      ("app", state.appState.words),
      ("delivered", delivered(state)),
      ("last fix", verdict(state)),
      ("energy", energy(state)),
      ("battery", battery(state)),
    ]
    let head = "milepost track · \(state.now.rfc3339) · \(Figures.span(state.elapsed))"
    var lines = ScreenLines.wrapped(head + " · Ctrl-C ends it", indent: 0, width: width) + [""]
    for (name, text) in rows {
      let pad = String(repeating: " ", count: indent - name.count)
      lines += ScreenLines.wrapped(
        name + pad + Quoted.plain(text), indent: indent, width: width)
    }
    lines = Array(lines.prefix(max(0, height)))
    var below: [String] = []
    for remark in remarks.reversed() {
      let more =
        ScreenLines.wrapped("- " + Quoted.plain(remark), indent: 2, width: width) + below
      guard lines.count + 1 + more.count <= height else { break }
      below = more
    }
    return below.isEmpty ? lines : lines + [""] + below
  }

  private static func fix(_ state: TrackState) -> String {
    if let zone = state.hiddenIn { return "hidden: inside the zone '\(zone)'" }
    guard let fix = state.fix, let age = state.fixAge else {
      return state.isSearching ? "none yet; the receiver searches" : "none yet"
    }
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
    parts.append(ago(age))
    if state.isSearching, age >= 1.5 { parts.append("and none since") }
    return parts.joined(separator: "  ")
  }

  private static func ago(_ age: Double) -> String {
    age < 1.5 ? "now" : "\(Figures.span(age)) ago"
  }

  private static func receiver(_ state: TrackState) -> String {
    let known = state.isReceiverKnown ? state.receiver : "but nobody knows what it does"
    let words = state.plan.words(next: ReceiverPlan.Off.next(in: state.nextSession))
    if state.plan.isOn { return "\(words), \(known)" }
    return words + (state.receiver == "held" ? "; gpsd still holds the device" : "")
  }

  private static func delivered(_ state: TrackState) -> String {
    let of = "\(Figures.count(state.deliveries)) of \(Figures.count(state.fixes, "fix", "fixes"))"
    guard let age = state.deliveryAge else { return of }
    return "\(of); the last \(ago(age))"
  }

  private static func verdict(_ state: TrackState) -> String {
    state.verdict.map { $0.words() } ?? "not judged yet"
  }

  private static func energy(_ state: TrackState) -> String {
    let energy = state.energy
    let metered = state.metered
    let power = metered > 0 ? Figures.power(energy.nominal / metered * 1_000) : Figures.unknown
    let unknown = state.elapsed - metered
    let gap = unknown < 1 ? "" : "; nothing is counted for \(Figures.span(unknown)) of it"
    return
      "\(Figures.energy(energy.nominal, from: energy.low, to: energy.high)), \(power) on the average, modelled for "
      + state.profile + gap
  }

  /// The energy of a day at this rate.
  private static func battery(_ state: TrackState) -> String {
    guard state.metered >= 60 else { return "told after a minute" }
    guard state.battery > 0 else { return "\(state.profile) has none" }
    let share = state.energy.nominal / state.battery * 100
    let daily = share / state.metered * 86_400
    return "\(Figures.percent(share)) so far; \(Figures.percent(daily)) in a day like this"
  }
}
