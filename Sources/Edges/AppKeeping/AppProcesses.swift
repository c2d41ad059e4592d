// SPDX-License-Identifier: Apache-2.0

import Glibc
import Host

/// The processes of one app, and the operations on all of them.
///
/// Its members are determined anew each time: the members of its cgroup, and those that `others`
/// finds (a keeper asks for its descendants, a sweeper for the marked ones).
package struct AppProcesses {
  package var group: ControlGroup?
  private let others: () -> [ProcessEntry]

  package init(group: ControlGroup?, others: @escaping () -> [ProcessEntry]) {
    self.group = group
    self.others = others
  }

  /// All living processes, in no order; zombies are left out.
  package var members: [ProcessEntry] {
    var all = others()
    let known = Set(all.map(\.pid))
    for pid in group?.processes ?? [] where !known.contains(pid) {
      if let entry = ProcessTable.entry(pid), !entry.isZombie { all.append(entry) }
    }
    return all
  }

  /// Tells the freezer; returns warnings for the user.
  package func freeze(processGroup: Int32) -> [String] {
    if let group {
      if group.freeze() { return [] }
      return ["\(group.path) cannot be frozen: \(SystemError.text())"]
    }
    Glibc.kill(-processGroup, SIGSTOP)
    // Processes that left the group are stopped one by one, until no runner is found: only runners can fork. The rounds
    // are bounded, since a process can be woken from outside.
    var warned: Set<Int32> = []
    var warnings: [String] = []
    for _ in 0..<8 {
      let strays = members.filter { $0.group != processGroup && !$0.isStopped }
      if strays.isEmpty { break }
      for stray in strays {
        ProcessTable.signal(stray, SIGSTOP)
        guard warned.insert(stray.pid).inserted else { continue }
        warnings.append(
          "process \(stray.pid) (\(stray.name)) left the app's process group; it was stopped by "
            + "itself, where a cgroup would have held it")
      }
    }
    return warnings
  }

  package var isFrozen: Bool {
    if let group { return group.isFrozen }
    // A process that waits in the kernel stops before it would run on. It may wait for a child that is stopped between
    // vfork and exec, and would then never be seen as stopped.
    return members.allSatisfy { $0.isStopped || $0.isUninterruptible }
  }

  /// `processGroup` is `nil` once the main process is reaped: another process may then have its number.
  package func thaw(processGroup: Int32?) -> String? {
    if let group {
      return group.thaw() ? nil : "\(group.path) cannot be thawed: \(SystemError.text())"
    }
    if let processGroup { Glibc.kill(-processGroup, SIGCONT) }
    for member in members where member.isStopped { ProcessTable.signal(member, SIGCONT) }
    return nil
  }

  /// Sends SIGTERM to all; stopped processes are continued, so that the signal reaches them.
  package func terminate() {
    for member in members {
      ProcessTable.signal(member, SIGTERM)
      if member.isStopped { ProcessTable.signal(member, SIGCONT) }
    }
  }

  /// Sends SIGKILL first and thaws afterwards: a frozen cgroup v1 delays the signal until then, and nothing of the app
  /// runs on in between.
  package func kill() {
    if group?.killAtOnce() != true {
      // A frozen group cannot fork, so the list is complete.
      if let group, group.isVersion1 { _ = group.freeze() }
    }
    for member in members { ProcessTable.signal(member, SIGKILL) }
    _ = group?.thaw()
  }
}
