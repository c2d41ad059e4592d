// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract

// Theory
// ======
//
// The sinks of the configuration are apps that come and go with it. An unchanged one keeps its waiting events, its
// numbers and its pauses; a changed one begins anew with the waiting events; a removed one goes with its waiting
// events, which is reported. A name that belongs to an app added by a person stays that app's. Without a file (a home that
// is not mounted yet) nothing is known, and all stay; a person may remove them then.

extension Sinks {
  func followConfiguration(_ outboxes: Outboxes, _ step: inout Step) {
    guard let configured = step.settings.sinks else {
      let names = step.apps.all.filter(\.manifest.isConfigured).map(\.name).sorted()
      guard !names.isEmpty else { return }
      return step.journal(
        .warning,
        "there is no configuration file; the sinks that it named stay as they were: "
          + names.joined(separator: ", "))
    }
    let names = Set(configured.map(\.name))
    for app in step.apps.all where app.manifest.isConfigured && !names.contains(app.name) {
      let waiting = outboxes.count(app.id)
      if waiting > 0 {
        step.journal(
          .warning,
          "\(app.name): the configuration does not name it any more; "
            + "\(waiting == 1 ? "1 event was" : "\(waiting) events were") not sent")
      }
      step.want(.remove(app.id))
    }
    for manifest in configured { step.want(.followSink(manifest)) }
  }

  /// Follows one sink of the configuration.
  func followSink(of manifest: AppManifest, _ step: inout Step) {
    guard let app = step.apps[named: manifest.name] else {
      guard let id = step.register(manifest) else {
        return step.journal(
          .error, "sinks.\(manifest.name): there are too many apps; it is not there")
      }
      if step.phase == .serving { step.want(.launchInBackground(id)) }
      return
    }
    guard app.manifest.isConfigured else {
      return step.journal(
        .error,
        "sinks.\(manifest.name): there is an app of that name; remove it (milepost apps remove "
          + "\(manifest.name)) and read the configuration again, or call the sink something else")
    }
    let manifest = manifest.decided(as: app.manifest)
    if manifest != app.manifest { step.replace(app, by: manifest) }
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
