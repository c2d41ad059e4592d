// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract

// The questions and orders of the user: `milepost apps`, `status` and similar. Each goes to the machine that decides it.

extension Clients {
  func receive(
    userMessage message: ClientMessage.User, from client: ClientID, _ request: String?,
    _ step: inout Step
  ) {
    switch message {
    case .status: step.want(.document(.status, client, request))
    case .apps: step.want(.document(.apps, client, request))
    case .overview: step.want(.document(.overview, client, request))
    case .sinks: step.want(.document(.sinks, client, request))
    case .history(let from, let to, let count):
      let range = HistoryRange(from: from, to: to, count: count)
      step.intend(.effect(.sendHistory(range, unwritten: [], to: client, id: request)))
    case .reload: step.intend(.effect(.readSettings(for: client, id: request)))
    case .device(let event):
      step.record(nil, "device", event.words)
      step.want(.device(event))
      step.answer(client, .ok, request)
    case .forget(let wish): step.want(.forget(wish, client, request))
    // The shell reads the manifest, and reports it with `manifest`.
    case .add, .update: break
    case .log("", let count): sendLog(of: nil, "", count, client, request, &step)
    case .log(let name, let count):
      guard let app = app(name, client, request, &step) else { return }
      sendLog(of: app.id, name, count, client, request, &step)
    case .app(let name):
      guard let app = app(name, client, request, &step) else { return }
      step.want(.document(.app(app.id), client, request))
    case .explain(let name):
      guard let app = app(name, client, request, &step) else { return }
      step.want(.document(.explanation(app.id), client, request))
    case .events(let name):
      guard let app = app(name, client, request, &step) else { return }
      step.want(.document(.events(app.id), client, request))
    case .remove(let name):
      guard let app = app(name, client, request, &step) else { return }
      guard !app.manifest.isConfigured || step.settings.sinks == nil else {
        return step.refuseConfigured(app, client, request)
      }
      step.want(.remove(app.id))
      step.answerChange(client, .ok, request)
    case .authorize(let name, let level, let accuracy):
      guard let app = app(name, client, request, &step) else { return }
      if let accuracy { step.allow(accuracy, to: app) }
      step.authorize(app.id, level)
      step.answerChange(client, .ok, request)
    case .resend(let name, let number):
      guard let app = app(name, client, request, &step) else { return }
      step.want(.resend(number, of: app.id, client, request))
    case .discard(let name, let number):
      guard let app = app(name, client, request, &step) else { return }
      step.want(.discard(number, of: app.id, client, request))
    case .event(let name, let reason):
      guard let app = app(name, client, request, &step) else { return }
      step.ledger.needCheckpoint()
      step.tellEngine(.app(app.id, .event(reason)))
      step.answer(client, .ok, request)
    case .control(let name, let control):
      guard let app = app(name, client, request, &step) else { return }
      step.want(.ordered(control, on: app.id, client, request))
    case .trySink(let name): trySink(name, client, request, &step)
    }
  }

  /// The app of a name; a client that asks for an unknown one is told those that there are.
  private func app(
    _ name: String, _ client: ClientID, _ request: String?, _ step: inout Step
  ) -> RegisteredApp? {
    if let app = step.apps[named: name] { return app }
    step.refuse(
      client, .unknownApp, "there is no app '\(name)'; \(step.apps.known("none is registered"))",
      request)
    return nil
  }

  private func sendLog(
    of id: AppID?, _ name: String, _ count: Int, _ client: ClientID, _ request: String?,
    _ step: inout Step
  ) {
    step.intend(
      .effect(
        .sendLog(
          of: id, name: name, count: max(1, min(count, 10_000)), unwritten: [], to: client,
          id: request)))
  }

  private func trySink(
    _ name: String, _ client: ClientID, _ request: String?, _ step: inout Step
  ) {
    guard let app = step.apps[named: name], let sink = app.manifest.sink else {
      let known = step.apps.known("none is configured") { $0.isSink }
      return step.refuse(client, .unknownApp, "there is no sink '\(name)'; \(known)", request)
    }
    let trial = SinkBatch(
      app: app.id, sink: sink, directory: app.manifest.directory, deliveries: [])
    step.intend(.effect(.sink(.probe(trial, for: client, id: request))))
  }
}
