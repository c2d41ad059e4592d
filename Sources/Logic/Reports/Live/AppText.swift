// SPDX-License-Identifier: Apache-2.0

package import ControlProtocol
import JSONText
import LocationModel
import ServiceContract
package import ServiceCore

/// The daemon's data on its apps, for people.
package enum AppText {
  /// `milepost apps list`
  package static func list(_ apps: [AppRow], style: TextStyle) -> String {
    guard !apps.isEmpty else {
      return "no app is registered; register one: milepost apps add MANIFEST\n"
    }
    var table = TextTable()
    table.header(["app", "kind", "state", "services", "authorization", "pending", "last delivery"])
    for app in apps {
      table.row([
        app.name, app.kind.rawValue, app.held == nil ? app.state.words : "held",
        services(app),
        app.authorization.words + (app.accuracy == .reduced ? ", reduced" : ""),
        Figures.count(app.pending),
        app.lastDelivery?.rfc3339 ?? Figures.unknown,
      ])
    }
    var text = table.text(style)
    for app in apps {
      if let held = app.held { text += Paragraph.text("\(app.name) is held: \(held)", indent: 2) }
      if let trouble = app.trouble {
        text += Paragraph.text("\(app.name) has trouble: \(trouble)", indent: 2)
      }
      if app.givenUp > 0 {
        let events = Figures.count(app.givenUp, "event was given up", "events were given up")
        text += Paragraph.text(
          "\(app.name): \(events); milepost apps events \(app.name)", indent: 2)
      }
    }
    return text
  }

  /// `milepost apps show`
  package static func text(app: AppDocument, style: TextStyle) -> String {
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
    var text = style.bold(row.name) + "\n"
    text += LiveRow.text("kind", row.kind.rawValue)
    if let sink = app.sink {
      text += LiveRow.text("sink", sink + ", from " + app.directory)
    } else {
      text += LiveRow.text(
        "command", app.command.map(quoted).joined(separator: " ") + " in " + app.directory)
    }
    text += LiveRow.text("state", row.state.words + ", " + process)
    text += LiveRow.text("services", services(row))
    text += LiveRow.text(
      "declares", app.modes.isEmpty ? "no background mode" : app.modes.joined(separator: ", "))
    text += LiveRow.text("allowed", authorization)
    text += LiveRow.text(
      "deliveries",
      "\(app.lastSequence) decided, "
        + (app.acknowledged > 0
          ? "acknowledged up to no. \(app.acknowledged)" : "none acknowledged")
        + ", \(row.pending) pending")
    if let last = app.lastDelivery {
      text += LiveRow.text(
        "last",
        "no. \(last.sequence) (\(last.service.rawValue)) at \(last.received.rfc3339): "
          + LiveRow.place(last.fix))
    }
    text += LiveRow.text("crashes", "\(app.crashes)")
    if row.givenUp > 0 {
      text += LiveRow.text(
        "given up",
        Figures.count(row.givenUp, "event", "events") + "; milepost apps events \(row.name)")
    }
    if let trouble = row.trouble { text += LiveRow.text("trouble", trouble) }
    if let held = row.held {
      text += LiveRow.text("held", "\(held); to launch it again: milepost apps release \(row.name)")
    }
    if let silence = app.silence { text += LiveRow.text("silent", silence) }
    return text
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
  package static func text(log: LogDocument) -> String {
    guard !log.entries.isEmpty else {
      return "nothing has happened to \(log.app.isEmpty ? "the service" : log.app) yet\n"
    }
    let width = log.entries.map(\.kind.count).max() ?? 0
    return log.entries.map { entry in
      let blanks = String(repeating: " ", count: width - entry.kind.count)
      return "\(entry.at.rfc3339)  \(entry.kind)\(blanks)  \(Quoted.plain(entry.text))\n"
    }.joined()
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
  package static func text(explanation: ExplanationDocument, style: TextStyle) -> String {
    var text = style.bold("\(explanation.app) at \(explanation.at.rfc3339)") + "\n"
    text += LiveRow.text("answer", explanation.text)
    text += LiveRow.text(
      "state",
      "\(explanation.state.words), authorization \(explanation.authorization.words)"
    )
    text += LiveRow.text("receiver", LiveRow.receiver(explanation.receiver))
    for answer in explanation.answers {
      text += LiveRow.text(answer.service.rawValue, answer.text)
    }
    for region in explanation.regions { text += LiveRow.text("region", region.text) }
    if let advice = explanation.advice { text += LiveRow.text("to do", advice) }
    return text
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
