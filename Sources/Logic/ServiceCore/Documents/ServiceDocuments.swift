// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import RadioPower
import ServiceContract

/// The documents in the service's answers to its user: what its machines know, read and put in words.
struct ServiceDocuments {
  let settings: ServiceSettings
  let host: ServiceHost
  let now: ServiceTime
  let startedAt: ServiceTime
  let apps: AppRegistry
  let ledger: Ledger
  let engine: LocationEngine
  /// As it stands; and where the energy is told, with all up to now.
  private(set) var meter: ServiceMeter
  let metered: (meter: ServiceMeter, energy: EnergyReport)?
  let clients: Clients
  let geoClue: StatusDocument.GeoClue?
  let processes: Processes
  let outboxes: Outboxes
  let sinks: Sinks
  let world: World

  /// What a document is about.
  enum Question: Sendable {
    case status, apps, overview, sinks
    case app(AppID)
    /// The answer to a change of it.
    case changed(AppID)
    case explanation(AppID)
    case events(AppID)

    /// Whether it says what was metered until now.
    var isOfEnergy: Bool {
      switch self {
      case .status, .overview: true
      case .apps, .sinks, .app, .changed, .explanation, .events: false
      }
    }
  }

  /// For a question of energy the service's meter is read at its present time.
  init(_ question: Question, of service: inout LocationService) {
    let step = service.step
    (settings, host, now, startedAt) = (step.settings, step.host, step.now, step.startedAt)
    (apps, ledger, engine, meter) = (step.apps, step.ledger, service.engine, service.meter)
    if question.isOfEnergy {
      let report = service.meter.report(at: now.at)
      service.world.settleEnergy(service.meter, at: now.at)
      metered = (service.meter, report)
      geoClue = service.geoClue.part(engine, &service.meter, at: now.at)
    } else {
      (metered, geoClue) = (nil, nil)
    }
    (clients, processes, outboxes) = (service.clients, service.processes, service.outboxes)
    (sinks, world) = (service.sinks, service.world)
  }

  /// Answers a client with a document; not if there is no such app.
  func answer(
    _ question: Question, _ client: ClientID, _ request: String?, _ step: inout Step
  ) {
    guard let json = json(question) else { return }
    if case .changed = question {
      step.answerChange(client, .document(json: json), request)
    } else {
      step.answer(client, .document(json: json), request)
    }
  }

  private func json(_ question: Question) -> String? {
    switch question {
    case .status: statusDocument().json
    case .apps: AppsDocument(apps: rows()).json
    case .overview: overviewDocument().json
    case .sinks: sinksDocument().json
    case .app(let id), .changed(let id): apps[id].map { appDocument($0).json }
    case .explanation(let id): explanationDocument(of: id)?.json
    case .events(let id): apps[id].map { eventsDocument($0).json }
    }
  }

  func statusDocument() -> StatusDocument {
    StatusDocument(
      release: settings.release, pid: host.pid, since: startedAt.utc,
      // Not by UTC, which may step.
      uptime: EngineInstant.seconds(from: startedAt.at, to: now.at), gpsd: gpsdLink(),
      devices: world.line.devices.map { device in
        .init(
          path: device.path, driver: device.driver,
          silence: device.lastReport.map { EngineInstant.seconds(from: $0, to: now.at) })
      },
      receiver: receiverPart(), lastFix: lastFix(), policy: settings.policyName,
      era: settings.rules.era.title, deviceProfile: settings.device.name,
      networkProfile: meter.networkName ?? "none",
      energy: metered.map { energyPart($0.energy) } ?? .empty, store: storePart(),
      freezer: host.freezer, clients: clients.count,
      gpsdPorts: clients.ports.numbers, apps: rows(), gaps: gapList(),
      lostEvents: world.lostEvents, sinks: sinksDocument().sinks,
      geoClue: geoClue,
      web: host.web, outlets: outlets, sharedWakes: sharedWakes)
  }

  private func overviewDocument() -> OverviewDocument {
    var later = self
    later.meter = metered?.meter ?? meter
    return OverviewDocument(
      status: statusDocument(), explanations: apps.byName.map { later.explanationDocument($0) })
  }

