// SPDX-License-Identifier: Apache-2.0

import AppKeeping
import Dispatch
import Glibc

// Ending an app whose keeper cannot do it any more.
//
// The state file says whom the keeper held. Members are looked up by three signs, each of which holds
// for this app only: its cgroup, whose name carries the keeper's pid and start time; its process
// group within the keeper's session, as long as neither number has passed to another process; and the
// mark in the environment, which also finds those who left group and session. A process that left all
// three, by clearing its environment in a session of its own without a cgroup, is beyond reach.
// Signals go through pidfds, so that a number that changes hands in between is not hit.

extension Supervision {
  /// Ends what is left of an app, and calls `done` when nothing is. Looks again after 5, 10, 20 … ms,
  /// at most every 5 s, and warns after 5 s of it.
  func sweep(_ record: KeeperRecord, _ done: @escaping @Sendable () -> Void) {
    guard record.boot == ProcessTable.bootID() else { return done() }
    sweeping.insert(record.app)
    if record.keeper.isAlive, let keeper = ProcessTable.entry(record.keeper.pid) {
      ProcessTable.signal(keeper, SIGKILL)
    }
    sweep(record, pause: 0.005, since: SmallFile.now, isWarned: false, done)
  }

  private func sweep(
    _ record: KeeperRecord, pause: Double, since: Double, isWarned: Bool,
    _ done: @escaping @Sendable () -> Void
  ) {
    // Read anew: the keeper may have noted its app after the first look, before it was killed.
    let record = storedRecord(of: record.app) ?? record
    let remains = Self.remains(of: record)
    remains.kill()
    record.group?.remove()
    let isGroupGone = record.group.map { access($0.path, F_OK) != 0 } ?? true
    let left = remains.members
    if left.isEmpty, isGroupGone, !record.keeper.isAlive {
      sweeping.remove(record.app)
      return done()
    }
    let isLate = SmallFile.now - since > 5
    if isLate, !isWarned {
      let names = left.map { "\($0.pid) (\($0.name))" }.joined(separator: ", ")
      sink(.warning(app: record.app, "its keeper is dead, and it does not end: process \(names)"))
    }
    queue.asyncAfter(deadline: .now() + pause) { [self] in
      sweep(
        record, pause: min(pause * 2, 5), since: since, isWarned: isWarned || isLate, done)
    }
  }

  private static func remains(of record: KeeperRecord) -> AppProcesses {
    AppProcesses(group: record.group.flatMap { access($0.path, F_OK) == 0 ? $0 : nil }) {
      let all = ProcessTable.all().filter { !$0.isZombie && $0.pid != getpid() }
      let isOurs = { (name: KeeperRecord.ProcessName?) in
        guard let name, let now = ProcessTable.entry(name.pid) else { return true }
        return now.startTicks == name.startTicks
      }
      let areNumbersOurs = isOurs(record.keeper) && isOurs(record.main)
      return all.filter { entry in
        guard entry.startTicks >= record.keeper.startTicks, entry.pid != record.keeper.pid
        else { return false }
        if areNumbersOurs, let main = record.main, entry.group == main.pid,
          entry.session == record.keeper.pid
        {
          return true
        }
        return ProcessTable.environment(of: entry.pid, holds: record.markVariable)
      }
    }
  }
}
