// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import RadioPower
import ServiceContract

// Theory
// ======
//
// A program's cost is its share of all energy metered while it asked: energy is borne in equal parts by those whose
// request keeps the receiver as it is. If any ask for standard or continuous updates, they bear it alone; else those
// who monitor significant changes do. Followers bear nothing. gpsd holds a receiver for a while after its last watcher
// left: the last ones to ask bear that.
//
// Requests change only with inputs, and never with a fix, so the energy since the last settlement is shared among its
// bearers before each other input.

/// Programs that ask GeoClue, and the cost of each.
struct GeoClueAccounts: Sendable, Equatable {
  /// The deliveries to programs of one name since the start of the service.
  struct Account: Sendable, Equatable {
    let program: String
    /// The request of its newest client.
    var request: GeoClueRequest
    var deliveries = 0
    /// UTC of the host.
    var lastDelivery: UTCInstant?
    /// Joules above the baseline, modelled.
    var energy = 0.0
  }

  /// The greatest number of accounts kept; beyond it, those without a client go first.
  static let accountLimit = 64

  private var apps: [AppID: GeoClueApp] = [:]
  private(set) var accounts: [Account] = []
  /// Whether Milepost answers on the bus, or the reason why not; `nil` if it is not configured to.
  private var standing: (isAnswering: Bool, words: String)?
  /// Joules up to which everything is shared.
  private var sharedEnergy = 0.0
  /// The bearers of the coming energy, each program once for every client.
  private var bearers: [String] = []
  private var others = 0

  /// Whether any program follows the positions of others.
  var hasFollowers: Bool { apps.values.contains { $0.terms == .follows } }

  /// The number of a program's clients that ask now.
  private func clients(of program: String) -> Int {
    apps.values.count { $0.request.program == program }
  }

  var isEmpty: Bool { apps.isEmpty }
  var count: Int { apps.count }
  subscript(id: AppID) -> GeoClueApp? { apps[id] }

  mutating func open(request: GeoClueRequest) {
    if let index = accounts.firstIndex(where: { $0.program == request.program }) {
      return accounts[index].request = request
    }
    if accounts.count >= Self.accountLimit {
      let index = accounts.firstIndex { clients(of: $0.program) == 0 } ?? 0
      accounts.remove(at: index)
    }
    accounts.append(Account(program: request.program, request: request))
  }

  private mutating func count(deliveryTo program: String, at utc: UTCInstant) {
    guard let index = accounts.firstIndex(where: { $0.program == program }) else { return }
    accounts[index].deliveries += 1
    accounts[index].lastDelivery = utc
  }

  /// Shares the energy up to `energy` among its bearers; without any, among the last ones.
  mutating func share(upTo energy: Double, among bearers: [String], andOthers others: Int) {
    if !bearers.isEmpty || others > 0 { (self.bearers, self.others) = (bearers, others) }
    let count = self.bearers.count + self.others
    let part = count > 0 ? max(0, energy - sharedEnergy) / Double(count) : 0
    sharedEnergy = energy
    guard part > 0 else { return }
    for program in self.bearers {
      guard let index = accounts.firstIndex(where: { $0.program == program }) else { continue }
      accounts[index].energy += part
    }
  }

  // MARK: Programs

  mutating func receive(
    event: GeoClueEvent, _ engine: LocationEngine, _ meter: inout ServiceMeter,
    _ step: inout Step
  ) {
    switch event {
    case .answering(let isAnswering, let words):
      standing = (isAnswering, words)
      step.journal(isAnswering ? .notice : .warning, words)
    case .started(let client, let request):
      let app = GeoClueApp(client, request)
      guard apps[app.id] == nil else { return }
      if accounts.isEmpty { sharedEnergy = Self.energy(of: &meter, at: step.now.at) }
      open(request: request)
      apps[app.id] = app
      step.record(nil, "geoclue", "\(request.program) asks: \(app.words)")
      step.journal(.info, "\(request.program) asks GeoClue: \(app.words)")
      begin(app: app, &step)
    case .changed(let client, let request):
      guard var app = apps[GeoClueApp(client, request).id] else { return }
      let before = app.terms
      app.request = request
      open(request: request)
      apps[app.id] = app
      guard app.terms != before else { return }
      if before != .follows { step.tellEngine(.app(app.id, .removed)) }
      begin(app: app, &step)
    case .stopped(let client):
      let id = GeoClueApp(client, .init(program: "", level: .country)).id
      guard let app = apps.removeValue(forKey: id), app.terms != .follows else { return }
      step.tellEngine(.app(id, .removed))
    }
  }

  private func begin(app: GeoClueApp, _ step: inout Step) {
    guard app.terms != .follows else { return }
    step.tellEngine(.app(app.id, .registered(app.declaration)))
    step.tellEngine(.app(app.id, .usesMemory(megabytes: 0)))
    launch(app, &step)
  }

