// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract
import ServiceCore

// Keepers: they start, hold and end processes, and remember an end until they hear that it is stored. The rules are in
// AppKeeping/KeeperMachine.swift.

extension StoreModel {
  /// Whether a delivery waits.
  func holds(_ key: DeliveryKey) -> Bool {
    pending(of: key.app).contains { $0.delivery.sequence == key.number }
  }
}

extension Simulation {
  // MARK: Orders

  mutating func start(_ start: ProcessStart) {
    let name = start.app
    guard let id = service.appID(of: name) else {
      return fail(.withoutReason, "\(name) is started and not registered")
    }
    if let pid = kept[name] { return fail(.twoProcesses, "\(name) is started beside \(pid)") }
    let run = start.environment["MILEPOST_SEQUENCE"].flatMap(UInt64.init)
    checkStart(name, id, run)
    // The note of the previous process is overwritten.
    if let note = notes.removeValue(forKey: name) { overwritten(note) }
    if faults.strike(.prevented) {
      return tell(.process(.prevented(app: name, reason: "no descriptors")), in: 0.003)
    }
    if faults.strike(.failedToStart) {
      notes[name] = KeeperNote(
        ending: .failedToStart(app: name, reason: "no such program"), run: nil, goodRun: nil)
      return tell(.process(.failedToStart(app: name, reason: "no such program")), in: 0.003)
    }
    lastPID += 1
    var process = SimulatedProcess(pid: lastPID, name: name, app: id, run: run)
    process.ignoresEnd = faults.strike(.ignoresEnd)
    processes[lastPID] = process
    kept[name] = lastPID
    let delay = faults.strike(.slowKeeper) ? chance.between(0.1, 8) : chance.between(0.003, 0.05)
    add(.process(lastPID, .begun), in: delay)
    if let limit = start.timeLimit { add(.process(lastPID, .limitOver), in: delay + limit) }
  }

  mutating func order(_ order: KeeperOrder, _ name: String) {
    guard let pid = kept[name], let process = processes[pid] else { return }
    guard process.hasBegun else {
      processes[pid]?.orders.append(order)
      return
    }
    switch order {
    case .freeze:
      guard !process.isEnding else { return }
      if process.isFrozen { return tell(.process(.frozen(app: name)), in: 0.002) }
      let delay = faults.strike(.slowKeeper) ? chance.between(0.1, 4) : 0.003
      processes[pid]?.isFrozen = true
      processes[pid]?.freezes += 1
      add(.process(pid, .frozen), in: delay)
    case .thaw:
      guard !process.isEnding else { return }
      thaw(pid)
      tell(.process(.thawed(app: name)), in: 0.002)
    case .end(let grace): end(pid, grace: grace)
    case .kill:
      processes[pid]?.isEnding = true
      ends(pid, .signalled(9))
    }
  }

  /// SIGTERM, and SIGKILL when its grace is over.
  mutating func end(_ pid: Int32, grace: Double) {
    guard let process = processes[pid] else { return }
    thaw(pid)
    processes[pid]?.isEnding = true
    add(.process(pid, .graceOver), in: grace)
    guard !process.isHung, !process.ignoresEnd, !process.isEnding else { return }
    let ending: ProcessEvent.Ending = chance.happens(0.3) ? .exited(status: 0) : .signalled(15)
    // A run that was ended has not done its work.
    let end = process.run == nil ? ending : .signalled(15)
    add(.process(pid, .exits(end)), in: chance.between(0.001, 0.2))
  }

  private mutating func thaw(_ pid: Int32) {
    guard let process = processes[pid], process.isFrozen else { return }
    processes[pid]?.isFrozen = false
    processes[pid]?.deferred = []
    processes[pid]?.unread = []
    for (client, message) in process.unread { add(.received(client, message), in: 0.001) }
    for step in process.deferred { add(.process(pid, step), in: 0.001) }
  }

  mutating func forget(_ name: String) {
    guard kept[name] == nil, let note = notes.removeValue(forKey: name) else { return }
    guard let run = note.goodRun, goodRuns.contains(run) else { return }
    if store.holds(run) {
      fail(
        .beforeCommit, "the keeper of \(name) is to forget run \(run.number), which is not stored")
    }
  }

  /// A keeper's note is gone: its content counts only if it is stored.
  private mutating func overwritten(_ note: KeeperNote) {
    guard let run = note.goodRun, goodRuns.contains(run) else { return }
    guard store.holds(run) else { return }
    if !hasFailed {
      fail(.beforeCommit, "a run begins though how \(run.number) ended is not stored")
    }
    goodRuns.remove(run)
  }

  // MARK: Processes

  /// Ends a process; its keeper notes and reports the ending.
  mutating func ends(_ pid: Int32, _ ending: ProcessEvent.Ending, isKeeperDead: Bool = false) {
    guard let process = processes.removeValue(forKey: pid) else { return }
    say("process \(pid) of \(process.name) ends: \(ending)")
    if let client = process.connection { close(client) }
    guard let app = process.app, kept[process.name] == pid else { return strangerLeft(process) }
    kept[process.name] = nil
    var goodRun: DeliveryKey?
    // If the store was full, no service will know which run it was.
    if ending == .exited(status: 0), let run = process.run, store.app(app)?.run == run {
      goodRun = DeliveryKey(app, run)
      goodRuns.insert(DeliveryKey(app, run))
    }
    let event = ProcessEvent.ended(app: process.name, isKeeperDead ? .unknown : ending)
    notes[process.name] = KeeperNote(
      ending: event, run: process.run.map { DeliveryKey(app, $0) }, goodRun: goodRun)
    tell(.process(event), in: 0.002)
  }

  mutating func keeperDies() {
    let candidates = kept.keys.sorted().filter { processes[kept[$0] ?? 0]?.hasBegun == true }
    guard !candidates.isEmpty, let pid = kept[chance.pick(candidates)] else { return }
    ends(pid, .signalled(9), isKeeperDead: true)
  }

  mutating func keeperLosesService(_ name: String) {
    guard let pid = kept[name], let process = processes[pid] else { return }
    guard process.hasBegun else {
      // Its keeper leaves before anything has run.
      processes[pid] = nil
      kept[name] = nil
      return
    }
    if process.isFrozen {
      add(
        .process(pid, .holdOver(process.freezes)),
        in: settings.rules.lifecycle.purgesAfter)
    }
  }

  /// Hands the service the keepers' processes, and returns their apps.
  mutating func adopt() -> [String] {
    for name in notes.keys.sorted() {
      guard let note = notes[name] else { continue }
      give(.process(note.ending))
    }
    var adopted: [String] = []
    for name in kept.keys.sorted() {
      guard let pid = kept[name], let process = processes[pid] else { continue }
      adopted.append(name)
      give(.process(.adopted(app: name, pid: pid, isFrozen: process.isFrozen)))
    }
    return adopted
  }

  mutating func reboot() {
    say("the machine reboots")
    for pid in processes.keys.sorted() {
      guard let process = processes.removeValue(forKey: pid) else { continue }
      if !process.isOurs { strangerLeft(process) }
    }
    kept = [:]
    for note in notes.values {
      guard let run = note.goodRun, store.holds(run) else { continue }
      goodRuns.remove(run)
    }
    notes = [:]
    connections = [:]
    waitingForService = []
    bootedAt = now
    boots += 1
    gpsd.reboots()
  }
}
