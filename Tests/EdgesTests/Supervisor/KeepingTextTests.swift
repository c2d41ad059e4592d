// SPDX-License-Identifier: Apache-2.0

import AppKeeping
import Host
import Testing

@Suite("What keepers and daemons read and write")
struct KeepingTextTests {
  @Test("Reports and orders come back as they were, whatever is in them")
  func messages() {
    let reports: [Report] = [
      .holds(pid: 7, isFrozen: true), .holds(pid: 7, isFrozen: false), .started(pid: 12), .frozen,
      .thawed, .warning("a b\nc=d %20 é\u{7F}"), .ended(.exited(3)), .ended(.signalled(9)),
      .ended(.failed("sh: not found")), .ended(.prevented("no space left")), .superseded,
    ]
    for report in reports { #expect(Report(line: report.line.dropLast()) == report) }
    for order in [Order.freeze, .thaw, .end(grace: 2.5), .kill, .done] {
      #expect(Order(line: order.line.dropLast()) == order)
    }
    for line in ["", "end", "end x", "end -1", "end nan", "freeze now", "holds x frozen"] {
      #expect(Order(line: line[...]) == nil && Report(line: line[...]) == nil)
    }
  }

  @Test("Lines are the same at every split, and an endless one is noticed")
  func lines() {
    let bytes = Array("frozen\nwarning a%20b\n\nthawed\n".utf8)
    for split in 0...bytes.count {
      var buffer = LineBuffer.ofWords
      var found: [Substring] = []
      for part in [bytes[..<split], bytes[split...]] {
        buffer.append(part)
        while let line = buffer.nextWords() { found.append(line) }
      }
      #expect(found == ["frozen", "warning a%20b", "", "thawed"])
    }
    var buffer = LineBuffer.ofWords
    buffer.append([UInt8](repeating: 65, count: 9_000)[...])
    #expect(buffer.next() == nil && buffer.isOverlong)
  }

  @Test("What is to start comes back as it was; half of it is refused")
  func starts() {
    let start = KeeperStart(
      app: "walk", command: ["sh", "-c", "echo \"$A\"\n", ""],
      environment: ["A": "x=y z", "B": ""],
      directory: "/a b", means: .cgroup1, timeLimit: 2.5, holdsFrozen: 600, logLimit: 4_096)
    #expect(KeeperStart(text: start.text) == start)
    #expect(KeeperStart(text: String(start.text.dropLast(5))) == nil)
  }

  @Test("A state file comes back as it was; a torn one is none")
  func records() {
    var record = KeeperRecord(
      app: "walk", boot: "1b4e28ba", keeper: .init(pid: 40, startTicks: 1_000))
    #expect(KeeperRecord(text: record.text) == record)
    record.main = .init(pid: 41, startTicks: 1_001)
    record.group = ControlGroup(path: "/sys/fs/cgroup/a b", isVersion1: false)
    for ending in [KeeperMachine.Ending.prevented("no space left"), .failed("no such file")] {
      record.ending = ending
      #expect(KeeperRecord(text: record.text) == record)
    }
    for length in 0..<(record.text.count - 5) {
      #expect(KeeperRecord(text: String(record.text.prefix(length))) == nil)
    }
  }

  // The line is of proc(5)'s form; names may hold blanks and parentheses.
  @Test("A process is read from its stat line, whatever its name")
  func stat() throws {
    let line =
      "4711 (a) b (c)) T 40 41 42 0 -1 4194304 117 0 0 0 0 0 0 0 20 0 1 0 987654 2621440 225 1"
    let entry = try #require(ProcessEntry(stat: line))
    #expect(entry.pid == 4_711 && entry.name == "a) b (c)" && entry.isStopped)
    #expect(entry.parent == 40 && entry.group == 41 && entry.session == 42)
    #expect(entry.startTicks == 987_654)
    #expect(ProcessEntry(stat: "4711 (torn") == nil && ProcessEntry(stat: "") == nil)
  }

  @Test("Descendants are found through several generations, without zombies")
  func descendants() throws {
    let table = try [(2, 1, "S"), (3, 2, "T"), (5, 3, "Z"), (6, 5, "R"), (9, 8, "S"), (4, 6, "S")]
      .map { pid, parent, state in
        try #require(
          ProcessEntry(
            stat: "\(pid) (x) \(state) \(parent) 1 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 7 0 0"))
      }
    #expect(ProcessTable.descendants(of: 2, in: table).map(\.pid).sorted() == [3, 4, 6])
  }

  // Mount lines of proc(5)'s form: a host with version 2 only, a hybrid one, a container that sees a
  // part of the tree, and a mount point with a blank.
  @Test("One's own cgroup is found from mounts and membership")
  func groups() {
    let pure = "29 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate"
    let slice = "/user.slice/user-1000.slice/user@1000.service/app.slice/milepostd.service"
    #expect(
      ControlGroup.own(isVersion1: false, mounts: pure, memberships: "0::\(slice)\n")
        == ControlGroup(path: "/sys/fs/cgroup\(slice)", isVersion1: false))
    #expect(ControlGroup.own(isVersion1: true, mounts: pure, memberships: "0::\(slice)\n") == nil)

    let hybrid = """
      37 31 0:34 / /sys/fs/cgroup/freezer rw,relatime - cgroup cgroup rw,freezer
      39 31 0:36 / /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids
      41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
      """
    let both = "8:pids:/p\n6:freezer,misc:/f\n0::/\n"
    #expect(
      ControlGroup.own(isVersion1: true, mounts: hybrid, memberships: both)?.path
        == "/sys/fs/cgroup/freezer/f")
    #expect(
      ControlGroup.own(isVersion1: false, mounts: hybrid, memberships: both)?.path
        == "/sys/fs/cgroup/unified")

    let part = #"50 40 0:26 /docker/ab /c\040d rw - cgroup2 cgroup rw"#
    #expect(
      ControlGroup.own(isVersion1: false, mounts: part, memberships: "0::/docker/ab/x\n")?.path
        == "/c d/x")
    #expect(
      ControlGroup.own(isVersion1: false, mounts: part, memberships: "0::/elsewhere\n") == nil)
    #expect(ControlGroup.own(isVersion1: false, mounts: "", memberships: "") == nil)
  }
}
