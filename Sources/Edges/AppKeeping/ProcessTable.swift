// SPDX-License-Identifier: Apache-2.0

import CUnix
import Glibc
import Host

/// One process as /proc/PID/stat shows it (proc(5)).
package struct ProcessEntry: Sendable, Equatable {
  package var pid: Int32
  package var name: String
  /// `R`, `S`, `D`, `T`, `t`, `Z`, `X` or `I`.
  package var state: Character
  package var parent: Int32
  package var group: Int32
  package var session: Int32
  /// Clock ticks between boot and its start: together with the pid a unique name.
  package var startTicks: UInt64

  package var isStopped: Bool { state == "T" || state == "t" }
  /// Whether it waits in the kernel without interruption, as a parent within vfork(2) does.
  package var isUninterruptible: Bool { state == "D" }
  package var isZombie: Bool { state == "Z" || state == "X" }

  /// The line of /proc/PID/stat; the name is in parentheses and may hold any byte.
  package init?(stat line: String) {
    guard let open = line.firstIndex(of: "("), let close = line.lastIndex(of: ")"), open < close,
      let pid = Int32(line[..<open].filter { $0 != " " })
    else { return nil }
    let rest = line[line.index(after: close)...].split(separator: " ")
    guard rest.count > 19, let state = rest[0].first, let parent = Int32(rest[1]),
      let group = Int32(rest[2]), let session = Int32(rest[3]), let start = UInt64(rest[19])
    else { return nil }
    self.pid = pid
    name = String(line[line.index(after: open)..<close])
    self.state = state
    self.parent = parent
    self.group = group
    self.session = session
    startTicks = start
  }
}

/// The processes of the machine.
package enum ProcessTable {
  package static func entry(_ pid: Int32) -> ProcessEntry? {
    SmallFile.text(of: "/proc/\(pid)/stat").flatMap(ProcessEntry.init(stat:))
  }

  /// Whether this very process still runs (or waits to be reaped), and not a later one with its
  /// number.
  package static func isAlive(_ pid: Int32, startTicks: UInt64) -> Bool {
    guard let entry = entry(pid) else { return false }
    return entry.startTicks == startTicks && !entry.isZombie
  }

  package static func all() -> [ProcessEntry] {
    Directory.names(in: "/proc").compactMap { Int32($0) }.compactMap(entry)
  }

  /// All descendants of `root`, without itself and without zombies.
  package static func descendants(of root: Int32) -> [ProcessEntry] {
    var found: [ProcessEntry] = []
    var parents = [root]
    guard children(of: root) != nil else { return descendants(of: root, in: all()) }
    while let parent = parents.popLast() {
      for child in children(of: parent) ?? [] {
        parents.append(child)
        if let entry = entry(child), !entry.isZombie { found.append(entry) }
      }
    }
    return found
  }

  package static func descendants(of root: Int32, in table: [ProcessEntry]) -> [ProcessEntry] {
    var known: Set = [root]
    var found: [ProcessEntry] = []
    var isNew = true
    while isNew {
      isNew = false
      for entry in table where known.contains(entry.parent) && !known.contains(entry.pid) {
        known.insert(entry.pid)
        if !entry.isZombie { found.append(entry) }
        isNew = true
      }
    }
    return found
  }

  /// The children of all threads; `nil` if the kernel does not list them (CONFIG_PROC_CHILDREN).
  private static func children(of pid: Int32) -> [Int32]? {
    let threads = Directory.names(in: "/proc/\(pid)/task")
    var found: [Int32] = []
    for thread in threads {
      guard let text = SmallFile.text(of: "/proc/\(pid)/task/\(thread)/children") else {
        if errno == ENOENT, SmallFile.text(of: "/proc/\(pid)/task/\(thread)/stat") != nil {
          return nil
        }
        continue
      }
      found += text.split(separator: " ").compactMap { Int32($0) }
    }
    return found
  }

  /// A mark in a process's environment.
  package enum Mark: Sendable, Equatable {
    case present
    case absent
    /// There is nothing to read: it may be between two programs (execve), or has no environment.
    case unknown
  }

  /// Whether the process's initial environment holds this `NAME=VALUE`.
  package static func mark(_ variable: String, of pid: Int32) -> Mark {
    guard let bytes = SmallFile.bytes(of: "/proc/\(pid)/environ") else { return .absent }
    if bytes.isEmpty { return .unknown }
    return bytes.split(separator: 0).contains { $0.elementsEqual(variable.utf8) }
      ? .present : .absent
  }

  /// Signals this very process; a later one with its number is left alone.
  package static func signal(_ entry: ProcessEntry, _ number: Int32) {
    let descriptor = process_descriptor(entry.pid)
    guard descriptor >= 0 else {
      // Before Linux 5.3 (ENOSYS), and if a container's seccomp filter refuses the call (EPERM, which the call itself
      // never returns), the check and the signal are two steps.
      let code = errno
      if code == ENOSYS || code == EPERM, self.entry(entry.pid)?.startTicks == entry.startTicks {
        Glibc.kill(entry.pid, number)
      }
      return
    }
    defer { close(descriptor) }
    guard self.entry(entry.pid)?.startTicks == entry.startTicks else { return }
    _ = signal_through(descriptor, number)
  }
}
