// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationModel
import ServiceContract
import ServiceCore

/// The program of `track`: asks for what the mode stands for, and is through with each event at once.
struct TrackedApp: VirtualProgram {
  let mode: Service
  let request: StandardRequest

  var nextDeadline: EngineInstant? { nil }

  mutating func begin(_ reason: WakeReason?, at now: ServiceTime) {}

  mutating func hear(_ message: ServerMessage, at now: ServiceTime) -> [ProgramAct] {
    switch message {
    case .welcome(let welcome):
      guard welcome.launchReason == nil else { return [] }
      return [
        .say(.start(mode == .significant ? .init(.significant) : .init(.standard, request)))
      ]
    case .location(let delivery, _):
      return [.say(.acknowledge(delivery.sequence))]
        + (mode == .significant ? [.say(.done)] : [])
    default: return []
    }
  }

  mutating func pass(to now: ServiceTime) -> [ProgramAct] { [] }

  mutating func end() {}
}
