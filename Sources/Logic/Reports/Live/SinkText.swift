// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract
package import ServiceCore

/// The daemon's data on its sinks, for people.
package enum SinkText {
  /// `milepost sinks list`
  package static func list(_ sinks: [SinkRow], style: TextStyle) -> String {
    guard !sinks.isEmpty else {
      return "no sink is configured, and nothing is sent; milepostd config explains sinks\n"
    }
    var table = TextTable()
    table.header(["sink", "kind", "to", "state", "pending", "taken", "sent", "J/day", "last taken"])
    for sink in sinks {
      table.row([
        sink.name, sink.kind, sink.host ?? "this machine", sink.state.rawValue,
        Figures.count(sink.pending), Figures.count(sink.taken),
        Figures.count(sink.sentBytes + sink.receivedBytes) + " B",
        sink.energyPerDay.map { Figures.significant($0) } ?? Figures.unknown,
        sink.lastTaken?.rfc3339 ?? Figures.unknown,
      ])
    }
    var text = table.text(style)
    for sink in sinks {
      if let heartbeat = sink.heartbeat {
        text += Paragraph.text(
          "\(sink.name): at rest it repeats its position after \(Figures.span(heartbeat)) of silence",
          indent: 2)
      }
      if let why = sink.text {
        let oldest = sink.oldest.map { "; the oldest for \(Figures.span($0))" } ?? ""
        let events = Figures.count(sink.pending, "event waits", "events wait")
        text += Paragraph.text("\(sink.name): \(events)\(oldest): \(why)", indent: 2)
      }
      if sink.givenUp > 0 {
        let events = Figures.count(sink.givenUp, "event was set aside", "events were set aside")
        text += Paragraph.text(
          "\(sink.name): \(events); milepost apps events \(sink.name)", indent: 2)
      }
    }
    return text
  }

  /// The amount that one has sent and its energy, for a line among others: `12 taken, 9,800 B, 3.1 J a day`.
  static func sent(_ sink: SinkRow) -> String {
    let energy =
      sink.energyPerDay.map { ", \(Figures.energy($0)) a day" }
      ?? sink.energy.map { ", \(Figures.energy($0)) so far" }
    let bytes = sink.sentBytes + sink.receivedBytes
    return "\(Figures.count(sink.taken)) taken"
      + (bytes > 0 ? ", \(Figures.count(bytes)) B" : "") + (energy ?? "")
  }

  /// `milepost sinks test NAME`
  package static func text(trial: SinkTrialDocument) -> String {
    Paragraph.text(
      "\(trial.name) \(trial.isReached ? "would take events" : "takes nothing"): \(trial.text)")
  }
}
