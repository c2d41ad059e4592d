// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract
import Settings

// Theory
// ======
//
// The sinks of the configuration are apps that come and go with it. An unchanged one keeps its waiting events, its
// numbers and its pauses; a changed one begins anew with the waiting events; a removed one goes with its waiting
// events, which is reported. A name that belongs to an app added by a person stays that app's. Without a file (a home that
// is not mounted yet) nothing is known, and all stay; a person may remove them then.

extension LocationService {
  mutating func followConfiguredSinks() {
    guard let configured = settings.sinks else {
      let names = apps.all.filter(\.manifest.isConfigured).map(\.name).sorted()
      guard !names.isEmpty else { return }
      return journal(
        .warning,
        "there is no configuration file; the sinks that it named stay as they were: "
          + names.joined(separator: ", "))
    }
    let names = Set(configured.map(\.name))
    for app in apps.all where app.manifest.isConfigured && !names.contains(app.name) {
      let waiting = app.outbox.entries.count
      if waiting > 0 {
        journal(
          .warning,
          "\(app.name): the configuration does not name it any more; "
            + "\(waiting == 1 ? "1 event was" : "\(waiting) events were") not sent")
      }
      remove(app.id)
    }
    for manifest in configured { follow(manifest) }
  }

  private mutating func follow(_ manifest: AppManifest) {
    guard let id = apps.id(of: manifest.name), let app = apps[id] else {
      guard let id = register(manifest) else {
        return journal(.error, "sinks.\(manifest.name): there are too many apps; it is not there")
      }
      if phase == .serving { launchInBackground(id) }
      return
    }
    guard app.manifest.isConfigured else {
      return journal(
        .error,
        "sinks.\(manifest.name): there is an app of that name; remove it (milepost apps remove "
          + "\(manifest.name)) and read the configuration again, or call the sink something else")
    }
    let manifest = manifest.decided(as: app.manifest)
    if manifest != app.manifest { replace(app, by: manifest) }
  }
}

extension AppManifest {
  /// This manifest in place of another one, with what the user decided of that: its authorization, and the stricter
  /// accuracy of the two. An edited file does not lift a restriction.
  func decided(as before: AppManifest) -> AppManifest {
    var manifest = self
    manifest.declaration.authorization = before.declaration.authorization
    if before.declaration.accuracy == .reduced { manifest.declaration.accuracy = .reduced }
    return manifest
  }

  /// Whether only its newest delivery matters.
  var keepsLast: Bool { sink.map { SinkSchedule($0).keeping == .last } ?? false }
}

extension ServiceSettings {
  /// The outbox limit of an app.
  func outboxLimit(for manifest: AppManifest) -> Int { manifest.keepsLast ? 1 : outboxLimit }
}
