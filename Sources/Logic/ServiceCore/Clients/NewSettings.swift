// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract

// Settings that were read again. They count at once, also for registered apps: a smaller outbox drops the oldest with
// the next delivery, and a lower crash limit holds an app from its next crash on.

extension Step {
  mutating func receive(
    settings reading: SettingsReading, for client: ClientID?, _ request: String?
  ) {
    switch reading {
    case .refused(let text, let isError):
      journal(
        isError ? .error : .notice, isError ? "the configuration stays as it was: \(text)" : text)
      if let client { refuse(client, .notPossible, text, request) }
    case .read(let new, let changes):
      for change in changes { journal(.notice, "configuration: \(change)") }
      if changes.isEmpty {
        // Another app may have had the name of a sink until now.
        let names = (new.sinks ?? []).map(\.name).filter { apps.id(of: $0) == nil }
        for name in names { journal(.notice, "configuration: sinks.\(name): begins") }
        if names.isEmpty { journal(.notice, "configuration: nothing changed") }
      }
      apply(new)
      if let client { answer(client, .ok, request) }
    }
  }

  private mutating func apply(_ new: ServiceSettings) {
    let hasMoved =
      (new.gpsdHost, new.gpsdPort) != (settings.gpsdHost, settings.gpsdPort)
      || new.gpsdDevice != settings.gpsdDevice
    settings.gpsdHost = new.gpsdHost
    settings.gpsdPort = new.gpsdPort
    settings.gpsdDevice = new.gpsdDevice
    settings.newApps = new.newApps
    settings.crashLimit = new.crashLimit
    settings.outboxLimit = new.outboxLimit
    settings.retriesFor = new.retriesFor
    settings.sinks = new.sinks
    if new.keepsFor != settings.keepsFor { ledger.renewRetention() }
    settings.keepsFor = new.keepsFor
    want(.followLimits)
    want(.followConfiguration)
    want(.followZones(new.rules.zones))
    settings.powerIsIgnition = new.powerIsIgnition
    want(.followLateness(new.rules.lateness, externalPower: new.externalPower))
    if hasMoved { want(.gpsdMoved) }
  }

  /// Takes over the zones of a configuration that was read again. All memory of places hidden from now on, and the
  /// events waiting about them, are deleted, here and in the store.
  mutating func follow(zones: [PrivacyZone]) {
    let before = settings.rules.zones
    guard zones != before else { return }
    settings.rules.zones = zones
    want(.reconfigure(saysWorth: false))
    want(.declareAll)
    forgetHidden(since: before)
    ledger.needCheckpoint(now: true)
    ledger.addRows { $0.scrubs = true }
    for id in apps.ids { want(.tellSinkRegions(id)) }
  }

  /// What the zones hide that were not there before is forgotten everywhere.
  mutating func forgetHidden(since before: [PrivacyZone]) {
    let new = settings.rules.zones.filter { !before.contains($0) }
    guard !new.isEmpty else { return }
    want(Outboxes.Order.forgetHidden(by: new))
    want(World.Order.forgetHidden(by: new))
    want(Clients.Order.forgetHidden(by: new))
  }
}
