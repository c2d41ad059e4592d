// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationModel
import ServiceContract
import ServiceCore

// The acts of apps: correct, wrong, late, twice.

extension Simulation {
  mutating func process(_ pid: Int32, _ step: ProcessStep) {
    guard let process = processes[pid] else { return }
    switch step {
    case .begun: return begun(pid)
    case .graceOver: return ends(pid, .signalled(9))
    case .limitOver: return end(pid, grace: 5)
    case .holdOver(let freezes):
      if !isUp, process.isFrozen, process.freezes == freezes { ends(pid, .signalled(9)) }
      return
    case .frozen:
      if process.isFrozen { tell(.process(.frozen(app: process.name)), in: 0) }
      return
    case .connect, .say, .leave, .exits: break
    }
    guard !process.isFrozen else {
      processes[pid]?.deferred.append(step)
      return
    }
    switch step {
    case .connect: connects(pid)
    case .say(let message): if !process.isHung { says(message, pid) }
    case .leave(let pause):
      guard let client = process.connection else { return }
      close(client)
      add(.process(pid, .connect), in: pause)
    case .exits(let ending): if !process.isHung || process.isEnding { ends(pid, ending) }
    case .begun, .graceOver, .limitOver, .holdOver, .frozen: break
    }
  }

  private mutating func begun(_ pid: Int32) {
    guard let process = processes[pid] else { return }
    processes[pid]?.hasBegun = true
    tell(.process(.started(app: process.name, pid: pid)), in: 0.001)
    if process.run != nil {
      beginRun(pid)
    } else {
      let delay =
        faults.strike(.connectsLate) ? chance.logBetween(1, 60) : chance.between(0.01, 0.3)
      add(.process(pid, .connect), in: delay)
    }
    let orders = process.orders
    processes[pid]?.orders = []
    for order in orders { self.order(order, process.name) }
  }

  private mutating func beginRun(_ pid: Int32) {
    guard let name = processes[pid]?.name else { return }
    var duration = scripts.first { $0.manifest.name == name }?.duration ?? 1
    if faults.strike(.hang) {
      processes[pid]?.isHung = true
      return
    }
    if faults.strike(.slow) { duration = chance.logBetween(10, 300) }
    var ending = ProcessEvent.Ending.exited(status: 0)
    if faults.strike(.crash) {
      ending = chance.happens(0.5) ? .exited(status: 1) : .signalled(11)
      duration = chance.between(0.001, duration)
    }
    add(.process(pid, .exits(ending)), in: duration)
  }

  private mutating func connects(_ pid: Int32) {
    guard let process = processes[pid], process.connection == nil, !process.isHung else { return }
    guard isUp else { return waitsForService(pid) }
    let client = connect(process: pid)
    processes[pid]?.connection = client
    ask(.hello(.init(app: process.name)), from: client)
    if faults.strike(.connectsTwice) {
      let second = connect(process: pid)
      ask(.hello(.init(app: process.name)), from: second)
      add(.leave(second), in: chance.logBetween(0.01, 600))
    }
  }

  private mutating func says(_ message: ClientMessage, _ pid: Int32) {
    guard let client = processes[pid]?.connection else { return }
    ask(message, from: client)
  }

  // MARK: What they are told

  mutating func received(_ message: ServerMessage, by client: ClientID) {
    guard let connection = connections[client] else { return }
    guard let pid = connection.process, let process = processes[pid] else { return }
    guard process.connection == client, !process.isHung else { return }
    guard !process.isFrozen else {
      processes[pid]?.unread.append((client, message))
      return
    }
    switch message {
    case .welcome: welcomed(pid, process.name)
    case .error(.alreadyConnected, _), .error(.unknownApp, _):
      close(client)
      if process.isOurs || chance.happens(0.2) {
        add(.process(pid, .connect), in: chance.between(0.5, 5))
      } else {
        add(.process(pid, .exits(.exited(status: 1))), in: 0.01)
      }
    case .location, .region, .visit:
      if let number = message.sequence { received(number, pid) }
    case .willTerminate:
      if !process.ignoresEnd, chance.happens(0.7) {
        add(.process(pid, .exits(.exited(status: 0))), in: chance.between(0.01, 4))
      }
    default: break
    }
  }

  private mutating func welcomed(_ pid: Int32, _ name: String) {
    guard let script = scripts.first(where: { $0.manifest.name == name }) else { return }
    var delay = 0.002
    for wish in script.wishes {
      add(.process(pid, .say(wish)), in: delay)
      delay += 0.002
      // Navigation ends some time.
      if case .app(.start(let start)) = wish, start.service != .significant {
        add(.process(pid, .say(.stop(.standard))), in: chance.logBetween(10, 300))
      }
    }
  }

  private mutating func received(_ number: UInt64, _ pid: Int32) {
    if faults.strike(.crash) {
      let ending: ProcessEvent.Ending = chance.happens(0.5) ? .exited(status: 1) : .signalled(11)
      return add(.process(pid, .exits(ending)), in: chance.between(0.001, 0.1))
    }
    if faults.strike(.exit) {
      return add(.process(pid, .exits(.exited(status: 0))), in: chance.between(0.001, 5))
    }
    if faults.strike(.hang) {
      processes[pid]?.isHung = true
      return
    }
    if faults.strike(.leaves) {
      add(.process(pid, .leave(chance.logBetween(0.01, 60))), in: chance.between(0.001, 1))
    }
    if faults.strike(.noAcknowledgement) { return }
    var delay = chance.between(0.005, 0.2)
    if faults.strike(.slow) { delay = chance.between(1, 15) }
    if faults.strike(.lateAcknowledgement) { delay = chance.between(10, 200) }
    if faults.strike(.wrongAcknowledgement) {
      let wrong = chance.happens(0.5) ? number + 1 + UInt64(chance.below(50)) : number / 2
      add(.process(pid, .say(.acknowledge(wrong))), in: delay)
    }
    add(.process(pid, .say(.acknowledge(number))), in: delay)
    if faults.strike(.doubleAcknowledgement) {
      add(.process(pid, .say(.acknowledge(number))), in: delay + chance.between(0.001, 2))
    }
    let name = processes[pid]?.name
    if scripts.first(where: { $0.manifest.name == name })?.saysDone == true {
      add(.process(pid, .say(.done)), in: delay + 0.001)
    }
  }

  // MARK: Strangers

  /// Lets an unregistered app, or a pretended one, connect.
  mutating func strangerComes(_ name: String) {
    lastPID += 1
    var process = SimulatedProcess(pid: lastPID, name: name, app: nil, run: nil)
    process.hasBegun = true
    processes[lastPID] = process
    add(.process(lastPID, .connect), in: 0.001)
    guard chance.happens(0.7) || faults.isOver else { return }
    add(.process(lastPID, .exits(.exited(status: 0))), in: chance.logBetween(1, 7_200))
  }

  /// Lets a stranger of the cast come back.
  mutating func strangerLeft(_ process: SimulatedProcess) {
    guard
      let script = scripts.first(where: { $0.manifest.name == process.name }),
      script.isStranger
    else { return }
    add(.stranger(process.name), in: chance.logBetween(10, 7_200))
  }
}
