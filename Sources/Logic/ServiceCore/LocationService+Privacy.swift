// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import JSONText
import LocationEngine
import LocationModel
package import ServiceContract
import Settings

// Privacy: which apps may know the device's place, and how exactly. The engine decides where a position comes in what a
// zone hides, and its stand-in (`LocationEngine+Privacy`): everything stored, sent, logged or explained sees only what
// it let through. A recording holds the inputs: in it the stand-in replaces a position within a zone before anything
// else sees it (`withoutHidden`), so that the recording decides the same again and holds no such place.

extension LocationService {
  /// What an app says of itself, and in which zones it sees.
  func declaration(of manifest: AppManifest) -> AppDeclaration {
    var declaration = manifest.declaration
    declaration.seesInside =
      settings.hidesFromAll == true
      ? [] : settings.rules.zones.filter { $0.apps.contains(manifest.name) }.map(\.name)
    return declaration
  }

  /// Tells the engine for every app in which zones it sees: those may have changed.
  mutating func declareAll() {
    for app in apps.all {
      let declaration = declaration(of: app.manifest)
      guard declaration.seesInside != engine.zonesSeen(by: app.id) else { continue }
      tell(.app(app.id, .declared(declaration)))
    }
  }

  /// Whether there are hidden places.
  package var hasZones: Bool { !settings.rules.zones.isEmpty }

  /// An input as a recorded service takes it: for a position within a zone its stand-in, whoever may see inside.
  package func withoutHidden(_ input: ServiceInput) -> ServiceInput {
    switch input {
    case .gpsd(let event): .gpsd(withoutHidden(event))
    case .radio(.fix(let fix)): .radio(.fix(withoutHidden(fix)))
    case .radio(.networkFix(let fix)): .radio(.networkFix(withoutHidden(fix)))
    default: input
    }
  }

  /// The same for gpsd's events.
  package func withoutHidden(_ event: GPSDEvent) -> GPSDEvent {
    guard case .fix(let fix, let device) = event else { return event }
    return .fix(withoutHidden(fix), device: device)
  }

  private func withoutHidden(_ fix: Fix) -> Fix {
    settings.rules.zones.hiding(fix, last: engine.hiddenIn)?.standIn(for: fix) ?? fix
  }

  /// Takes over the zones of a configuration that was read again. All memory of places hidden from now on, and the
  /// events waiting about them, are deleted, here and in the store.
  mutating func take(_ zones: [PrivacyZone]) {
    let before = settings.rules.zones
    guard zones != before else { return }
    settings.rules.zones = zones
    reconfigureEngine()
    declareAll()
    forgetHidden(since: before)
    needsCheckpoint(now: true)
    write { $0.scrubs = true }
    for app in apps.all { tellSinkRegions(of: app.id) }
  }

  /// Takes the user's choice of an app's accuracy.
  mutating func allow(_ id: AppID, _ accuracy: LocationAccuracy) {
    guard let app = apps[id], app.manifest.declaration.accuracy != accuracy else { return }
    var manifest = app.manifest
    manifest.declaration.accuracy = accuracy
    _ = apps.with(id) { $0.manifest = manifest }
    store(manifest, as: id)
    needsCheckpoint(now: true)
    tell(.app(id, .declared(declaration(of: manifest))))
    if accuracy == .reduced { reduceWhatWaits(for: id) }
    note(id, "authorized", "accuracy: \(accuracy.rawValue)")
    intents.append(.tell(id, .accuracy(accuracy)))
    tellSinkRegions(of: id)
  }

  /// The destination of each sink, by the names of the apps.
  var outlets: [StatusDocument.Outlet] {
    apps.all.sorted { $0.name < $1.name }.compactMap { app in
      guard let sink = app.manifest.sink else { return nil }
      return .init(
        app: app.name, kind: sink.kind, host: sink.host.map(String.init),
        accuracy: app.manifest.declaration.accuracy,
        authorization: app.manifest.declaration.authorization)
    }
  }
}
