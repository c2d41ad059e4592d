// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract
import Settings

// Authorization: the requests of apps, and the answers of users. The outcome of a question is the
// era's (`Authorization.after`).

extension LocationService {
  /// The app requests a level, by itself or, in eras that do so, by starting a service.
  ///
  /// There is no dialogue on a server: the user answers on the command line.
  mutating func ask(_ level: Authorization, for id: AppID) {
    guard let app = apps[id] else { return }
    let current = app.manifest.declaration.authorization
    guard app.requestedAuthorization != level || current != .notDetermined else { return }
    _ = apps.with(id) { $0.requestedAuthorization = current == level ? nil : level }
    guard current.isQuestion(asking: level, in: settings.rules.era) else { return }
    let no = current.allowsLocation ? current : .denied
    note(
      id, "asks",
      "asks for '\(level.rawValue)'; answer with `milepost apps authorize \(app.name) "
        + "\(level.rawValue)` or `\(no.rawValue)`")
    intents.append(.effect(.askUser(app.name, level)))
  }

  /// Takes the user's answer to the app's request, or a change of its authorization. A user who denies an app that may
  /// know where the device is takes that away, whatever the app asks for: a mere no is the level that it has.
  mutating func authorize(_ id: AppID, _ answer: Authorization) {
    guard let app = apps[id] else { return }
    let current = app.manifest.declaration.authorization
    var outcome = AuthorizationOutcome(told: answer, granted: answer)
    if answer.allowsLocation || !current.allowsLocation, let level = app.requestedAuthorization,
      current.isQuestion(asking: level, in: settings.rules.era)
    {
      outcome = current.after(asking: level, answer: answer, in: settings.rules.era)
    }
    _ = apps.with(id) { app in
      app.manifest.declaration.authorization = outcome.granted
      app.isOnTrial = outcome.isOnTrial
      app.requestedAuthorization = nil
    }
    write { $0.authorizations.append(NewAuthorization(id, outcome.granted)) }
    needsCheckpoint()
    note(id, "authorized", "authorization: \(outcome.granted.rawValue)")
    tell(.app(id, .authorized(outcome.granted)))
    if !current.allowsLocation { bringBack(id) }
    if !outcome.granted.allowsLocation { recall(id) }
    intents.append(.tell(id, .authorization(outcome.told)))
    intents.append(.flush(id))
    tellSinkRegions(of: id)
  }

  /// Handles a single request that ended without a location.
  mutating func requestFailed(_ id: AppID) {
    let seconds = Int(engine.rules.requestTimeout)
    intents.append(.tell(id, .requestFailed("no location came within \(seconds) s")))
    if apps[id]?.isSink == true { putAway(id) }
  }
}

extension AppRecord {
  /// Whether it receives no place more exactly than as a square of some kilometres.
  var isReduced: Bool { manifest.declaration.accuracy == .reduced }

  /// The authorization told to the app; on trial that is more than the effective one.
  var toldAuthorization: Authorization {
    isOnTrial ? .always : manifest.declaration.authorization
  }
}
