// SPDX-License-Identifier: Apache-2.0

import Glibc
package import Host

// Theory
// ======
//
// An edge on a bus has one thread, which blocks in `poll` on libdbus' descriptors and on a bell; the timeout is the
// machine's deadline. The machine decides, the line executes, and both live on the thread:
//
//   bell, message, deadline ─► input ─► machine ─► actions ─► line, and what the edge tells others
//                                ▲                     │
//                                └── it opened or failed

/// A machine that decides what is done on a bus. Its instants are those of `BlockingThread.now`.
package protocol BusMachine {
  associatedtype Input: BusInput
  associatedtype Action

  /// The instant at which it must be told that time has passed; `nil` for none.
  var deadline: Double? { get }
  mutating func handle(_ input: Input, at now: Double) -> [Action]
}

/// The inputs of every such machine.
package protocol BusInput {
  static var opened: Self { get }
  static var timePassed: Self { get }
  /// There is no connection, or it has ended, with the reason.
  static func failed(_ words: String) -> Self
}

/// A connection with what its machine waits for.
package protocol BusLine: AnyObject {
  associatedtype Machine: BusMachine

  var bus: BusConnection { get }
  init(_ address: String) throws(BusConnection.Failure)
  /// The input that a message is; `nil` if it is none.
  func input(of message: BusMessage) -> Machine.Input?
}

/// What an action means for the connection.
package enum BusStep {
  case open
  case close
  /// It is done, or there was no connection for it.
  case done
  case outOfMemory
}

/// A machine and its connection, on the thread of an edge.
package struct BusWork<Line: BusLine> {
  private let address: String
  private let perform: (Line.Machine.Action, Line?) -> BusStep
  package private(set) var machine: Line.Machine
  private var line: Line?

  /// `address` is that of a bus; `nil` is the system bus. `perform` performs an action of the machine.
  package init(
    _ machine: Line.Machine, at address: String?,
    perform: @escaping (Line.Machine.Action, Line?) -> BusStep
  ) {
    self.machine = machine
    self.address = address ?? BusConnection.systemAddress
    self.perform = perform
  }

  private static var gone: String { "it ended the connection" }

  /// Waits for an event or a deadline, and handles it.
  package mutating func wait(_ bell: borrowing Bell) {
    if let line, !line.bus.isConnected { return giveMachine(.failed(Self.gone)) }
    var entries = [bell.entry] + (line?.bus.awaited ?? [])
    let milliseconds = machine.deadline.map {
      max(0, ($0 - BlockingThread.now) * 1_000).rounded(.up)
    }
    let count = poll(
      &entries, nfds_t(entries.count), milliseconds.map { Int32(min($0, 3.6e6)) } ?? -1)
    if count > 0 {
      bell.answer(entries[0])
      exchange(Array(entries.dropFirst()))
    }
    giveMachine(.timePassed)
  }

  private mutating func exchange(_ ready: [pollfd]) {
    guard let line else { return }
    guard let messages = line.bus.exchange(ready) else {
      return giveMachine(.failed(Self.gone))
    }
    for input in messages.compactMap(line.input) {
      // The machine may have given the connection up because of an earlier one.
      guard self.line === line else { return }
      giveMachine(input)
    }
  }

  package mutating func giveMachine(_ input: Line.Machine.Input) {
    var inputs = [input]
    while !inputs.isEmpty {
      for action in machine.handle(inputs.removeFirst(), at: BlockingThread.now) {
        switch perform(action, line) {
        case .open:
          do throws(BusConnection.Failure) {
            line = try Line(address)
            inputs.append(.opened)
          } catch {
            inputs.append(.failed(error.words))
          }
        case .close: line = nil
        case .done: break
        case .outOfMemory: inputs.append(.failed("out of memory"))
        }
      }
    }
  }
}
