// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract

/// One registered app: its manifest, and what its user allows.
struct RegisteredApp: Sendable, Equatable {
  let id: AppID
  fileprivate(set) var manifest: AppManifest
  /// Whether it is told that it may always know, and the user has yet to confirm that.
  fileprivate(set) var isOnTrial = false
  /// The authorization that it requested and has not got.
  fileprivate(set) var requestedAuthorization: Authorization?
  /// The time of the last delivery of an earlier service that its log still has; it has all of significant changes.
  fileprivate(set) var lastLogged: UTCInstant?
  /// Whether there are two levels of authorization.
  private let knowsWhenInUse: Bool

  fileprivate init(_ manifest: AppManifest, as id: AppID, knowsWhenInUse: Bool) {
    self.id = id
    self.manifest = manifest
    self.knowsWhenInUse = knowsWhenInUse
  }

  var name: String { manifest.name }
  var isHandler: Bool { manifest.kind == .handler }
  /// Whether a process is launched and stays, unlike a handler's runs; a sink has none at all.
  var isResident: Bool { manifest.kind == .connected }
  var isSink: Bool { manifest.kind == .sink }
  /// Whether a user's `launch` can start its command; an app that only ever connected by itself has none.
  var canStart: Bool { isSink || !manifest.command.isEmpty }

  /// Whether it only connected by itself, and may know nothing because new apps may not: its user has not decided.
  func isUnregistered(_ newApps: Authorization) -> Bool {
    !canStart && !allowsLocation && authorization == newApps
  }

  var authorization: Authorization {
    manifest.declaration.authorization.held(knowsWhenInUse: knowsWhenInUse)
  }
  var allowsLocation: Bool { authorization.allowsLocation }
  /// The authorization told to the app; on trial that is more than the effective one.
  var toldAuthorization: Authorization { isOnTrial ? .always : authorization }
  /// Whether it receives no place more exactly than as a square of some kilometres.
  var isReduced: Bool { manifest.declaration.accuracy == .reduced }
}

/// The registered apps, in the order of their numbers; found by number, or by name.
struct AppRegistry: Sendable {
  private var rows = AppTable<RegisteredApp>()
  private var names: [String: AppID] = [:]
  private var next: UInt32 = 1
  private let knowsWhenInUse: Bool

  init(in era: Era) { knowsWhenInUse = era.knowsWhenInUse }

  var count: Int { rows.count }
  var all: [RegisteredApp] { rows.all }
  var byName: [RegisteredApp] { all.sorted { $0.name < $1.name } }
  var ids: [AppID] { rows.ids }

  subscript(id: AppID) -> RegisteredApp? { rows[id] }
  subscript(named name: String) -> RegisteredApp? { names[name].flatMap { rows[$0] } }

  func id(of name: String) -> AppID? { names[name] }
  func name(of id: AppID) -> String? { rows.withRow(of: id) { $0.name } }
  func isSink(_ id: AppID) -> Bool { rows.withRow(of: id) { $0.isSink } == true }
  func isResident(_ id: AppID) -> Bool { rows.withRow(of: id) { $0.isResident } == true }
  func allowsLocation(_ id: AppID) -> Bool { rows.withRow(of: id) { $0.allowsLocation } == true }

  /// The kind of an app that may know locations; `nil` if it may not, or is unknown.
  func recipient(_ id: AppID) -> AppManifest.Kind? {
    rows.withRow(of: id) { $0.allowsLocation ? $0.manifest.kind : nil } ?? nil
  }

  /// The names of all that `isChosen`, for people.
  func known(_ none: String, where isChosen: (RegisteredApp) -> Bool = { _ in true }) -> String {
    let names = all.filter(isChosen).map(\.name).sorted().joined(separator: ", ")
    return names.isEmpty ? none : "known: " + names
  }

  /// Adds an app under the next number.
  mutating func addApp(_ manifest: AppManifest) -> AppID {
    let id = AppID(next)
    restore(manifest, as: id)
    return id
  }

  /// Adds an app of an earlier service.
  mutating func restore(_ manifest: AppManifest, as id: AppID, lastLogged: UTCInstant? = nil) {
    spare(id)
    var app = RegisteredApp(manifest, as: id, knowsWhenInUse: knowsWhenInUse)
    app.lastLogged = lastLogged
    rows[id] = app
    names[manifest.name] = id
  }

  /// Gives this number to no other app.
  mutating func spare(_ id: AppID) { next = max(next, id.number + 1) }

  /// The log of an app has no line from before that time any more.
  mutating func logEnds(of id: AppID, before: UTCInstant) {
    rows.change(id) { if let last = $0.lastLogged, last < before { $0.lastLogged = nil } }
  }

  mutating func remove(_ id: AppID) {
    guard let name = name(of: id) else { return }
    if names[name] == id { names[name] = nil }
    rows[id] = nil
  }

  mutating func replace(_ manifest: AppManifest, of id: AppID) {
    rows.change(id) { $0.manifest = manifest }
  }

  /// Notes the level that an app asks for; `nil` for none.
  mutating func request(_ level: Authorization?, for id: AppID) {
    rows.change(id) { $0.requestedAuthorization = level }
  }

  mutating func grant(_ outcome: AuthorizationOutcome, to id: AppID) {
    rows.change(id) { app in
      app.manifest.declaration.authorization = outcome.granted
      app.isOnTrial = outcome.isOnTrial
      app.requestedAuthorization = nil
    }
  }
}
