// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract

// The rows of sinks, and why what waits for one is not on its way.

extension ServiceDocuments {
  func sinksDocument() -> SinksDocument {
    SinksDocument(sinks: apps.byName.filter(\.isSink).map(sinkRow))
  }

  private func sinkRow(_ app: RegisteredApp) -> SinkRow {
    let tally = sinks[app.id]?.tally ?? UplinkTally(since: now.at)
    let oldest = outboxes.first(of: app.id)?.since.map {
      EngineInstant.seconds(from: $0, to: now.at)
    }
    return SinkRow(
      name: app.name, kind: app.manifest.sink?.kind ?? "",
      host: app.manifest.sink?.host.map(String.init),
      state: sinkState(app), text: sinkText(app), pending: outboxes.count(app.id), oldest: oldest,
      givenUp: outboxes[app.id]?.dead.count ?? 0, lastTaken: tally.lastTaken, taken: tally.taken,
      transfers: tally.transfers, sentBytes: tally.traffic.up, receivedBytes: tally.traffic.down,
      heartbeat: sinks[app.id]?.heartbeat.silence, energy: tally.energy,
      energyPerDay: tally.energyPerDay(at: now.at))
  }

  private func sinkState(_ app: RegisteredApp) -> SinkRow.State {
    switch sinks[app.id]?.run {
    case .passing: .sending
    case .waiting: .failing
    case .gathering: .gathering
    case .idle, nil: outboxes.isEmpty(app.id) ? .idle : .gathering
    }
  }

  /// The reason why deliveries waiting for a sink are not on their way.
  func sinkText(_ app: RegisteredApp) -> String? {
    guard let first = outboxes.first(of: app.id), let sink = app.manifest.sink else { return nil }
    let schedule = SinkSchedule(sink)
    let trouble = sinks[app.id]?.trouble
    switch sinks[app.id]?.run {
    case .waiting(let until, _):
      let again = Figures.span(max(0, EngineInstant.seconds(from: now.at, to: until)))
      return "\(trouble ?? "it took nothing"); tried again in \(again)"
    case .gathering(let until):
      let rest = Figures.span(max(0, EngineInstant.seconds(from: now.at, to: until)))
      return if case .gathered(_, rides: true) = schedule.departure {
        "not urgent: it goes in \(rest) at the latest, or when the radio is on for another sink"
      } else {
        "not urgent: it goes in \(rest)"
      }
    case .passing: return trouble.map { "\($0); it is tried now" } ?? "on its way"
    case .idle, nil: break
    }
    if sink.needsWayOut, sinks.network?.isUp == false { return "there is no network" }
    if schedule.onMetered == .wait, sinks.network?.isMetered == true {
      return "the network is metered, and on_metered says wait"
    }
    return app.allowsLocation
      ? "event \(first.delivery.sequence) goes next"
      : "its user does not allow it to know the location"
  }
}
