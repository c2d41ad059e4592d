// SPDX-License-Identifier: Apache-2.0

import ServiceContract
import ServiceCore
import Synchronization

/// An event that reaches the daemon from outside, in the order of arrival.
enum DaemonEvent: Sendable {
  case gpsd(GPSDEvent)
  case process(ProcessEvent)
  case client(ClientEvent)
  case modem(ModemEvent)
  case machine(MachineEvent)
  /// Data arrived on the handed-over socket of this process group.
  case socket(group: Int32)
  /// A deadline of the engine or of the daemon may have come.
  case deadlineCame
  /// The configuration file must be read again (SIGHUP).
  case reload
  /// The shell's own messages to the service.
  case service(ServiceInput)
}

// Theory
// ======
//
// Edges offer events from their own threads and never wait; the daemon takes all waiting events at once, so that a
// thousand acknowledgements cost one write to the store. Its first event wakes the daemon, which takes what is there
// when it runs: also what else its event loop has read by then. The inbox is bounded. When it is full, positions, messages and
// requests of a sink's other side are refused (gpsd sends the next position a second later; unacknowledged deliveries
// are sent again to the next connection). The ends of processes and connections always fit, since their number is
// bounded. The counts of refused events by kind follow the waiting ones, so that the service can report them.

/// A bounded queue between the edges and the daemon.
final class Inbox: Sendable {
  /// The limit of waiting events; one takes some hundred bytes.
  static let limit = 65_536

  private struct State {
    var events: [DaemonEvent] = []
    var refused: [RefusableEvent: Int] = [:]
    var waiter: CheckedContinuation<Void, Never>?

    mutating func takeAll() -> [DaemonEvent] {
      defer { (events, refused) = ([], [:]) }
      let losses = RefusableEvent.allCases.compactMap { kind in
        refused[kind].map { DaemonEvent.service(.refused(kind, count: $0)) }
      }
      return losses.isEmpty ? events : events + losses
    }
  }

  private let state = Mutex(State())

  /// Adds an event; returns `false` if it was refused.
  @discardableResult
  func offer(_ event: DaemonEvent) -> Bool {
    let (isTaken, waiter) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
      if state.events.count >= Self.limit, let kind = event.refusable {
        state.refused[kind, default: 0] += 1
        return (false, nil)
      }
      state.events.append(event)
      defer { state.waiter = nil }
      return (true, state.waiter)
    }
    waiter?.resume()
    return isTaken
  }

  /// Waits until there is an event, then returns all. Called by one task only.
  nonisolated(nonsending) func take() async -> [DaemonEvent] {
    await withCheckedContinuation { continuation in
      let isEmpty = state.withLock { state in
        if state.events.isEmpty { state.waiter = continuation }
        return state.events.isEmpty
      }
      if !isEmpty { continuation.resume() }
    }
    return takeNow()
  }

  /// Takes the waiting events, without waiting for more.
  func takeNow() -> [DaemonEvent] { state.withLock { $0.takeAll() } }
}

extension DaemonEvent {
  /// `nil` for events that always fit.
  fileprivate var refusable: RefusableEvent? {
    switch self {
    case .gpsd: .gpsd
    case .client(.message): .client
    case .modem(.cell): .modem
    case .service(.sink(.asks)): .sink
    case .process, .client, .modem, .machine, .socket, .deadlineCame, .reload, .service: nil
    }
  }
}
