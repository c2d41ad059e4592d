// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract
package import ServiceCore

/// The daemon's data on its sinks, for people.
package enum SinkText {
  /// `milepost sinks list`
  package static func list(_ sinks: [SinkRow]) -> Report { Report { nodes(sinks) } }

  @ReportBuilder static func nodes(_ sinks: [SinkRow]) -> [Node] {
    if sinks.isEmpty {
      Node.sentence("no sink is configured, and nothing is sent; milepostd config explains sinks")
    } else {
      Node.table(table(sinks))
    }
    for sink in sinks {
      if let heartbeat = sink.heartbeat {
        let silence = Figures.span(heartbeat)
        Node.sentence(
          "\(sink.name): at rest it repeats its position after \(silence) of silence", hanging: 2)
      }
      if let why = sink.text {
        let oldest = sink.oldest.map { "; the oldest for \(Figures.span($0))" } ?? ""
        let events = Figures.count(sink.pending, "event waits", "events wait")
        Node.sentence("\(sink.name): \(events)\(oldest): \(why)", hanging: 2)
      }
      if sink.givenUp > 0 {
        let events = Figures.count(sink.givenUp, "event was set aside", "events were set aside")
        Node.sentence("\(sink.name): \(events); milepost apps events \(sink.name)", hanging: 2)
      }
    }
  }

  private static func table(_ sinks: [SinkRow]) -> Table {
    Table(
      head: ["sink", "kind", "to", "state", "pending", "taken", "sent", "J/day", "last taken"],
      rows: sinks.map { sink in
        [
          sink.name, sink.kind, sink.host ?? "this machine", sink.state.rawValue,
          Figures.count(sink.pending), Figures.count(sink.taken),
          Figures.count(sink.sentBytes + sink.receivedBytes) + " B",
          sink.energyPerDay.map { Figures.significant($0) } ?? Figures.unknown,
          sink.lastTaken?.rfc3339 ?? Figures.unknown,
        ]
      })
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
      "\(trial.name) \(trial.isReached ? "can be reached" : "takes nothing"): \(trial.text)")
  }
}
