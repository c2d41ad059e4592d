// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationModel
import ServiceContract

/// A future event of the world.
indirect enum WorldEvent: Sendable {
  /// An input reaches the service of that generation; a later one never gets it.
  case input(ServiceInput, service: Int)
  case restart
  /// A process acts, if it still exists.
  case process(Int32, ProcessStep)
  /// A message of the service reaches its client.
  case received(ClientID, ServerMessage)
  case gpsd(GPSDStep, watch: Int)
  case cell(listening: Int)
  /// A sink's batch ends, unless it was recalled.
  case sink(SinkEvent, AppID, batch: Int)
  case fault(FaultKind)
  case over(FaultKind, Int)
  /// A client that sent no message in time leaves.
  case leave(ClientID)
  case writable(ClientID)
  case visitor(ClientID, VisitorStep)
  /// An unregistered app comes again.
  case stranger(String)
  case quiet(Int)
}

/// The next step of a process.
enum ProcessStep: Sendable {
  /// It runs now.
  case begun
  case connect
  case say(ClientMessage)
  /// Closes its connection, and comes back after these seconds.
  case leave(Double)
  case exits(ProcessEvent.Ending)
  /// Its time to react to SIGTERM is over.
  case graceOver
  /// A run has used up its time.
  case limitOver
  /// No service has come for the time that a keeper holds a frozen app.
  case holdOver(Int)
  case frozen
}

enum GPSDStep: Sendable {
  case connected
  case searching(until: Int64)
  case fix
}

enum VisitorStep: Sendable {
  case watch(Bool)
  case poll
  case leave
}

/// Events in the order of their times; simultaneous ones in the order of arrival.
struct EventQueue: Sendable {
  private struct Entry: Sendable {
    let at: Int64
    let order: UInt64
    let event: WorldEvent

    static func < (a: Self, b: Self) -> Bool { (a.at, a.order) < (b.at, b.order) }
  }

  private var heap: [Entry] = []
  private var count: UInt64 = 0

  /// Microseconds of the world's time; `nil` if the queue is empty.
  var next: Int64? { heap.first?.at }

  var nextEvent: WorldEvent? { heap.first?.event }

  mutating func add(_ event: WorldEvent, at time: Int64) {
    count += 1
    heap.append(Entry(at: time, order: count, event: event))
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child] < heap[parent] else { break }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  mutating func take() -> (at: Int64, event: WorldEvent)? {
    guard let first = heap.first else { return nil }
    let last = heap.removeLast()
    if !heap.isEmpty {
      heap[0] = last
      var parent = 0
      while true {
        var least = parent
        for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
          if heap[child] < heap[least] { least = child }
        }
        if least == parent { break }
        heap.swapAt(parent, least)
        parent = least
      }
    }
    return (first.at, first.event)
  }
}
