// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Foundation
import LocationModel
import ServiceContract
import ServiceCore
import Synchronization

/// `Apps/listener.py` for a replay: acts the same at the same events, and keeps its messages.
final class ListenerTwin: VirtualProgram {
  private let service: Service
  private let lines = Mutex<[String]>([])

  init(_ service: Service) { self.service = service }

  /// The lines of `ToldLines` for the account of the real one.
  var told: [String] { lines.withLock { $0 } }

  private func write(_ line: String) { lines.withLock { $0.append(line) } }

  var nextDeadline: EngineInstant? { nil }

  func beginProcess(_ reason: WakeReason?, at now: ServiceTime) {
    write(ToldLines.begun(reason?.rawValue))
  }

  func hear(message: ServerMessage, at now: ServiceTime, into acts: inout [ProgramAct]) {
    let object = try? JSONSerialization.jsonObject(with: Data(message.encode()))
    write(ToldLines.told(object as? [String: Any] ?? [:]))
    switch message {
    case .welcome: acts.append(.say(.start(.init(service))))
    case .location(let delivery, _):
      acts.append(.say(.acknowledge(delivery.sequence)))
      if service == .significant { acts.append(.say(.done)) }
    case .willTerminate: acts.append(.exit(status: 0))
    default: break
    }
  }

  func pass(to now: ServiceTime) -> [ProgramAct] { [] }

  func endProcess() {}
}

/// The messages of a listener, a line each, without the parts that differ between worlds: the time, and the exact place
/// (the deliveries are compared by the service's own numbers).
enum ToldLines {
  static func begun(_ reason: String?) -> String { "begun: \(reason ?? "user")" }

  static func told(_ message: [String: Any]) -> String {
    let kept =
      ["state", "authorization", "launch_reason", "acknowledged", "monitors", "service"]
      + ["cached", "sequence", "seconds", "text", "code", "count"]
    let members = message.filter { kept.contains($0.key) && !($0.value is NSNull) }.sorted {
      $0.key < $1.key
    }
    return ([message["class"] as? String ?? "?"] + members.map { "\($0.key)=\($0.value)" })
      .joined(separator: " ")
  }

  /// From the entries of `listener.py`.
  static func of(_ account: [[String: Any]]) -> [String] {
    account.map { entry in
      if let message = entry["told"] as? [String: Any] { return told(message) }
      if entry["begun"] != nil { return begun(entry["reason"] as? String) }
      return "signal \(entry["signal"] ?? "?")"
    }
  }
}
