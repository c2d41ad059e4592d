// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import Geodesy
import JSONText
import LocationEngine
import LocationModel
import RadioPower
package import Replay
import Wording

/// `milepost replay`: one line per event, for people.
package enum ReplayText {
  /// One event's line, without a line feed.
  package static func line(_ event: ReplayEvent) -> String {
    let (kind, words) = words(event)
    let text = (event.name.map { $0 + ": " } ?? "") + words
    let blanks = String(repeating: " ", count: max(1, 9 - kind.count))
    return "\(event.time.rfc3339)  \(kind)\(blanks)\(text)"
  }

  /// The last lines.
  package static func totals(_ totals: ReplayTotals) -> String {
    let row = totals.row
    let energy = row.energy.printedTotal
    let range = Figures.energyRange(energy.low, energy.high, around: energy.nominal)
    return Paragraph.text(
      "\(row.name): \(Figures.energy(energy.nominal)) (\(range)) above the baseline in "
        + "\(Figures.span(totals.judged)), modelled; receiver on for "
        + "\(Figures.span(row.receiverOn)); \(Figures.count(row.deliveries, "delivery", "deliveries")), "
        + "\(Figures.count(row.wakes, "wake", "wakes")), "
        + "\(Figures.count(row.launches, "launch", "launches")); \(blind(row))")
  }

  private static func blind(_ row: ModeRow) -> String {
    row.blindSeconds == 0
      ? "never blind"
      : "blind for \(Figures.span(row.blindSeconds)) over \(Figures.distance(row.blindMetres))"
  }

  private static func words(_ event: ReplayEvent) -> (String, String) {
    switch event.kind {
    case .decided(let command): words(command, event)
    case .callbacks(_, let callbacks):
      ("app", "told " + callbacks.map(\.text).joined(separator: ", "))
    case .radio(let event): ("radio", "\(event.words.component) \(event.words.state)")
    case .gap(let start, let end, let cause):
      (
        "gap",
        "\(Figures.span(UTCInstant.seconds(from: start, to: end))) to \(end.rfc3339): \(cause)"
      )
    }
  }

  private static func words(
    _ command: EngineCommand, _ event: ReplayEvent
  ) -> (String, String) {
    switch command {
    case .deliver(_, let delivery): ("deliver", text(delivery))
    case .transition(_, let transition):
      ("app", "\(transition.from.words) → \(transition.to.words): \(transition.reason.text)")
    case .paused: ("app", "updates paused: the device is still")
    case .motion: ("app", "told that the device moves")
    case .launch(_, let options): ("launch", "in the background, for \(options.reason.rawValue)")
    case .receiver(let plan): ("receiver", plan.words(at: event))
    case .verdict(_, let service, let verdict, let fixTime):
      ("verdict", text(verdict, of: service, fixTime))
    // These are in no account.
    case .requestNetworkPosition, .requestFailed, .asksUser, .listen, .ignored: ("", "")
    }
  }

  private static func text(_ delivery: Delivery) -> String {
    let place = delivery.fix.coordinate
    var text = "\(delivery.service.rawValue) "
    text += Decimal.text(place.latitude, decimals: 6) + " "
    text += Decimal.text(place.longitude, decimals: 6)
    if let accuracy = delivery.fix.horizontalAccuracy {
      text += " ±\(Decimal.text(accuracy, decimals: 0)) m"
    }
    if delivery.isCached { text += " (cached)" }
    if let moved = delivery.moved, let since = delivery.since {
      text += ", \(Decimal.text(moved, decimals: 0)) m and \(Decimal.text(since, decimals: 0)) s "
      text += "after the last"
    }
    return text
  }

  private static func text(
    _ verdict: Verdict, of service: Service, _ fixTime: UTCInstant?
  ) -> String {
    let numbers = VerdictWords.numbers(verdict)
    let fix = fixTime.map { " fix of \($0.rfc3339)" } ?? ""
    return "\(service.rawValue)\(fix): \(verdict.outcome.rawValue)"
      + (numbers.isEmpty ? "" : " (\(numbers))")
  }
}
