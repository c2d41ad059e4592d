// SPDX-License-Identifier: Apache-2.0

import AppKeeping
import ControlClient
import ControlProtocol
import Host
import LocationModel
import ServiceCore

/// Asks this user's service for its state.
enum ServiceProbe {
  /// Blocks for at most `patience` seconds a question; an answer takes a millisecond.
  static func look(at socket: String, patience: Double = 2) -> DoctorFacts.Service {
    let client: ControlClient
    do {
      client = try ControlClient(path: socket)
    } catch {
      return (error as? ControlClientError)?.isAbsence == true
        ? .absent(socket: socket) : .silent(socket: socket, reason: Self.reason(error, socket))
    }
    defer { client.close() }
    do {
      let status: StatusDocument = try ask(.status, client, patience)
      var running = DoctorFacts.Service.Running(
        socket: socket, release: status.release, host: status.gpsd.host, port: status.gpsd.port)
      if status.store.state != .ok {
        running.storeTrouble = status.store.warning ?? "nothing outlives this daemon"
      }
      running.hold = status.receiver.hold
      running.outlets = status.outlets
      running.gpsdPorts = status.gpsdPorts
      running.web = status.web?.address
      running.geoCluePrograms = status.geoClue?.programs.map(\.name) ?? []
      let path = searchPath(of: status.pid)
      for row in status.apps {
        let app: AppDocument = try ask(.user(.app(row.name)), client, patience)
        running.apps.append(fact(of: app, path))
      }
      running.trials = try trials(of: running.outlets, client)
      return .running(running)
    } catch {
      return .silent(socket: socket, reason: reason(error, socket))
    }
  }

  /// Tries all sinks at the same time: an unreachable server takes 10 s, and a slow one 30 s.
  private static func trials(
    of outlets: [StatusDocument.Outlet], _ client: ControlClient
  ) throws -> [SinkTrialDocument] {
    let names = outlets.filter { $0.authorization.allowsLocation }.map(\.app)
    for name in names { try client.send(.trySink(name)) }
    var trials: [String: SinkTrialDocument] = [:]
    let deadline = ContinuousClock.now + .seconds(sinkPatience)
    while trials.count < names.count,
      let answer = try client.receive(timeout: (deadline - .now) / .seconds(1))
    {
      guard case .document(let json) = answer else { continue }
      let trial = try SinkTrialDocument(json: json)
      trials[trial.name] = trial
    }
    return names.map {
      trials[$0]
        ?? SinkTrialDocument(
          name: $0, isReached: false, text: "no answer within \(Int(sinkPatience)) s")
    }
  }

  private static let sinkPatience = 45.0

  private static func fact(of app: AppDocument, _ path: String?) -> DoctorFacts.App {
    var fact = DoctorFacts.App(row: app.row)
    fact.crashes = app.crashes
    // An app without a command starts itself; without the service's PATH a name cannot be judged.
    if let program = app.command.first, program.contains("/") || path != nil {
      fact.fault = ProgramSearch(program, directory: app.directory, path: path).fault()
    }
    return fact
  }

  private static func ask<Document: ControlDocument>(
    _ message: ClientMessage, _ client: ControlClient, _ patience: Double
  ) throws -> Document {
    try client.send(message)
    while let answer = try client.receive(timeout: patience) {
      switch answer {
      case .document(let json): return try Document(json: json)
      case .error(_, let text): throw ControlClientError(text)
      default: continue
      }
    }
    throw ControlClientError(
      client.isAtEnd ? "it closed the connection" : "no answer within \(Int(patience)) s")
  }

  private static func reason(_ error: any Error, _ socket: String) -> String {
    let words =
      switch error {
      case let error as ControlClientError: error.message
      case let error as ProtocolError: "its answer is not understood: \(error.message)"
      default: "\(error)"
      }
    return words.hasPrefix("\(socket): ") ? String(words.dropFirst(socket.count + 2)) : words
  }

  /// The service's PATH, from its start environment; `nil` if that cannot be read.
  private static func searchPath(of pid: Int32) -> String? {
    guard let text = SmallFile.text(of: "/proc/\(pid)/environ") else { return nil }
    let entry = text.split(separator: "\0").first { $0.hasPrefix("PATH=") }
    return entry.map { String($0.dropFirst("PATH=".count)) } ?? ProgramSearch.usualPath
  }
}
