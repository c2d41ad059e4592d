// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import RadioPower
import ServiceContract
import Settings
import Wording

// The documents in the daemon's answers to its user.

extension LocationService {
  mutating func statusDocument() -> StatusDocument {
    StatusDocument(
      release: settings.release, pid: host.pid, since: startedAt.utc,
      // Not by UTC, which may step.
      uptime: EngineInstant.seconds(from: startedAt.at, to: now.at), gpsd: gpsdLink(),
      devices: facts.devices.map { device in
        .init(
          path: device.path, driver: device.driver,
          silence: device.lastReport.map { EngineInstant.seconds(from: $0, to: now.at) })
      },
      receiver: receiverPart(), lastFix: lastFix(), policy: settings.policyName,
      era: settings.rules.era.title, deviceProfile: settings.device.name,
      networkProfile: meter.networkName ?? "none", energy: energyPart(), store: storePart(),
      freezer: host.freezer, clients: clients.count,
      gpsdPorts: listeners.values.map(\.listener.port).sorted(), apps: rows(), gaps: gapList(),
      lostEvents: facts.lost.values.reduce(0, +), sinks: sinksDocument().sinks,
      geoClue: geoCluePart(),
      web: host.web, outlets: outlets, sharedWakes: sharedWakes)
  }

  mutating func overviewDocument() -> OverviewDocument {
    OverviewDocument(
      status: statusDocument(),
      explanations: apps.all.sorted { $0.name < $1.name }.map { explanationDocument($0) })
  }

  func appsDocument() -> AppsDocument { AppsDocument(apps: rows()) }

  func appDocument(_ app: AppRecord) -> AppDocument {
    let declaration = app.manifest.declaration
    let last = app.lastDelivery
    return AppDocument(
      row: row(app), command: app.manifest.command, sink: app.manifest.sink?.words,
      directory: app.manifest.directory,
      pid: app.pid, isFrozen: app.isFrozen, isConnected: app.client != nil,
      modes: declaration.modes.words,
      requestedAuthorization: app.requestedAuthorization,
      lastSequence: app.outbox.entries.last?.delivery.sequence
        ?? max(app.outbox.acknowledged, last?.delivery.sequence ?? 0),
      acknowledged: app.outbox.acknowledged, crashes: app.crashes.crashes.count,
      lastDelivery: last.map {
        .init(
          sequence: $0.delivery.sequence, service: $0.delivery.service, received: $0.received,
          fix: $0.delivery.fix)
      },
      silence: silence(of: app)?.text)
  }

  func explanationDocument(_ app: AppRecord) -> ExplanationDocument {
    let silence = silence(of: app)
    let answers = Service.allCases.compactMap { service in
      app.judgement(for: service).map { judgement in
        ExplanationDocument.Answer(
          service: service, verdict: judgement.verdict, fixTime: judgement.fixTime,
          text: judgement.verdict.words(age: age(of: judgement, service, app)))
      }
    }
    return ExplanationDocument(
      app: app.name, at: now.utc, state: engine.state(of: app.id) ?? .notRunning,
      authorization: app.manifest.declaration.authorization, receiver: receiverPart(),
      answers: answers, regions: regionAnswers(of: app),
      text: silence?.text ?? "'\(app.name)' is told of the next fix that its filter lets through",
      advice: silence?.advice)
  }

  // MARK: Parts

  private func rows() -> [AppRow] {
    apps.all.sorted { $0.name < $1.name }.map { row($0) }
  }

  private func row(_ app: AppRecord) -> AppRow {
    AppRow(
      name: app.name, kind: app.manifest.kind,
      state: engine.state(of: app.id) ?? .notRunning, services: engine.services(of: app.id),
      regions: engine.regions(of: app.id).count, visits: engine.monitorsVisits(app.id),
      authorization: app.manifest.declaration.authorization,
      accuracy: app.manifest.declaration.accuracy, pending: app.outbox.entries.count,
      lastDelivery: app.lastDelivery?.received,
      held: app.isHeld ? "\(app.crashes.crashes.count) crashes within 10 min" : nil,
      givenUp: app.dead.count, trouble: app.trouble)
  }

