// SPDX-License-Identifier: Apache-2.0

import Host
import ServiceContract

// The memory that the end of an app would free: the proportional set size (Pss) of its process and that one's
// descendants, from `/proc/PID/smaps_rollup` (proc(5)), in which a page shared by several processes counts
// proportionally. It is read when the app has been frozen: until the thaw it changes only by swapping. A process that
// left its parent is not found, and does not count.

/// An app's share of the machine's memory.
enum AppMemory {
  private static let bytesOfKilobyte = 1_024.0

  /// The events when an app has been frozen; its size first, if it can be read.
  static func whenFrozen(_ app: String, _ record: KeeperRecord?) -> [ProcessEvent] {
    guard let main = record?.main, main.isAlive else { return [.frozen(app: app)] }
    let pids = [main.pid] + ProcessTable.descendants(of: main.pid).map(\.pid)
    let sizes = pids.compactMap(megabytes(of:))
    guard !sizes.isEmpty else { return [.frozen(app: app)] }
    return [.usesMemory(app: app, megabytes: sizes.reduce(0, +)), .frozen(app: app)]
  }

  /// Millions of bytes; `nil` if it cannot be read.
  private static func megabytes(of pid: Int32) -> Double? {
    guard let text = SmallFile.text(of: "/proc/\(pid)/smaps_rollup") else { return nil }
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.first == "Pss:", words.count >= 2, let kilobytes = Double(words[1]) else {
        continue
      }
      return kilobytes * bytesOfKilobyte / 1e6
    }
    return nil
  }
}
