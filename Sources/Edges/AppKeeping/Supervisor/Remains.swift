// SPDX-License-Identifier: Apache-2.0

import Glibc

extension KeeperRecord {
  /// The processes that bear a sign of the app, and those that show none at all.
  var remains: (processes: AppProcesses, unknown: [ProcessEntry]) {
    let isOurs = { (name: ProcessName?) in
      guard let name, let now = ProcessTable.entry(name.pid) else { return true }
      return now.startTicks == name.startTicks
    }
    let areNumbersOurs = isOurs(keeper) && isOurs(main)
    var (marked, unknown): ([ProcessEntry], [ProcessEntry]) = ([], [])
    for entry in ProcessTable.all() {
      // Kernel threads descend from process 2.
      guard !entry.isZombie, entry.startTicks >= keeper.startTicks, entry.parent != 2,
        entry.pid != keeper.pid, entry.pid != getpid()
      else { continue }
      if areNumbersOurs, let main, entry.group == main.pid, entry.session == keeper.pid {
        marked.append(entry)
        continue
      }
      switch ProcessTable.mark(markVariable, of: entry.pid) {
      case .present: marked.append(entry)
      case .unknown: unknown.append(entry)
      case .absent: break
      }
    }
    let group = group.flatMap { access($0.path, F_OK) == 0 ? $0 : nil }
    let found = marked
    return (AppProcesses(group: group) { found }, unknown)
  }

  /// Whether a keeper or a process is left of an app that has no noted end.
  var hasRemains: Bool {
    guard ending == nil, boot == Boot.id else { return false }
    if keeper.isAlive { return true }
    let left = remains.processes
    return left.group != nil || !left.members.isEmpty
  }
}