  /// Relaunches programs that still ask, after a played restart of the device.
  func launchAll(_ engine: LocationEngine, _ step: inout Step) {
    for id in apps.keys.sorted(by: { $0.number < $1.number })
    where engine.state(of: id) == .notRunning {
      if let app = apps[id] { launch(app, &step) }
    }
  }

  private func launch(_ app: GeoClueApp, _ step: inout Step) {
    step.tellEngine(.app(app.id, .life(.launched)))
    switch app.terms {
    case .follows: break
    case .significant: step.tellEngine(.app(app.id, .startMonitoringSignificantChanges))
    case .standard: step.tellEngine(.app(app.id, .startUpdating(StandardRequest())))
    }
  }

  /// Sends a delivery to its program.
  mutating func report(
    _ delivery: Delivery, to id: AppID, _ meter: inout ServiceMeter, _ step: inout Step
  ) {
    // The entry or exit of a zone is no position.
    if delivery.event == nil { report(delivery.fix, to: id, &meter, &step) }
  }

  /// Sends the last position to those that follow, whoever needed it.
  mutating func reportToFollowers(
    _ engine: LocationEngine, _ meter: inout ServiceMeter, _ step: inout Step
  ) {
    guard hasFollowers, let fix = engine.lastKnown else { return }
    // In the order of their numbers: equal inputs give equal effects.
    let followers = apps.filter { $0.value.terms == .follows }.map(\.key)
    for id in followers.sorted(by: { $0.number < $1.number }) { report(fix, to: id, &meter, &step) }
  }

  private mutating func report(
    _ fix: Fix, to id: AppID, _ meter: inout ServiceMeter, _ step: inout Step
  ) {
    guard var told = apps[id]?.fix(toTell: fix), let app = apps[id] else { return }
    // GeoClue cannot express an unknown time.
    told.time = told.time ?? step.now.utc
    meter.record(.delivery, at: step.now.at)
    count(deliveryTo: app.request.program, at: step.now.utc)
    step.intend(.effect(.tellGeoClue(app.client, told)))
  }

  // MARK: Costs

  /// Settles the energy up to now, if an input may change the requests.
  mutating func shareEnergy(
    before input: ServiceInput, _ engine: LocationEngine, _ meter: inout ServiceMeter,
    at now: EngineInstant
  ) {
    guard !accounts.isEmpty, input.mayChangeRequests else { return }
    shareEnergy(engine, &meter, at: now)
  }

  private mutating func shareEnergy(
    _ engine: LocationEngine, _ meter: inout ServiceMeter, at now: EngineInstant
  ) {
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
    let programs = bearers.compactMap { apps[$0]?.request.program }
    share(
      upTo: Self.energy(of: &meter, at: now), among: programs,
      andOthers: bearers.count - programs.count)
  }

  /// Joules metered since the start of the service.
  private static func energy(of meter: inout ServiceMeter, at now: EngineInstant) -> Double {
    meter.report(at: now).components.reduce(0) { $0 + $1.energy.nominal }
  }

  /// The status's part about GeoClue; `nil` if Milepost is not configured to answer.
  mutating func part(
    _ engine: LocationEngine, _ meter: inout ServiceMeter, at now: EngineInstant
  ) -> StatusDocument.GeoClue? {
    guard let standing else { return nil }
    shareEnergy(engine, &meter, at: now)
    let programs = accounts.sorted { $0.program < $1.program }.map { account in
      StatusDocument.GeoClue.Program(
        name: account.program, level: "\(account.request.level)",
        asks: GeoClueApp(.init(0), account.request).terms.word,
        distance: Int(account.request.distance), time: Int(account.request.time),
        clients: clients(of: account.program), deliveries: account.deliveries,
        lastDelivery: account.lastDelivery, energy: account.energy)
    }
    return .init(isAnswering: standing.isAnswering, text: standing.words, programs: programs)
  }

  static func == (a: Self, b: Self) -> Bool {
    a.apps == b.apps && a.accounts == b.accounts && a.standing?.words == b.standing?.words
      && a.standing?.isAnswering == b.standing?.isAnswering && a.sharedEnergy == b.sharedEnergy
      && a.bearers == b.bearers && a.others == b.others
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

extension ServiceInput {
  /// Whether what programs ask may change with it: not with the receiver's own reports.
  fileprivate var mayChangeRequests: Bool {
    switch self {
    case .gpsd(.fix), .gpsd(.searching), .gpsd(.sky), .gpsd(.signal), .gpsd(.line): false
    case .gpsd(.heading), .gpsd(.declination), .gpsd(.link), .gpsd(.device), .gpsd(.trouble),
      .began, .client, .manifest, .process, .sink, .modem, .geoClue, .machine, .radio, .settings,
      .refused, .timePassed, .stop:
      true
    }
  }
}
