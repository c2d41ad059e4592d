// SPDX-License-Identifier: Apache-2.0

import MessageBus
import ServiceContract

/// A call of a program.
struct GeoClueCall: Sendable, Equatable {
  /// Identifies the message to answer.
  let token: UInt64
  /// Its unique name on the bus.
  let sender: String
  let path: String
  /// `nil` if the caller states none.
  let interface: String?
  let member: String
  /// Types of the arguments.
  let signature: String
  let arguments: [BusValue]
}

/// A consequence of a call, or of a position, beside the answer.
enum GeoClueEffect: Sendable, Equatable {
  /// A signal to one connection, or to all listeners.
  case signal(path: String, interface: String, member: String, [BusValue], to: String?)
  case event(GeoClueEvent)
  /// From now on that connection sets the level that its user allows.
  case agent(String)
}
