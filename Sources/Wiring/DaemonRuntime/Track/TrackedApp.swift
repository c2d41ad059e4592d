// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract
import ServiceCore

/// The program of `track`: requests the services of the mode, and finishes each event at once.
struct TrackedApp: VirtualProgram {
  let mode: Service
  let request: StandardRequest

  var nextDeadline: EngineInstant? { nil }

  mutating func beginProcess(_ reason: WakeReason?, at now: ServiceTime) {}

  mutating func hear(message: ServerMessage, at now: ServiceTime, into acts: inout [ProgramAct]) {
    switch message {
    case .welcome(let welcome):
      guard welcome.launchReason == nil else { return }
      acts.append(
        .say(.start(mode == .significant ? .init(.significant) : .init(.standard, request))))
    case .location(let delivery, _):
      acts.append(.say(.acknowledge(delivery.sequence)))
      if mode == .significant { acts.append(.say(.done)) }
    default: break
    }
  }

  mutating func pass(to now: ServiceTime) -> [ProgramAct] { [] }

  mutating func endProcess() {}
}
