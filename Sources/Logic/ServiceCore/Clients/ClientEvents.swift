// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract

// What comes over connections. A new message does not compile until it is decided here, or where it is passed on.

extension Clients {
  mutating func receive(
    event: ClientEvent, _ processes: Processes, _ world: World, _ engine: LocationEngine,
    _ step: inout Step
  ) {
    switch event {
    case .connected(let client, let origin): connected(client, origin, world.line, &step)
    case .disconnected(let client): disconnected(client, &step)
    case .writable(let client): writable(client, engine, &step)
    case .refused(let client, let message): refused(message, by: client, &step)
    case .malformed(let client, let error, let request): step.answer(client, error, request)
    case .message(let client, let message, let request):
      receive(message: message, from: client, request, processes, world, engine, &step)
    }
  }

  private mutating func receive(
    message: ClientMessage, from client: ClientID, _ request: String?, _ processes: Processes,
    _ world: World, _ engine: LocationEngine, _ step: inout Step
  ) {
    switch message {
    case .hello(let hello): greet(hello, client, request, processes, &step)
    case .app(let message): receive(appMessage: message, from: client, request, &step)
    case .background(let message):
      receive(backgroundMessage: message, from: client, request, processes, engine, &step)
    case .user(let message): receive(userMessage: message, from: client, request, &step)
    case .gpsd(let message):
      receive(gpsdMessage: message, from: client, request, world, engine, &step)
    }
  }

  private mutating func receive(
    gpsdMessage message: ClientMessage.GPSD, from client: ClientID, _ request: String?,
    _ world: World,
    _ engine: LocationEngine, _ step: inout Step
  ) {
    switch message {
    case .version: step.answer(client, version(for: client, world.line, step), request)
    case .devices: step.answer(client, .devices(devices(for: client, world.line)), request)
    case .watch(let isOn):
      watch(client, reports: isOn, sentences: false, request, world.line, engine, &step)
    case .watchSentences(let json):
      watch(client, reports: json, sentences: true, request, world.line, engine, &step)
    case .poll:
      let sky = world.sky(at: step.now.at)
      step.answer(client, poll(client, sky, at: step.now.utc), request)
    }
  }
}
