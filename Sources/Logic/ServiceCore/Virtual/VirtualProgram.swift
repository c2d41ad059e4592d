// SPDX-License-Identifier: Apache-2.0

package import ControlProtocol
package import LocationModel
package import ServiceContract

/// A program that a virtual host runs in place of a real process.
///
/// It takes no time: its reaction comes at the same instant. It is connected to the service for as
/// long as it runs.
package protocol VirtualProgram: Sendable {
  /// The time of its next spontaneous act; `nil` if it waits.
  var nextDeadline: EngineInstant? { get }
  /// Its process begins. `reason` is that of the launch by the service, `nil` if the user launched it.
  mutating func beginProcess(_ reason: WakeReason?, at now: ServiceTime)
  /// Whether it only acknowledges locations; then it need not receive any.
  var onlyAcknowledges: Bool { get }
  /// Whether it is shown the app's standing (`stands`) before a message or its deadline.
  var asksHowItStands: Bool { get }
  mutating func stands(_ standing: AppStanding)
  /// Takes a message of the service; its reaction goes behind `acts`.
  mutating func hear(message: ServerMessage, at now: ServiceTime, into acts: inout [ProgramAct])
  /// Handles its deadline. Asked again as long as it is not past.
  mutating func pass(to now: ServiceTime) -> [ProgramAct]
  /// Its process is frozen: none of its deadlines comes until it goes on.
  mutating func froze(at now: ServiceTime)
  /// Its process is thawed; the event behind that comes next.
  mutating func thawed(at now: ServiceTime)
  /// Its process is gone.
  mutating func endProcess()
}

extension VirtualProgram {
  package var onlyAcknowledges: Bool { false }
  package var asksHowItStands: Bool { false }
  package mutating func stands(_ standing: AppStanding) {}
  package mutating func froze(at now: ServiceTime) {}
  package mutating func thawed(at now: ServiceTime) {}
}

/// What a program does.
package enum ProgramAct: Sendable, Equatable {
  case say(ClientMessage)
  case exit(status: Int32)
  /// Ends by a signal.
  case crash
  /// Sends and fetches this many bytes, past the service.
  case transfer(up: Int, down: Int)
  /// Has the system fetch this many bytes of an issue, whatever becomes of its process.
  case issueDownload(bytes: Int)
  /// Describes its own act, for an account.
  case remark(String)
}

/// An act of a program past the service.
package struct ProgramDeed: Sendable, Equatable {
  package let app: String
  package let kind: Kind
  /// The number of decisions of the service kept at that time.
  package let decisions: Int

  package enum Kind: Sendable, Equatable {
    case transfer(up: Int, down: Int)
    case issueDownload(bytes: Int)
    case remark(String)
    /// The service sent these to the other side of a sink, which took them; its meter has the transfer.
    case sent([PendingDelivery], bytes: Int)
  }
}
