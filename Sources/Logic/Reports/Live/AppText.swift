// SPDX-License-Identifier: Apache-2.0

package import ControlProtocol
import JSONText
import LocationModel
import ServiceContract
package import ServiceCore

/// The daemon's data on its apps, for people.
package enum AppText {
  /// `milepost apps list`
  package static func list(_ apps: [AppRow]) -> Report { Report { nodes(apps) } }

  @ReportBuilder static func nodes(_ apps: [AppRow]) -> [Node] {
    if apps.isEmpty {
      Node.sentence("no app is registered; register one: milepost apps add MANIFEST")
    } else {
      Node.table(table(apps))
    }
    for app in apps {
      if let held = app.held { Node.sentence("\(app.name) is held: \(held)", hanging: 2) }
      if let trouble = app.trouble {
        Node.sentence("\(app.name) has trouble: \(trouble)", hanging: 2)
      }
      if app.givenUp > 0 {
        let events = Figures.count(app.givenUp, "event was given up", "events were given up")
        Node.sentence("\(app.name): \(events); milepost apps events \(app.name)", hanging: 2)
      }
    }
  }

  private static func table(_ apps: [AppRow]) -> Table {
    Table(
      head: ["app", "kind", "state", "services", "authorization", "pending", "last delivery"],
      rows: apps.map { app in
        [
          app.name, app.kind.rawValue, app.held == nil ? app.state.words : "held",
          services(app),
          app.authorization.words + (app.accuracy == .reduced ? ", reduced" : ""),
          Figures.count(app.pending),
          app.lastDelivery?.rfc3339 ?? Figures.unknown,
        ]
      })
  }

  /// `milepost apps show`
  package static func report(app: AppDocument) -> Report {
    let row = app.row
    var process = app.pid.map { "process \($0)" } ?? "no process"
    if app.isFrozen { process += ", frozen" }
    if row.kind == .connected { process += app.isConnected ? ", connected" : ", not connected" }
    var authorization = row.authorization.words
    if let asked = app.requestedAuthorization {
      authorization +=
        "; it asks for \(asked.words): milepost apps authorize \(row.name) "
        + asked.rawValue
    }
    if row.accuracy == .reduced { authorization += ", with reduced accuracy" }
    return Report {
      Node.title(row.name)
      LiveRow.fact("kind", row.kind.rawValue)
      if let sink = app.sink {
        LiveRow.fact("sink", sink + ", from " + app.directory)
      } else {
        LiveRow.fact(
          "command", app.command.map(quoted).joined(separator: " ") + " in " + app.directory)
      }
      LiveRow.fact("state", row.state.words + ", " + process)
      LiveRow.fact("services", services(row))
      LiveRow.fact(
        "declares", app.modes.isEmpty ? "no background mode" : app.modes.joined(separator: ", "))
      LiveRow.fact("allowed", authorization)
      LiveRow.fact(
        "deliveries",
        "\(app.lastSequence) decided, "
          + (app.acknowledged > 0
            ? "acknowledged up to no. \(app.acknowledged)" : "none acknowledged")
          + ", \(row.pending) pending")
      if let last = app.lastDelivery {
        LiveRow.fact(
          "last",
          "no. \(last.sequence) (\(last.service.rawValue)) at \(last.received.rfc3339): "
            + LiveRow.place(last.fix))
      }
      LiveRow.fact("crashes", "\(app.crashes)")
      if row.givenUp > 0 {
        LiveRow.fact(
          "given up",
          Figures.count(row.givenUp, "event", "events") + "; milepost apps events \(row.name)")
      }
      if let trouble = row.trouble { LiveRow.fact("trouble", trouble) }
      if let held = row.held {
        LiveRow.fact("held", "\(held); to launch it again: milepost apps release \(row.name)")
      }
      if let silence = app.silence { LiveRow.fact("silent", silence) }
    }
  }

  /// `milepost apps add`: the services of the app; no final full stop.
  package static func added(_ app: AppRow) -> String {
    guard app.authorization.allowsLocation else {
      return "\(app.name): added; it hears nothing until milepost apps authorize \(app.name) always"
    }
    let kind = app.kind == .connected ? "connected app" : app.kind.rawValue
    let added = "\(app.name): added as a \(kind)"
    guard !app.services.isEmpty else {
      return app.kind == .connected && app.regions == 0 && !app.visits
        ? added + "; it hears nothing until it asks for a location service"
        : added + "; it hears of its regions and visits alone"
    }
    let place = app.authorization == .whenInUse ? ", in the foreground only" : ""
    return added + "; it hears \(Figures.list(app.services.map(\.words)))\(place)"
  }

  /// `milepost apps log`
  package static func report(log: LogDocument) -> Report {
    Report {
      if log.entries.isEmpty {
        Node.sentence("nothing has happened to \(log.app.isEmpty ? "the service" : log.app) yet")
      } else {
        Node.table(
          Table(
            alignment: .words, rows: log.entries.map { [$0.at.rfc3339, $0.kind, $0.text] }))
      }
    }
  }

  /// `milepost apps events`
  package static func text(events: EventsDocument) -> String {
    let pending = Figures.count(events.pending, "event waits", "events wait")
    guard !events.events.isEmpty else {
      return "no event of \(events.app) was given up; \(pending)\n"
    }
    let lines = events.events.map { event in
      "\(event.sequence)  \(event.received.rfc3339)  \(event.service.rawValue)  "
        + "given up at \(event.givenUp.rfc3339) after "
        + Figures.count(event.attempts, "attempt", "attempts")
        + ": \(Quoted.plain(event.reason))\n"
    }
    return lines.joined()
      + "\(pending); send them again: milepost apps events \(events.app) --resend all\n"
  }

  /// `milepost forget`: what was deleted, or would be.
  package static func text(forgotten: ForgottenDocument) -> String {
    let verb = forgotten.isTrial ? "to be deleted" : "deleted"
    var text = ""
    for app in forgotten.apps {
      let waiting = Figures.count(app.pending, "event that waited", "events that waited")
      let dead = Figures.count(app.givenUp, "that was given up", "that were given up")
      text += "\(app.app): \(verb): \(waiting), \(dead)\n"
      if app.inHand > 0 {
        let held = Figures.count(app.inHand, "event is", "events are")
        text += Paragraph.text(
          "\(app.app): \(held) on the way into its handler or sink, and may be taken there; \(verb) here, "
            + "and not tried again", indent: 2)
      }
    }
    if forgotten.apps.isEmpty { text += "no event \(forgotten.isTrial ? "is" : "was") \(verb)\n" }
    text +=
      forgotten.logs
      ? "the lines of the logs: \(verb)\n" : "the lines of the logs stay: they hold no positions\n"
    return text + "what the service remembers of the places: \(verb)\n"
  }

  /// `milepost explain`
  package static func report(explanation: ExplanationDocument) -> Report {
    Report {
      Node.title("\(explanation.app) at \(explanation.at.rfc3339)")
      LiveRow.fact("answer", explanation.text)
      LiveRow.fact(
        "state",
        "\(explanation.state.words), authorization \(explanation.authorization.words)"
      )
      LiveRow.fact("receiver", LiveRow.receiver(explanation.receiver))
      for answer in explanation.answers {
        LiveRow.fact(answer.service.rawValue, answer.text)
      }
      for region in explanation.regions { LiveRow.fact("region", region.text) }
      if let advice = explanation.advice { LiveRow.fact("to do", advice) }
    }
  }

  /// `significant, 2 regions, visits`
  private static func services(_ app: AppRow) -> String {
    var words = app.services.map(\.rawValue)
    if app.regions > 0 { words.append(Figures.count(app.regions, "region", "regions")) }
    if app.visits { words.append("visits") }
    return words.isEmpty ? "none" : words.joined(separator: ", ")
  }

  private static func quoted(_ word: String) -> String {
    word.isEmpty || word.contains(" ") ? "'\(word)'" : word
  }
}