  private func appDocument(_ app: RegisteredApp) -> AppDocument {
    let declaration = app.manifest.declaration
    let last = outboxes[app.id]?.last
    let outbox = outboxes[app.id]?.outbox ?? Outbox(limit: 0)
    let process = processes[app.id]
    return AppDocument(
      row: row(app), command: app.manifest.command, sink: app.manifest.sink?.words,
      directory: app.manifest.directory,
      pid: process?.pid, isFrozen: process?.process.isFrozen == true,
      isConnected: clients.client(of: app.id) != nil,
      modes: declaration.modes.words,
      requestedAuthorization: app.requestedAuthorization,
      lastSequence: outbox.entries.last?.delivery.sequence
        ?? max(outbox.acknowledged, last?.delivery.sequence ?? 0),
      acknowledged: outbox.acknowledged, crashes: process?.crashes.crashes.count ?? 0,
      lastDelivery: last.map {
        .init(
          sequence: $0.delivery.sequence, service: $0.delivery.service, received: $0.received,
          fix: $0.delivery.fix)
      },
      silence: silence(of: app)?.text)
  }

  func explanationDocument(of id: AppID) -> ExplanationDocument? {
    apps[id].map(explanationDocument)
  }

  private func explanationDocument(_ app: RegisteredApp) -> ExplanationDocument {
    let silence = silence(of: app)
    let judgements = outboxes[app.id]?.judgements
    let answers = Service.allCases.compactMap { service in
      judgements?[service].map { judgement in
        ExplanationDocument.Answer(
          service: service, verdict: judgement.verdict, fixTime: judgement.fixTime,
          text: judgement.verdict.words(age: age(of: judgement, service, app)))
      }
    }
    return ExplanationDocument(
      app: app.name, at: now.utc, state: engine.state(of: app.id) ?? .notRunning,
      authorization: app.authorization, receiver: receiverPart(),
      answers: answers, regions: regionAnswers(of: app),
      text: silence?.text ?? "'\(app.name)' is told of the next fix that its filter lets through",
      advice: silence?.advice)
  }

  // MARK: Parts

  private func rows() -> [AppRow] {
    apps.byName.map { row($0) }
  }

  private func row(_ app: RegisteredApp) -> AppRow {
    let process = processes[app.id]
    let deliveries = outboxes[app.id]
    let services = engine.services(of: app.id)
    // Of other services the log has the first delivery of each launch only.
    let logged = services.allSatisfy(\.isSignificant) ? app.lastLogged : nil
    return AppRow(
      name: app.name, kind: app.manifest.kind,
      state: engine.state(of: app.id) ?? .notRunning, services: services,
      regions: engine.regions(of: app.id).count, visits: engine.monitorsVisits(app.id),
      authorization: app.authorization,
      accuracy: app.manifest.declaration.accuracy, pending: outboxes.count(app.id),
      lastDelivery: deliveries?.last?.received ?? logged,
      held: process?.isHeld == true
        ? "\(process?.crashes.crashes.count ?? 0) crashes within 10 min" : nil,
      givenUp: deliveries?.dead.count ?? 0, trouble: trouble(app.id))
  }

  private func gpsdLink() -> StatusDocument.GPSDLink {
    let state: StatusDocument.GPSDLink.State =
      if !engine.plan.isOn {
        .released
      } else if world.line.isWatching {
        .watching
      } else if world.line.isConnected || world.line.isNew {
        .connecting
      } else {
        .unreachable
      }
    return .init(
      host: settings.gpsdHost, port: settings.gpsdPort, state: state, text: world.line.words,
      since: world.line.since)
  }