  private func gpsdLink() -> StatusDocument.GPSDLink {
    let state: StatusDocument.GPSDLink.State =
      if !engine.plan.isOn {
        .released
      } else if facts.isWatching {
        .watching
      } else if facts.isConnected || facts.release == nil && facts.link == WorldFacts.notAsked {
        .connecting
      } else {
        .unreachable
      }
    return .init(
      host: settings.gpsdHost, port: settings.gpsdPort, state: state, text: facts.link,
      since: facts.linkSince)
  }

  func receiverPart() -> StatusDocument.Receiver {
    let seconds = engine.plan.nextSession.map { EngineInstant.seconds(from: now.at, to: $0) }
    let state = facts.drought(of: settings.gpsdDevice, at: now.at) ?? meter.receiverText
    let (plan, reason, until): (StatusDocument.Receiver.Plan, String, UTCInstant?) =
      switch engine.plan {
      case .continuous: (.continuous, "an app asks for updates; \(state)", nil)
      case .session: (.session, "a look for a significant change; \(state)", nil)
      case .off(let off):
        (
          .off, off.words(next: ReceiverPlan.Off.next(in: seconds)),
          seconds.map { now.utc.advanced(bySeconds: max(0, $0)) }
        )
      }
    let hints = engine.triggers.contains(.cells) ? "; changes of cell are listened to" : ""
    let hidden = engine.hiddenIn.map { "; hidden: inside the zone '\($0)'" } ?? ""
    return .init(
      plan: plan, reason: reason + hints + hidden, since: facts.planSince, until: until,
      hold: settings.gpsdControl == nil ? settings.receiverHold : 0)
  }

  private var sharedWakes: StatusDocument.SharedWakes? {
    let periodic = engine.periodic
    guard periodic.calls > 0 else { return nil }
    return .init(
      calls: periodic.calls, wakes: periodic.wakes,
      saved: settings.device.wakeEnergy.times(max(0, periodic.saved)).nominal)
  }

  private func lastFix() -> StatusDocument.LastFix? {
    guard let fix = facts.lastFix, let at = facts.lastFixAt, let received = facts.lastFixReceived
    else { return nil }
    return .init(
      fix: fix, device: facts.lastDevice, received: received,
      age: EngineInstant.seconds(from: at, to: now.at))
  }

  private mutating func energyPart() -> StatusDocument.Energy {
    let report = meter.report(at: now.at)
    var components: [StatusDocument.Energy.Component] = []
    for row in report.components {
      if let index = components.firstIndex(where: { $0.name == row.component }) {
        components[index].energy += row.energy
      } else {
        components.append(.init(name: row.component, energy: row.energy))
      }
    }
    settleEnergy()
    return .init(
      since: startedAt.utc, metered: report.seconds, components: components,
      baseline: .init(name: "baseline", energy: report.baselineTotal),
      battery: meter.battery, earlier: facts.energyBefore.values.reduce(0, +),
      continuous: .init(name: "continuous", energy: meter.continuous(seconds: report.seconds)),
      modes: energyByMode.rows)
  }

  private func storePart() -> StatusDocument.Store {
    let path = host.storePath
    guard host.hasStore else {
      return .init(state: .absent, path: path, warning: facts.storeTrouble)
    }
    return .init(
      state: facts.storeTrouble == nil ? .ok : .failing, path: path,
      warning: facts.storeTrouble ?? facts.storeWarning)
  }

  private func gapList() -> [StatusDocument.Gap] {
    facts.gap.map { gap in
      let back = gap.hasClockGoneBack ? "; the clock went back from \(gap.fromUTC.rfc3339)" : ""
      return [.init(start: gap.beganUTC, end: gap.toUTC, reason: "no daemon ran" + back)]
    } ?? []
  }

  // MARK: Why nothing comes

