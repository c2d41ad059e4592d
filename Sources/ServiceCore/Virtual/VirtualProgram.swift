// SPDX-License-Identifier: Apache-2.0

package import ControlProtocol
package import LocationModel
package import ServiceContract

/// A program that a virtual host runs in place of a real process.
///
/// It takes no time: what it says about something is said at the same instant. It is connected to the
/// service for as long as it runs.
package protocol VirtualProgram: Sendable {
  /// When it does something without having been told anything; `nil` where it waits.
  var nextDeadline: EngineInstant? { get }
  /// Its process begins. `reason` is why the service launched it, `nil` where its user did.
  mutating func begin(_ reason: WakeReason?, at now: ServiceTime)
  /// Whether all that it does about a location is to acknowledge it; then it need not be told of any.
  var onlyAcknowledges: Bool { get }
  /// Whether it is shown how the app stands (`stands`) before it is told something or its deadline is handed to it.
  var asksHowItStands: Bool { get }
  mutating func stands(_ standing: AppStanding)
  /// The service tells it something; what it does about that goes behind `acts`.
  mutating func hear(_ message: ServerMessage, at now: ServiceTime, into acts: inout [ProgramAct])
  /// Its deadline has come. Asked again as long as it is not past.
  mutating func pass(to now: ServiceTime) -> [ProgramAct]
  /// Its process stands still: no deadline of its own comes until it goes on.
  mutating func froze(at now: ServiceTime)
  /// Its process goes on; the event that it goes on for comes next.
  mutating func thawed(at now: ServiceTime)
  /// Its process is gone.
  mutating func end()
}

extension VirtualProgram {
  package var onlyAcknowledges: Bool { false }
  package var asksHowItStands: Bool { false }
  package mutating func stands(_ standing: AppStanding) {}
  package mutating func froze(at now: ServiceTime) {}
  package mutating func thawed(at now: ServiceTime) {}
}

/// An act of a program.
package enum ProgramAct: Sendable, Equatable {
  case say(ClientMessage)
  case exit(status: Int32)
  /// Ends by a signal.
  case crash
  /// Sends and fetches so many bytes, past the service.
  case transfer(up: Int, down: Int)
  /// Says of itself, for an account, what it does.
  case remark(String)
}

/// Something that a program did past the service.
package struct ProgramDeed: Sendable, Equatable {
  package let app: String
  package let kind: Kind
  /// Decisions of the service that were kept when it happened.
  package let decisions: Int

  package enum Kind: Sendable, Equatable {
    case transfer(up: Int, down: Int)
    case remark(String)
  }
}
