// SPDX-License-Identifier: Apache-2.0

import AppKeeping
import Dispatch
import Glibc
import ServiceContract

// Ending an app whose keeper cannot do it any more.
//
// The state file says whom the keeper held. Members are looked up by three signs, each of which holds
// for this app only: its cgroup, whose name carries the keeper's pid and start time; its process
// group within the keeper's session, as long as neither number has passed to another process; and the
// mark in the environment, which also finds those who left group and session. A process that left all
// three, by clearing its environment in a session of its own without a cgroup, is beyond reach.
// Signals go through pidfds, so that a number that changes hands in between is not hit.
//
// A process that is between two programs (execve) shows no environment for a moment, and one that
// forks may be missed by a look through /proc. So nothing counts as gone before two looks in a row
// have found nothing, and a process without any environment is given 2 s to show one.

extension Supervision {
  /// Where the ending of what a keeper left stands.
  private struct Course {
    var record: KeeperRecord
    let began = SmallFile.now
    /// Seconds until the next look.
    var pause = 0.005
    var emptyLooks = 0
    var isWarned = false

    var seconds: Double { SmallFile.now - began }
  }

  /// Ends what is left of an app, and calls `done` when nothing is. Looks again after 5, 10, 20 … ms,
  /// at most every 5 s, and warns after 5 s of it.
  func sweep(_ record: KeeperRecord, _ done: @escaping @Sendable () -> Void) {
    guard record.boot == ProcessTable.bootID() else { return done() }
    sweeping.insert(record.app)
    if record.keeper.isAlive, let keeper = ProcessTable.entry(record.keeper.pid) {
      ProcessTable.signal(keeper, SIGKILL)
    }
    sweep(Course(record: record), done)
  }

  private func sweep(_ course: Course, _ done: @escaping @Sendable () -> Void) {
    guard sweeping.contains(course.record.app) else { return }
    var course = course
    // Read anew: the keeper may have noted its app after the first look, before it was killed.
    course.record = storedRecord(of: course.record.app) ?? course.record
    let record = course.record
    let left = Self.remains(of: record)
    let members = left.processes.members
    if !members.isEmpty || left.processes.group != nil {
      left.processes.kill()
      record.group?.remove()
    }
    let isGone = members.isEmpty && (left.unknown.isEmpty || course.seconds > 2)
    let isGroupGone = record.group.map { access($0.path, F_OK) != 0 } ?? true
    let isEmpty = isGone && isGroupGone && !record.keeper.isAlive
    course.emptyLooks = isEmpty ? course.emptyLooks + 1 : 0
    if course.emptyLooks == 2 {
      sweeping.remove(record.app)
      return done()
    }
    if course.seconds > 5, !course.isWarned {
      course.isWarned = true
      let names = members.map { "\($0.pid) (\($0.name))" }.joined(separator: ", ")
      sink(
        .warning(
          app: record.app, "its keeper is dead, and something of it does not end: [\(names)]"))
    }
    let pause = course.pause
    course.pause = min(pause * 2, 5)
    let next = course
    queue.asyncAfter(deadline: .now() + pause) { [self] in sweep(next, done) }
  }

  /// Who bears a sign of the app, and who shows none at all.
  private static func remains(
    of record: KeeperRecord
  ) -> (processes: AppProcesses, unknown: [ProcessEntry]) {
    let isOurs = { (name: KeeperRecord.ProcessName?) in
      guard let name, let now = ProcessTable.entry(name.pid) else { return true }
      return now.startTicks == name.startTicks
    }
    let areNumbersOurs = isOurs(record.keeper) && isOurs(record.main)
    var (marked, unknown): ([ProcessEntry], [ProcessEntry]) = ([], [])
    for entry in ProcessTable.all() {
      // Threads of the kernel descend from process 2.
      guard !entry.isZombie, entry.startTicks >= record.keeper.startTicks, entry.parent != 2,
        entry.pid != record.keeper.pid, entry.pid != getpid()
      else { continue }
      if areNumbersOurs, let main = record.main, entry.group == main.pid,
        entry.session == record.keeper.pid
      {
        marked.append(entry)
        continue
      }
      switch ProcessTable.mark(record.markVariable, of: entry.pid) {
      case .present: marked.append(entry)
      case .unknown: unknown.append(entry)
      case .absent: break
      }
    }
    let group = record.group.flatMap { access($0.path, F_OK) == 0 ? $0 : nil }
    let found = marked
    return (AppProcesses(group: group) { found }, unknown)
  }
}
