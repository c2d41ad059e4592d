// SPDX-License-Identifier: Apache-2.0

import Glibc
import Host

/// The record that a keeper writes beside its socket before it does anything: its app's process. So a successor can end
/// that process, and never a later one with the same number.
///
/// It is one block of `size` bytes, written in one call and over itself: a full disk cannot lose the note of an end,
/// and a kill leaves the old or the new one. Order matters: the cgroup is noted before it is made, and the app's
/// process before it is let through the gate.
package struct KeeperRecord: Sendable, Equatable {
  package static let size = 4_096

  package var app: String
  /// The boot in which the numbers are valid.
  package var boot: String
  package var keeper: ProcessName
  /// The app's process, which is also its process group.
  package var main: ProcessName?
  package var group: ControlGroup?
  /// The outcome, once it has ended.
  package var ending: KeeperMachine.Ending?

  /// A process, identified uniquely within a boot.
  package struct ProcessName: Sendable, Equatable {
    package var pid: Int32
    package var startTicks: UInt64

    package init(pid: Int32, startTicks: UInt64) {
      self.pid = pid
      self.startTicks = startTicks
    }

    /// `nil` if there is no such process.
    package init?(of pid: Int32) {
      guard let entry = ProcessTable.entry(pid) else { return nil }
      self.init(pid: pid, startTicks: entry.startTicks)
    }

    package var isAlive: Bool { ProcessTable.isAlive(pid, startTicks: startTicks) }
  }

  package init(app: String, boot: String, keeper: ProcessName) {
    self.app = app
    self.boot = boot
    self.keeper = keeper
  }

  /// The variable that marks every process of the app, as long as it passes on its environment.
  package static let variable = "MILEPOST_KEEPER"
  package var mark: String { "\(keeper.pid)-\(keeper.startTicks)" }
  package var markVariable: String { "\(Self.variable)=\(mark)" }

  package var text: String {
    var lines = [
      "milepost-keeper 1", "app \(Words.escaped(app))", "boot \(boot)",
      "keeper \(keeper.pid) \(keeper.startTicks)",
    ]
    if let main { lines.append("main \(main.pid) \(main.startTicks)") }
    if let group {
      lines.append("\(group.isVersion1 ? "cgroup1" : "cgroup2") \(Words.escaped(group.path))")
    }
    switch ending {
    // A reason is for people; it may be long, but the block is not.
    case .failed(let reason): lines.append("failed \(Words.escaped(String(reason.prefix(200))))")
    case .prevented(let reason):
      lines.append("prevented \(Words.escaped(String(reason.prefix(200))))")
    case let ending?: lines.append(ending.words)
    case nil: break
    }
    return lines.joined(separator: "\n") + "\nend\n"
  }

  /// `nil` if it is incomplete: its keeper died before anything ran.
  package init?(text: String) {
    var fields: [Substring: ArraySlice<Substring>] = [:]
    var isWhole = false
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard let key = words.first else { continue }
      if key == "end" {
        isWhole = true
        break
      }
      fields[key] = words[...]
    }
    guard isWhole, fields["milepost-keeper"]?.last == "1", let app = fields["app"]?.last,
      let boot = fields["boot"]?.last, let keeper = Self.process(fields["keeper"])
    else { return nil }
    self.init(app: Words.unescaped(app), boot: String(boot), keeper: keeper)
    main = Self.process(fields["main"])
    for (key, isVersion1) in [("cgroup1", true), ("cgroup2", false)] {
      if let path = fields[key[...]]?.last {
        group = ControlGroup(path: Words.unescaped(path), isVersion1: isVersion1)
      }
    }
    for key in ["exited", "signalled", "failed", "prevented"] {
      if let words = fields[key[...]] { ending = KeeperMachine.Ending(words: words) }
    }
  }

  private static func process(_ words: ArraySlice<Substring>?) -> ProcessName? {
    guard let words, words.count == 3, let pid = Int32(words[1]), let ticks = UInt64(words[2])
    else { return nil }
    return ProcessName(pid: pid, startTicks: ticks)
  }

  /// Writes the block; returns the reason if it cannot.
  package func write(to descriptor: Int32) -> String? {
    var block = Array(text.utf8)
    guard block.count <= Self.size else { return "a path in it is too long" }
    block += [UInt8](repeating: UInt8(ascii: "\n"), count: Self.size - block.count)
    let count = block.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    if count == Self.size { return nil }
    return count < 0 ? SystemError.text() : "no space left"
  }
}