  /// The reason why an app hears nothing now, and a remedy; `nil` if it would hear of the next fix.
  private func silence(of app: AppRecord) -> (text: String, advice: String?)? {
    guard let answer = engine.explanation(for: app.id, at: now.at) else { return nil }
    if app.isHeld {
      return (
        "it is held: it crashed \(app.crashes.crashes.count) times within 10 min",
        "milepost apps log \(app.name) shows how it ended; milepost apps release \(app.name) lets "
          + "it start again"
      )
    }
    if let trouble = trouble(of: app) { return trouble }
    // Updates end with the process, and begin with it.
    let begins = answer.state == .notRunning && app.manifest.service?.isSignificant == false
    let service = answer.service ?? (begins ? app.manifest.service : nil)
    guard service != nil || monitoredPlaces(of: app.id) != nil else {
      return (
        "it has asked for no location service", "the app itself, or its manifest, asks for one"
      )
    }
    if let obstacle = answer.obstacle { return silence(of: app, by: obstacle) }
    switch answer.verdict?.outcome {
    case .unauthorized:
      return (
        "it is not authorized: \(app.manifest.declaration.authorization.rawValue)",
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
      let worth = answer.worth.map { "; " + $0.words() }
      return (receiverPart().reason + (rest ?? "") + (worth ?? ""), nil)
    default: break
    }
    if let drought = facts.drought(of: settings.gpsdDevice, at: now.at) {
      return (drought, "milepost doctor says why")
    }
    guard answer.service != nil else { return silence(ofPlaces: answer, app) }
    guard let judgement = answer.service.flatMap(app.judgement) else {
      return ("no fix has come yet", "milepost doctor says why, if it lasts")
    }
    return judgement.verdict.outcome == .delivered
      ? nil : ("the last fix: \(judgement.verdict.words())", nil)
  }

  private static func updates(of service: Service?) -> String {
    service == .continuous ? "continuous updates" : "standard updates"
  }

  /// The reason why no location wakes it, and the command that ends this.
  private func silence(of app: AppRecord, by obstacle: NotWoken) -> (text: String, advice: String?)
  {
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
      ? " (it is authorized: \(app.manifest.declaration.authorization.rawValue))" : ""
    return ("no location wakes it: \(obstacle.words)\(authorization)", advice)
  }

  /// A fault of its program or its runs, which no fix will cure.
  private func trouble(of app: AppRecord) -> (text: String, advice: String?)? {
    let waits = app.outbox.entries.count
    let pending = waits == 1 ? "1 event waits" : "\(waits) events wait"
    if case .handler(.waiting(let until)) = app.code, let reason = app.trouble {
      let seconds = max(0, EngineInstant.seconds(from: now.at, to: until))
      return (
        "its handler fails (\(reason)); \(pending), and it is tried again in "
          + Figures.span(seconds),
        "milepost apps log \(app.name) shows each attempt; milepost apps release \(app.name) tries at once"
      )
    }
    if case .sink(.waiting(let until, _)) = app.code, let reason = app.trouble {
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
    if app.handlerRun != nil, waits > 0, app.hasProcess {
      return (
        "its handler is at work; \(pending)",
        "it is ended after \(Figures.span(app.manifest.timeout)); timeout_s in its manifest says so"
      )
    }
    if let reason = app.trouble, !app.hasProcess, !app.isSink {
      return (
        "its program cannot be run: \(reason)" + (waits > 0 ? "; \(pending)" : ""),
        "mend its manifest: milepost apps update MANIFEST"
      )
    }
    guard case .connected = app.code, let oldest = app.outbox.entries.first?.received,
      UTCInstant.seconds(from: oldest, to: now.utc) > Self.acknowledgesWithin
    else { return nil }
    return (
      app.client == nil
        ? "it is not connected; \(pending)"
        : "it is connected and acknowledges nothing; \(pending)",
      "milepost apps log \(app.name) shows its connections; a program sends ?ACK for what it has taken"
    )
  }

  /// Seconds after which an app that has not acknowledged a delivery is said to take none [ours].
  private static let acknowledgesWithin = 10.0

  /// Seconds since the delivery of a judgement: since its decision, if it is the app's last one, else since its fix;
  /// `nil` if that has no time, or lies ahead of a clock that was set back.
  private func age(
    of judgement: AppRecord.Judgement, _ service: Service, _ app: AppRecord
  ) -> Double? {
    let last = app.lastDelivery.flatMap { $0.delivery.service == service ? $0.received : nil }
    guard let then = last ?? judgement.fixTime, then <= now.utc else { return nil }
    return UTCInstant.seconds(from: then, to: now.utc)
  }
}

extension LocationService {
  func eventsDocument(_ app: AppRecord) -> EventsDocument {
    EventsDocument(
      app: app.name, pending: app.outbox.entries.count,
      events: app.dead.map { dead in
        .init(
          sequence: dead.pending.delivery.sequence, service: dead.pending.delivery.service,
          received: dead.pending.received, givenUp: dead.at, attempts: dead.pending.failures,
          reason: dead.reason, fix: dead.pending.delivery.fix)
      })
  }
}
