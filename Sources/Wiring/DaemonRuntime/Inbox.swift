// SPDX-License-Identifier: Apache-2.0

import NIOCore
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
// Edges offer events from their own threads and never wait; the reader takes all waiting events at once, so that a
// thousand acknowledgements cost one write to the store. The reader is a synchronous function, its turn, on an event
// loop:
//
//              serve                 the first event                  the turn takes all that came until it runs
//   unread ───────────────► asleep ───────────────────► due ───────────────────────────────────────────► asleep
//     ▲                           one turn is scheduled                                   │
//     └───────────────────────── the turn says that it was the last ──────────────────────┘
//
// An event that the loop itself has read is followed by its turn in the same round of the loop, behind all else that was
// read in that round. No task is resumed on the way: in a program with Swift's library inside, the runtime would do that
// by way of its own threads, with several wake-ups for each event.
//
// The inbox is bounded. When it is full, positions, messages and requests of a sink's other side are refused (gpsd sends
// the next position a second later; unacknowledged deliveries are sent again to the next connection). The ends of
// processes and connections always fit, since their number is bounded. The counts of refused events by kind follow the
// waiting ones, so that the service can report them.

/// A bounded queue between the edges and its only reader.
final class Inbox: Sendable {
  /// The limit of waiting events; one takes some hundred bytes.
  static let limit = 65_536

  /// Takes the events that have come, in order; returns whether it takes more.
  typealias Turn = @Sendable ([DaemonEvent]) -> Bool

  private final class Reader: Sendable {
    let loop: any EventLoop
    let turn: Turn
    let over: CheckedContinuation<Void, Never>

    init(_ loop: any EventLoop, _ turn: @escaping Turn, over: CheckedContinuation<Void, Never>) {
      (self.loop, self.turn, self.over) = (loop, turn, over)
    }
  }

  private enum Phase {
    /// Nobody reads yet, or any more.
    case unread
    case asleep(Reader)
    /// A turn is scheduled.
    case due(Reader)
  }

  private struct State {
    var events: [DaemonEvent] = []
    var refused: [RefusableEvent: Int] = [:]
    var phase = Phase.unread

    /// Returns the reader if its turn must be scheduled.
    mutating func wake() -> Reader? {
      guard case .asleep(let reader) = phase else { return nil }
      phase = .due(reader)
      return reader
    }

    mutating func takeAll() -> [DaemonEvent] {
      defer { (events, refused) = ([], [:]) }
      guard !refused.isEmpty else { return events }
      return events
        + RefusableEvent.allCases.compactMap { kind in
          refused[kind].map { .service(.refused(kind, count: $0)) }
        }
    }
  }

  private let state = Mutex(State())

  /// Adds an event; returns `false` if it was refused.
  @discardableResult
  func offer(_ event: DaemonEvent) -> Bool {
    let (isTaken, woken) = state.withLock { state -> (Bool, Reader?) in
      if state.events.count >= Self.limit, let kind = event.refusable {
        state.refused[kind, default: 0] += 1
        return (false, nil)
      }
      state.events.append(event)
      return (true, state.wake())
    }
    if let woken { schedule(woken) }
    return isTaken
  }

  /// Takes the waiting events, before there is a reader.
  func takeNow() -> [DaemonEvent] { state.withLock { $0.takeAll() } }

  /// Calls `turn` on `loop` whenever there are events, until it takes no more. Called by one reader only.
  nonisolated(nonsending) func serve(on loop: any EventLoop, _ turn: @escaping Turn) async {
    await withCheckedContinuation { over in
      let woken = state.withLock { state -> Reader? in
        state.phase = .asleep(Reader(loop, turn, over: over))
        return state.events.isEmpty ? nil : state.wake()
      }
      if let woken { schedule(woken) }
    }
  }

  private func schedule(_ reader: Reader) { reader.loop.execute { self.turn(of: reader) } }

  private func turn(of reader: Reader) {
    let events = state.withLock { state -> [DaemonEvent]? in
      guard case .due = state.phase else { return nil }
      state.phase = .asleep(reader)
      return state.takeAll()
    }
    guard let events, !reader.turn(events) else { return }
    state.withLock { $0.phase = .unread }
    reader.over.resume()
  }
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
