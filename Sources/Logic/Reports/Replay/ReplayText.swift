// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import LocationEngine
import LocationModel
import RadioPower
package import Replay
import ServiceContract

/// `milepost replay`: one line per event, for people.
package enum ReplayText {
  /// One event's line, without a line feed.
  package static func line(event: ReplayEvent) -> String {
    let (kind, words) = account(of: event)
    let text = (event.name.map { $0 + ": " } ?? "") + words
    let blanks = String(repeating: " ", count: max(1, 9 - kind.count))
    return "\(event.time.rfc3339)  \(kind)\(blanks)\(text)"
  }

  /// The last lines.
  package static func totals(_ totals: ReplayTotals) -> Report {
    let row = totals.row
    let energy = row.total
    return Report {
      RegionWords.nodes(totals)
      Node.sentence(
        "\(row.name): \(Figures.energy(energy.nominal, from: energy.low, to: energy.high)) above the baseline in "
          + "\(Figures.span(totals.judged)), modelled; "
          + Figures.receiver(on: row.receiverOn) + "; "
          + "\(Figures.life(deliveries: row.deliveries, row.wakes, row.launches)); \(blind(row))")
    }
  }

  private static func blind(_ row: ModeRow) -> String {
    row.blindSeconds == 0
      ? "never blind"
      : "blind for \(Figures.span(row.blindSeconds)) over \(Figures.distance(row.blindMetres))"
  }

  private static func account(of event: ReplayEvent) -> (String, String) {
    switch event.kind {
    case .decided(let command): account(of: command, event)
    case .callbacks(_, let callbacks):
      ("app", "told " + callbacks.map(\.text).joined(separator: ", "))
    case .radio(let event): ("radio", "\(event.words.component) \(event.words.state)")
    case .gap(let start, let end, let cause):
      (
        "gap",
        "\(Figures.span(UTCInstant.seconds(from: start, to: end))) to \(end.rfc3339): \(cause)"
      )
    case .user(let what): ("user", what.words)
    case .did(let words): ("app", words)
    case .sent(let transfer): ("sink", transfer.words)
    case .refused(let why): ("refused", why)
    case .notPlayed(let act): ("user", "never came: \(act.when.words), \(act.what.words)")
    }
  }

  private static func account(
    of command: EngineCommand, _ event: ReplayEvent
  ) -> (String, String) {
    switch command {
    case .deliver(_, let delivery): ("deliver", text(delivery: delivery))
    case .transition(_, let transition):
      ("app", transition.words())
    case .launch(_, let options): ("launch", "in the background: \(options.reason.words)")
    case .receiver(let plan):
      ("receiver", plan.words(next: event.time(of: plan).map { "at \($0.rfc3339)" }))
    case .verdict(_, let service, let verdict, let fixTime):
      ("verdict", text(verdict: verdict.words(), of: service.rawValue, fixTime))
    case .place(_, .event): ("place", command.note ?? "")
    case .place(_, .verdict(let region, let verdict, let fixTime)):
      ("verdict", text(verdict: verdict.borderWords, of: "region '\(region)'", fixTime))
    case .paused, .motion, .deferralEnded, .heading, .work, .notWoken, .unreachable, .tasksExpire,
      .notify,
      .audioStopped, .memoryTaken:
      ("app", command.note ?? "")
    // No account has these.
    case .place, .requestNetworkPosition, .requestFailed, .asksUser, .listen, .ignored:
      ("", "")
    }
  }

  private static func text(delivery: Delivery) -> String {
    let place = delivery.fix.coordinate
    var text = "\(delivery.service.rawValue) "
    text += Decimal.text(place.latitude, decimals: 6) + " "
    text += Decimal.text(place.longitude, decimals: 6)
    if let accuracy = delivery.fix.horizontalAccuracy {
      text += " ±\(Figures.whole(accuracy)) m"
    }
    if delivery.isCached { text += " (cached)" }
    if let moved = delivery.moved, let since = delivery.since {
      text += ", \(Figures.whole(moved)) m and \(Figures.whole(since)) s "
      text += "after the last"
    }
    return text
  }

  private static func text(
    verdict: String, of what: String, _ fixTime: UTCInstant?
  ) -> String {
    let fix = fixTime.map { " fix of \($0.rfc3339)" } ?? ""
    return "\(what)\(fix): \(verdict)"
  }
}

extension ReplayEvent {
  /// UTC of the next session of a plan in this event; `nil` if no instant is known.
  func time(of plan: ReceiverPlan) -> UTCInstant? {
    plan.nextSession.map { time.advanced(bySeconds: EngineInstant.seconds(from: at, to: $0)) }
  }
}

extension Activity.Event {
  /// Component and state as the events of a replay name them.
  var words: (component: String, state: String) {
    switch self {
    case .gnss(let state): ("gnss", state.rawValue)
    case .cellTransfer: ("cell", "transfer")
    case .cellWake: ("cell", "wake")
    case .wifiScan: ("wifi", "scan")
    case .wifiTransfer: ("wifi", "transfer")
    case .soc(let state): ("soc", state.rawValue)
    case .launch: ("soc", "launch")
    case .wake: ("soc", "wake")
    case .delivery: ("soc", "delivery")
    case .motionSensor(let isArmed): ("sensor", isArmed ? "armed" : "off")
    case .moving(let moves): ("device", moves ? "moving" : "still")
    case .flashCommit: ("flash", "commit")
    case .metering(let isOn): ("meter", isOn ? "on" : "off")
    case .end: ("meter", "end")
    }
  }
}
