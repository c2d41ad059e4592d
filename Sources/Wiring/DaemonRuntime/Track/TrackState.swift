// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
package import LocationEngine
package import LocationModel
package import RadioPower
import ServiceContract
import ServiceCore

/// The visible state of a live track at one moment.
package struct TrackState: Sendable {
  package var mode: Service
  /// The significant-change policy; `nil` in the other modes.
  package var policy: String?
  /// This machine's UTC.
  package var now: UTCInstant
  /// Seconds since the start, by a clock that does not step.
  package var elapsed = 0.0
  /// Seconds of them for which the meter knew the receiver's state.
  package var metered = 0.0
  /// The line to gpsd, in words.
  package var link: String
  package var appState = AppState.notRunning
  package var plan = ReceiverPlan.off(.nobodyAsks)
  /// Seconds until the next session; `nil` if none is planned.
  package var nextSession: Double?
  /// `off`, `acquiring`, `tracking`, `held`.
  package var receiver = "off"
  /// Whether the receiver's state is known.
  package var isReceiverKnown = true
  /// The newest fix, and seconds since it came.
  package var fix: Fix?
  package var fixAge: Double?
  /// The privacy zone that hides it.
  package var hiddenIn: String?
  /// Whether the newest report of a receiver had no position.
  package var isSearching = false
  package var fixes = 0
  package var deliveries = 0
  /// Fixes that are missing from the trace file.
  package var unwritten = 0
  /// Seconds since the last delivery.
  package var deliveryAge: Double?
  /// The verdict on the last fix: delivered, or the reason why not.
  package var verdict: Verdict?
  package var energy = EnergyRange.zero
  /// Joules of the profile's battery.
  package var battery: Double
  package var profile: String
}

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
