// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import ControlProtocol
import LocationEngine
import LocationModel
import RadioPower
import ServiceContract

// Programs that ask GeoClue. `GeoClueApp` decides their locations and their costs.

extension LocationService {
  mutating func heard(_ event: GeoClueEvent) {
    switch event {
    case .answering(let isAnswering, let words):
      geoClue.standing = (isAnswering, words)
      journal(isAnswering ? .notice : .warning, words)
    case .started(let client, let request):
      let app = GeoClueApp(client, request)
      guard geoClue.apps[app.id] == nil else { return }
      if geoClue.accounts.isEmpty { geoClue.sharedEnergy = energySoFar() }
      geoClue.open(request)
      geoClue.apps[app.id] = app
      record(nil, "geoclue", "\(request.program) asks: \(app.words)")
      journal(.info, "\(request.program) asks GeoClue: \(app.words)")
      begin(app)
    case .changed(let client, let request):
      guard var app = geoClue.apps[GeoClueApp(client, request).id] else { return }
      let before = app.terms
      app.request = request
      geoClue.open(request)
      geoClue.apps[app.id] = app
      guard app.terms != before else { return }
      if before != .follows { tell(.app(app.id, .removed)) }
      begin(app)
    case .stopped(let client):
      let id = GeoClueApp(client, .init(program: "", level: .country)).id
      guard let app = geoClue.apps.removeValue(forKey: id), app.terms != .follows else { return }
      tell(.app(id, .removed))
    }
  }

  private mutating func begin(_ app: GeoClueApp) {
    guard app.terms != .follows else { return }
    tell(.app(app.id, .registered(app.declaration)))
    tell(.app(app.id, .usesMemory(megabytes: 0)))
    launch(app)
  }

  /// Relaunches programs that still ask, after a played restart of the device.
  mutating func launchGeoClueApps() {
    for id in geoClue.apps.keys.sorted(by: { $0.number < $1.number })
    where engine.state(of: id) == .notRunning {
      if let app = geoClue.apps[id] { launch(app) }
    }
  }

  private mutating func launch(_ app: GeoClueApp) {
    tell(.app(app.id, .life(.launched)))
    switch app.terms {
    case .follows: break
    case .significant: tell(.app(app.id, .startMonitoringSignificantChanges))
    case .standard: tell(.app(app.id, .startUpdating(StandardRequest())))
    }
  }

  mutating func tellGeoClue(_ delivery: Delivery, of id: AppID) {
    // The entry or exit of a zone is no position.
    guard delivery.event == nil else { return }
    tellGeoClue(delivery.fix, of: id)
  }

  /// Sends the last position to those that follow, whoever needed it.
  mutating func tellFollowers() {
    guard let fix = engine.lastKnown else { return }
    // In the order of their numbers: equal inputs give equal effects.
    let followers = geoClue.apps.filter { $0.value.terms == .follows }.map(\.key)
    for id in followers.sorted(by: { $0.number < $1.number }) { tellGeoClue(fix, of: id) }
  }

  private mutating func tellGeoClue(_ fix: Fix, of id: AppID) {
    guard var told = geoClue.apps[id]?.take(fix), let app = geoClue.apps[id] else { return }
    // GeoClue cannot express an unknown time.
    told.time = told.time ?? now.utc
    meter.record(.delivery, at: now.at)
    geoClue.count(deliveryTo: app.request.program, at: now.utc)
    intents.append(.effect(.tellGeoClue(app.client, told)))
  }

  // MARK: Costs

  /// Settles the energy up to now, if an input may change the requests.
  mutating func shareEnergy(before input: ServiceInput) {
    switch input {
    // These do not change the requests.
    case .gpsd(.fix), .gpsd(.searching), .gpsd(.sky), .gpsd(.signal), .gpsd(.line): return
    default: shareEnergy()
    }
  }

  mutating func shareEnergy() {
    var (holding, watching): ([AppID], [AppID]) = ([], [])
    for id in engine.appIDs {
      let services = engine.services(of: id)
      if services.contains(.standard) || services.contains(.continuous) {
        holding.append(id)
      } else if services.contains(.significant) {
        watching.append(id)
      }
    }
    let bearers = holding.isEmpty ? watching : holding
    let programs = bearers.compactMap { geoClue.apps[$0]?.request.program }
    geoClue.share(
      upTo: energySoFar(), among: programs, andOthers: bearers.count - programs.count)
  }

  /// Joules metered since the start of the service.
  private mutating func energySoFar() -> Double {
    meter.report(at: now.at).components.reduce(0) { $0 + $1.energy.nominal }
  }

  /// The status's part about GeoClue; `nil` if Milepost is not configured to answer.
  mutating func geoCluePart() -> StatusDocument.GeoClue? {
    guard let standing = geoClue.standing else { return nil }
    shareEnergy()
    let programs = geoClue.accounts.sorted { $0.program < $1.program }.map { account in
      StatusDocument.GeoClue.Program(
        name: account.program, level: "\(account.request.level)",
        asks: GeoClueApp(.init(0), account.request).terms.word,
        distance: Int(account.request.distance), time: Int(account.request.time),
        clients: geoClue.clients(of: account.program), deliveries: account.deliveries,
        lastDelivery: account.lastDelivery, energy: account.energy)
    }
    return .init(isAnswering: standing.isAnswering, text: standing.words, programs: programs)
  }
}

extension GeoClueApp {
  /// The terms of its locations, for people.
  fileprivate var words: String {
    switch terms {
    case .follows: "told where others needed to know, the receiver stays off"
    case .significant: "told of significant changes"
    case .standard where request.distance == 0: "told of every fix"
    case .standard: "told of every \(request.distance) m"
    }
  }
}

extension GeoClueApp.Terms {
  fileprivate var word: StatusDocument.GeoClue.Asks {
    switch self {
    case .follows: .follows
    case .significant: .significant
    case .standard: .standard
    }
  }
}