  /// Without `state`, for the moment of a change: what gpsd said before it is not about the new plan.
  func receiverPart(withState: Bool = true) -> StatusDocument.Receiver {
    let seconds = engine.plan.nextSession.map { EngineInstant.seconds(from: now.at, to: $0) }
    let state =
      withState
      ? "; " + (world.drought(of: settings.gpsdDevice, at: now.at) ?? meter.receiverText) : ""
    let (plan, reason, until): (StatusDocument.Receiver.Plan, String, UTCInstant?) =
      switch engine.plan {
      case .continuous: (.continuous, "an app asks for updates\(state)", nil)
      case .session: (.session, "a look for a significant change\(state)", nil)
      case .off(let off):
        (
          .off, off.words(next: ReceiverPlan.Off.next(in: seconds)),
          seconds.map { now.utc.advanced(bySeconds: max(0, $0)) }
        )
      }
    let hints = engine.triggers.contains(.cells) ? "; changes of cell are listened to" : ""
    let hidden = engine.hiddenIn.map { "; hidden: inside the zone '\($0)'" } ?? ""
    return .init(
      plan: plan, reason: reason + hints + hidden, since: world.receiver.planSince, until: until,
      hold: settings.gpsdControl == nil ? settings.receiverHold : 0, sleep: sleepPart())
  }

  private func sleepPart() -> StatusDocument.Sleep? {
    let sleeps = meter.sleeps(at: now.at)
    guard sleeps.count > 0 else { return nil }
    return .init(
      count: sleeps.count, seconds: sleeps.seconds,
      saved: meter.savedBySleep(at: now.at)?.nominal)
  }

  private var sharedWakes: StatusDocument.SharedWakes? {
    let periodic = engine.periodic
    guard periodic.calls > 0 else { return nil }
    return .init(
      calls: periodic.calls, wakes: periodic.wakes,
      saved: settings.device.wakeEnergy.times(max(0, periodic.saved)).nominal)
  }

  private func lastFix() -> StatusDocument.LastFix? {
    guard let fix = world.receiver.fix, let heard = world.receiver.heard else { return nil }
    return .init(
      fix: fix, device: heard.device, received: heard.received,
      age: EngineInstant.seconds(from: heard.at, to: now.at))
  }

  private func energyPart(_ report: EnergyReport) -> StatusDocument.Energy {
    var components: [StatusDocument.Energy.Component] = []
    for row in report.components {
      if let index = components.firstIndex(where: { $0.name == row.component }) {
        components[index].energy += row.energy
      } else {
        components.append(.init(name: row.component, energy: row.energy))
      }
    }
    return .init(
      since: startedAt.utc, metered: report.seconds, components: components,
      baseline: .init(name: "baseline", energy: report.baselineTotal),
      battery: meter.battery, earlier: world.energyBefore.values.reduce(0, +),
      continuous: .init(name: "continuous", energy: meter.continuous(seconds: report.seconds)),
      modes: world.energyByMode.rows)
  }

  private func storePart() -> StatusDocument.Store {
    let path = host.storePath
    guard host.hasStore else {
      return .init(state: .absent, path: path, warning: ledger.trouble)
    }
    return .init(
      state: ledger.trouble == nil ? .ok : .failing, path: path,
      warning: ledger.trouble ?? ledger.warning)
  }

  private func gapList() -> [StatusDocument.Gap] {
    world.gap.map { gap in
      let back = gap.hasClockGoneBack ? "; the clock went back from \(gap.fromUTC.rfc3339)" : ""
      return [.init(start: gap.beganUTC, end: gap.toUTC, reason: "no daemon ran" + back)]
    } ?? []
  }

  /// The reason why an app's program cannot be run, or its sink takes nothing.
  func trouble(_ id: AppID) -> String? {
    processes[id]?.trouble ?? sinks[id]?.trouble
  }

  /// The destination of each sink, by the names of the apps.
  private var outlets: [StatusDocument.Outlet] {
    apps.byName.compactMap { app in
      guard let sink = app.manifest.sink else { return nil }
      return .init(
        app: app.name, kind: sink.kind, host: sink.host.map(String.init),
        accuracy: app.manifest.declaration.accuracy, authorization: app.authorization)
    }
  }
}

extension ServiceDocuments {
  fileprivate func eventsDocument(_ app: RegisteredApp) -> EventsDocument {
    EventsDocument(
      app: app.name, pending: outboxes.count(app.id),
      events: (outboxes[app.id]?.dead ?? []).map { dead in
        .init(
          sequence: dead.pending.delivery.sequence, service: dead.pending.delivery.service,
          received: dead.pending.received, givenUp: dead.at, attempts: dead.pending.failures,
          reason: dead.reason, fix: dead.pending.delivery.fix)
      })
  }
}
