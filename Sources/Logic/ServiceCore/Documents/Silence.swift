// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract

// Why an app hears nothing.

extension ServiceDocuments {
  /// The reason why an app hears nothing now, and a remedy; `nil` if it would hear of the next fix.
  func silence(of app: RegisteredApp) -> (text: String, advice: String?)? {
    guard let answer = engine.explanation(for: app.id, at: now.at) else { return nil }
    if let process = processes[app.id], process.isHeld {
      return (
        "it is held: it crashed \(process.crashes.crashes.count) times within 10 min",
        "milepost apps log \(app.name) shows how it ended; milepost apps release \(app.name) lets "
          + "it start again"
      )
    }
    if let trouble = trouble(of: app) { return trouble }
    // Updates end with the process, and begin with it.
    let begins = answer.state == .notRunning && app.manifest.service?.isSignificant == false
    let service = answer.service ?? (begins ? app.manifest.service : nil)
    guard service != nil || engine.places(of: app.id) != .empty else {
      return (
        "it has asked for no location service", "the app itself, or its manifest, asks for one"
      )
    }
    if let obstacle = answer.obstacle { return silence(of: app, by: obstacle) }
    switch answer.verdict?.outcome {
    case .unauthorized:
      return (
        "it is not authorized: \(app.authorization.rawValue)",
        "milepost apps authorize \(app.name) always"
      )
    case .notRunning:
      return (
        "it is not running, and \(Self.updates(of: service)) relaunch nobody",
        service == .continuous && app.canStart ? "milepost apps launch \(app.name)" : nil
      )
    case .suspended:
      return (
        "it is suspended, and \(Self.updates(of: service)) wake nobody" + answer.suspension,
        service == .continuous ? "milepost apps foreground \(app.name)" : nil
      )
    case .withheld:
      let zone = engine.hiddenIn ?? ""
      return (
        "withheld: inside the zone '\(zone)'",
        "apps: [\(app.name)] in that zone of milepostd.yaml lets it see inside"
      )
    case .receiverOff:
      let rest = answer.rest.map { (rest: RestBelief) -> String in
        let ago = EngineInstant.seconds(from: rest.since, to: now.at)
        return "; " + rest.words(since: now.utc.advanced(bySeconds: -ago).rfc3339)
      }
      let movement = answer.movement.map { "; " + $0.words() }
      let worth = answer.worth.map { "; " + $0.words() }
      let hint = world.hints.words(at: now.at).map { "; " + $0 }
      return (
        receiverPart().reason + (rest ?? movement ?? "") + (worth ?? "") + (hint ?? ""), nil
      )
    case .delivered, .tooClose, .tooSoon, .inaccurate, .invalid, .duplicate, .late,
      .jumpUnconfirmed, nil:
      break
    }
    if let drought = world.drought(of: settings.gpsdDevice, at: now.at) {
      return (drought, "milepost doctor says why")
    }
    guard answer.service != nil else { return silence(ofPlaces: answer, app) }
    guard let judgement = answer.service.flatMap({ outboxes[app.id]?.judgements[$0] }) else {
      return ("no fix has come yet", "milepost doctor says why, if it lasts")
    }
    return judgement.verdict.outcome == .delivered
      ? nil : ("the last fix: \(judgement.verdict.words())", nil)
  }

  private static func updates(of service: Service?) -> String {
    service == .continuous ? "continuous updates" : "standard updates"
  }

  /// The reason why no location wakes it, and the command that ends this.
  private func silence(of app: RegisteredApp, by obstacle: NotWoken) -> (
    text: String, advice: String?
  ) {
    let advice: String? =
      switch obstacle {
      case .unauthorized: "milepost apps authorize \(app.name) always"
      case .refreshIsOff: "milepost apps device refresh-on"
      case .locked: "milepost apps device unlocked"
      case .forceQuit: "milepost apps launch \(app.name)"
      case .notDeclared, .notInEra, .notAsked, .notRunning, .isEnding, .lowPower, .optedOut: nil
      }
    let authorization =
      obstacle == .unauthorized
      ? " (it is authorized: \(app.authorization.rawValue))" : ""
    return ("no location wakes it: \(obstacle.words)\(authorization)", advice)
  }

  /// A fault of its program or its runs, which no fix will cure.
  private func trouble(of app: RegisteredApp) -> (text: String, advice: String?)? {
    let waits = outboxes.count(app.id)
    let trouble = trouble(app.id)
    let pending = waits == 1 ? "1 event waits" : "\(waits) events wait"
    if case .handler(.waiting(let until)) = processes[app.id]?.run, let reason = trouble {
      let seconds = max(0, EngineInstant.seconds(from: now.at, to: until))
      return (
        "its handler fails (\(reason)); \(pending), and it is tried again in "
          + Figures.span(seconds),
        "milepost apps log \(app.name) shows each attempt; milepost apps release \(app.name) tries at once"
      )
    }
    if case .waiting(let until, _) = sinks[app.id]?.run, let reason = trouble {
      let seconds = max(0, EngineInstant.seconds(from: now.at, to: until))
      return (
        "its sink takes nothing (\(reason)); \(pending), and it is tried again in "
          + Figures.span(seconds),
        app.manifest.isConfigured
          ? "milepost sinks test \(app.name) says whether it works; what it is told is sinks.\(app.name) in "
            + "milepostd.yaml; milepost apps release \(app.name) tries at once"
          : "mend what is wrong there, or sink in its manifest (milepost apps update MANIFEST); milepost "
            + "apps release \(app.name) tries at once"
      )
    }
    if app.isSink, let text = sinkText(app) { return ("\(pending): \(text)", nil) }
    if processes[app.id]?.handler?.number != nil, waits > 0, processes.hasProcess(app.id) {
      return (
        "its handler is at work; \(pending)",
        "it is ended after \(Figures.span(app.manifest.timeout)); timeout_s in its manifest says so"
      )
    }
    if let reason = trouble, !processes.hasProcess(app.id), !app.isSink {
      let wait = waits > 0 ? "; \(pending)" : ""
      guard app.isResident else {
        return (
          "its handler failed: \(reason)\(wait)",
          "milepost apps log \(app.name) shows each attempt"
        )
      }
      return (
        "its program cannot be run: \(reason)\(wait)",
        "mend its manifest: milepost apps update MANIFEST"
      )
    }
    guard app.isResident, let oldest = outboxes.first(of: app.id)?.received,
      UTCInstant.seconds(from: oldest, to: now.utc) > Self.acknowledgesWithin
    else { return nil }
    return (
      clients.client(of: app.id) == nil
        ? "it is not connected; \(pending)"
        : "it is connected and acknowledges nothing; \(pending)",
      "milepost apps log \(app.name) shows its connections; a program sends ?ACK for what it has taken"
    )
  }

  /// Seconds after which an app that has not acknowledged a delivery is said to take none [ours].
  private static let acknowledgesWithin = 10.0

  /// Seconds since the delivery of a judgement: since its decision, if it is the app's last one, else since its fix;
  /// `nil` if that has no time, or lies ahead of a clock that was set back.
  func age(
    of judgement: Judgements.Judgement, _ service: Service, _ app: RegisteredApp
  ) -> Double? {
    let last = outboxes[app.id]?.last.flatMap { $0.delivery.service == service ? $0.received : nil }
    guard let then = last ?? judgement.fixTime, then <= now.utc else { return nil }
    return UTCInstant.seconds(from: then, to: now.utc)
  }
}
