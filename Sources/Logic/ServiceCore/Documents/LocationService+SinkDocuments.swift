// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationModel
import ServiceContract
import Settings
import Wording

extension LocationService {
  mutating func sinkSays(_ message: ClientMessage, _ client: ClientID, _ request: String?) {
    guard case .trySink(let name) = message else {
      return answer(client, .document(json: sinksDocument().json), request)
    }
    guard let app = apps.id(of: name).flatMap({ apps[$0] }), let sink = app.manifest.sink else {
      let known = apps.all.filter(\.isSink).map(\.name).sorted().joined(separator: ", ")
      return refuse(
        client, .unknownApp,
        "there is no sink '\(name)'; \(known.isEmpty ? "none is configured" : "known: \(known)")",
        request)
    }
    let trial = SinkBatch(
      app: app.id, sink: sink, directory: app.manifest.directory, deliveries: [])
    intents.append(.effect(.sink(.probe(trial, for: client, id: request))))
  }

  mutating func answer(_ client: ClientID, _ trial: SinkTrial, of id: AppID, _ request: String?) {
    guard let name = apps[id]?.name else {
      return refuse(client, .unknownApp, "the sink was removed while it was tried", request)
    }
    let document =
      switch trial {
      case .reached(let text): SinkTrialDocument(name: name, isReached: true, text: text)
      case .failed(let text): SinkTrialDocument(name: name, isReached: false, text: text)
      }
    answer(client, .document(json: document.json), request)
  }

  func sinksDocument() -> SinksDocument {
    SinksDocument(sinks: apps.all.filter(\.isSink).map(row).sorted { $0.name < $1.name })
  }

  private func row(_ app: AppRecord) -> SinkRow {
    let tally = app.uplinkTally
    let oldest = app.outbox.entries.first?.since.map { EngineInstant.seconds(from: $0, to: now.at) }
    return SinkRow(
      name: app.name, kind: app.manifest.sink?.kind ?? "",
      host: app.manifest.sink?.host.map(String.init),
      state: sinkState(app), text: sinkText(app), pending: app.outbox.entries.count, oldest: oldest,
      givenUp: app.dead.count, lastTaken: tally.lastTaken, taken: tally.taken,
      transfers: tally.transfers, sentBytes: tally.traffic.up, receivedBytes: tally.traffic.down,
      energy: tally.energy, energyPerDay: tally.energyPerDay(at: now.at))
  }

  private func sinkState(_ app: AppRecord) -> SinkRow.State {
    switch app.code {
    case .sink(.passing): .sending
    case .sink(.waiting): .failing
    case .sink(.gathering): .gathering
    case .sink(.idle), .connected, .handler: app.outbox.entries.isEmpty ? .idle : .gathering
    }
  }

  /// The reason why deliveries waiting for a sink are not on their way.
  func sinkText(_ app: AppRecord) -> String? {
    guard let first = app.outbox.entries.first, let sink = app.manifest.sink else { return nil }
    let schedule = SinkSchedule(sink)
    switch app.code {
    case .sink(.waiting(let until, _)):
      let again = Figures.span(max(0, EngineInstant.seconds(from: now.at, to: until)))
      return "\(app.trouble ?? "it took nothing"); tried again in \(again)"
    case .sink(.gathering(let until)):
      let rest = Figures.span(max(0, EngineInstant.seconds(from: now.at, to: until)))
      return if case .gathered(_, rides: true) = schedule.departure {
        "not urgent: it goes in \(rest) at the latest, or when the radio is on for another sink"
      } else {
        "not urgent: it goes in \(rest)"
      }
    case .sink(.passing): return app.trouble.map { "\($0); it is tried now" } ?? "on its way"
    case .sink(.idle), .connected, .handler: break
    }
    if sink.needsWayOut, uplink.network?.isUp == false { return "there is no network" }
    if schedule.onMetered == .wait, uplink.network?.isMetered == true {
      return "the network is metered, and on_metered says wait"
    }
    return app.manifest.declaration.authorization.allowsLocation
      ? "event \(first.delivery.sequence) goes next"
      : "its user does not allow it to know the location"
  }
}
