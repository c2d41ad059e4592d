// SPDX-License-Identifier: Apache-2.0

import AppKeeping
import Files
import ServiceContract

// How much memory the end of an app would free: the proportional size (Pss) of its process and of that one's
// descendants, as `/proc/PID/smaps_rollup` adds it up (proc(5)), in which a page that several processes share
// counts for each of them by its share. It is read when the app has been frozen: until it is thawed it does not
// change, but for what is swapped out. A process that left its parent is not found, and counts for nothing.

/// An app's share of the machine's memory.
enum AppMemory {
  private static let bytesOfKilobyte = 1_024.0

  /// The events when an app has been frozen; its size first, where it can be read.
  static func whenFrozen(_ app: String, _ record: KeeperRecord?) -> [ProcessEvent] {
    guard let main = record?.main, main.isAlive else { return [.frozen(app: app)] }
    let pids = [main.pid] + ProcessTable.descendants(of: main.pid).map(\.pid)
    let sizes = pids.compactMap(megabytes(of:))
    guard !sizes.isEmpty else { return [.frozen(app: app)] }
    return [.usesMemory(app: app, megabytes: sizes.reduce(0, +)), .frozen(app: app)]
  }

  /// Millions of bytes; `nil` where it cannot be read.
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
