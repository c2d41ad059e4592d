// SPDX-License-Identifier: Apache-2.0

import AppKeeping
import Glibc
import Host
import ServiceContract
import Testing

extension RealProcesses {
  @Suite("Freezing", .serialized)
  struct FreezeTests {
    typealias Freezer = FreezeMeans

    /// No fork comes after the child is recorded: a shell that is stopped between vfork and exec of its child waits in
    /// state D, as frozen as in T.
    static let family = "sleep 1000 & echo $! > child; wait; exit 9"

    @Test("App and child are frozen and thawed, as the kernel says", arguments: Freezer.here)
    func freezes(with freezer: Freezer) throws {
      let stage = try Stage(freezer)
      defer { stage.clear() }
      #expect(stage.supervisor?.freezer == freezer)
      let pid = try stage.started("app", Self.family)
      let child = try stage.number("child")
      for _ in 0..<3 {
        stage.forgetEvents()
        stage.supervisor?.freeze("app")
        try stage.expect(.frozen(app: "app"))
        // A sent signal is under way; the kernel stops each process some time later.
        try stage.until("both are frozen") {
          stage.isFrozen(pid, app: "app") && stage.isFrozen(child, app: "app")
        }
        stage.supervisor?.thaw("app")
        try stage.expect(.thawed(app: "app"))
        try stage.until("both run") {
          !stage.isFrozen(pid, app: "app") && !stage.isFrozen(child, app: "app")
        }
      }
      stage.supervisor?.kill("app")
      #expect(try stage.ending(of: "app") == .signalled(SIGKILL))
      #expect(!Stage.isAlive(child))
    }

    @Test("The size of an app that is frozen is told, its children's with it")
    func size() throws {
      let stage = try Stage(.signals)
      defer { stage.clear() }
      // A million bytes for each second word; the shell doubles a string of 1,000,000 bytes five times.
      let grow = "x=$(head -c 1000000 /dev/zero | tr '\\0' x); for i in 1 2 3 4 5; do x=$x$x; done"
      for (app, script) in [
        ("small", "echo 1 > ready-small; sleep 1000"),
        ("large", "(\(grow); echo 1 > ready-large; sleep 1000; : $x) & wait"),
      ] {
        _ = try stage.started(app, script)
        try stage.until("\(app) has grown") { !stage.text("ready-\(app)").isEmpty }
        stage.supervisor?.freeze(app)
        try stage.expect(.frozen(app: app))
      }
      func size(_ app: String) -> Double {
        stage.events.compactMap { event in
          if case .usesMemory(app, let megabytes) = event { megabytes } else { nil }
        }.last ?? .nan
      }
      #expect(size("small") > 0 && size("small") < 10, "\(size("small")) MB")
      #expect(size("large") > 32 && size("large") < 150, "\(size("large")) MB")
    }

    @Test("A frozen app does no work, and goes on where it stood", arguments: Freezer.here)
    func works(with freezer: Freezer) throws {
      let stage = try Stage(freezer)
      defer { stage.clear() }
      // It writes now and then: a loop that rewrote its file as fast as it can would wait for a busy disk.
      let pid = try stage.started(
        "count", "n=0; while :; do n=$((n+1)); case $n in *0000) echo $n > n ;; esac; done")
      try stage.until("it counts") { stage.text("n").utf8.count > 1 }
      stage.supervisor?.freeze("count")
      try stage.expect(.frozen(app: "count"))
      // A process that waits in the kernel counts as frozen, and finishes its call before it stops.
      try stage.until("it is stopped") { stage.isFrozen(pid, app: "count") }
      let before = stage.text("n")
      #expect(stage.stays({ stage.text("n") == before }, for: 0.2))
      stage.supervisor?.thaw("count")
      try stage.until("it counts on") { !stage.text("n").isEmpty && stage.text("n") != before }
      stage.supervisor?.kill("count")
      _ = try stage.ending(of: "count")
    }

    @Test("A frozen app that is asked to end is thawed for it", arguments: Freezer.here)
    func ends(with freezer: Freezer) throws {
      let stage = try Stage(freezer)
      defer { stage.clear() }
      _ = try stage.started("app", "trap 'exit 7' TERM; echo up > up; while :; do sleep 0.05; done")
      try stage.until("its trap is set") { stage.text("up") == "up\n" }
      stage.supervisor?.freeze("app")
      try stage.expect(.frozen(app: "app"))
      stage.supervisor?.endApp("app", grace: 10)
      #expect(try stage.ending(of: "app") == .exited(status: 7))
    }

    @Test("A frozen app that is purged is told nothing", arguments: Freezer.here)
    func purges(with freezer: Freezer) throws {
      let stage = try Stage(freezer)
      defer { stage.clear() }
      let pid = try stage.started(
        "app", "trap 'echo told > told' TERM EXIT; sleep 1000 & echo $! > child; wait")
      let child = try stage.number("child")
      let group = stage.record("app")?.group
      stage.supervisor?.freeze("app")
      try stage.expect(.frozen(app: "app"))
      stage.supervisor?.kill("app")
      #expect(try stage.ending(of: "app") == .signalled(SIGKILL))
      #expect(!Stage.isAlive(pid) && !Stage.isAlive(child) && stage.text("told").isEmpty)
      if let group { #expect(access(group.path, F_OK) != 0, "the cgroup is left over") }
    }

    @Test("A frozen app that somebody else kills is noticed", arguments: [Freezer.signals])
    func killed(with freezer: Freezer) throws {
      let stage = try Stage(freezer)
      defer { stage.clear() }
      let pid = try stage.started("app", Self.family)
      let child = try stage.number("child")
      stage.supervisor?.freeze("app")
      try stage.expect(.frozen(app: "app"))
      Glibc.kill(pid, SIGKILL)
      #expect(try stage.ending(of: "app") == .signalled(SIGKILL))
      #expect(!Stage.isAlive(child))
    }

    @Test("With signals, a child that left the group is stopped by itself, and the user told")
    func strays() throws {
      let stage = try Stage(.signals)
      defer { stage.clear() }
      _ = try stage.started("app", "setsid sh -c 'echo $$ > stray; exec sleep 1000' & sleep 1000")
      let stray = try stage.number("stray")
      stage.supervisor?.freeze("app")
      try stage.expect(.frozen(app: "app"))
      try stage.until("it is stopped") { ProcessTable.entry(stray)?.isStopped == true }
      try stage.awaited("a warning of it") { event in
        if case .warning("app", let text) = event, text.contains("process \(stray)") {
          true
        } else {
          nil
        }
      }
      stage.supervisor?.thaw("app")
      try stage.until("it runs again") { ProcessTable.entry(stray)?.isStopped == false }
      stage.supervisor?.endApp("app", grace: 5)
      _ = try stage.ending(of: "app")
      #expect(!Stage.isAlive(stray))
    }

    @Test(
      "In a cgroup, a child in a session of its own is frozen and ended too",
      arguments: Freezer.here.filter { $0 != .signals })
    func sessions(with freezer: Freezer) throws {
      let stage = try Stage(freezer)
      defer { stage.clear() }
      _ = try stage.started("app", "setsid sh -c 'echo $$ > stray; exec sleep 1000' & sleep 1000")
      let stray = try stage.number("stray")
      stage.supervisor?.freeze("app")
      try stage.expect(.frozen(app: "app"))
      try stage.until("it is frozen") { stage.isFrozen(stray, app: "app") }
      stage.supervisor?.kill("app")
      _ = try stage.ending(of: "app")
      #expect(!Stage.isAlive(stray))
    }

    @Test("A keeper is woken by nothing while its app runs or is frozen", arguments: Freezer.here)
    func idle(with freezer: Freezer) throws {
      let stage = try Stage(freezer)
      defer { stage.clear() }
      _ = try stage.started("app", "exec sleep 1000")
      let keeper = try #require(stage.record("app")?.keeper.pid)
      for isFrozen in [false, true] {
        if isFrozen {
          stage.supervisor?.freeze("app")
          try stage.expect(.frozen(app: "app"))
        }
        // It goes to sleep once after its last word.
        var before = waits(of: keeper)
        try stage.until("it is at rest") {
          let now = waits(of: keeper)
          defer { before = now }
          return now == before && ProcessTable.entry(keeper)?.state == "S"
        }
        #expect(stage.stays({ waits(of: keeper) == before }, for: 0.5))
      }
      stage.supervisor?.kill("app")
      _ = try stage.ending(of: "app")
    }

    /// The number of times that the kernel let it wait (proc(5)); each wakeup ends in one more.
    private func waits(of pid: Int32) -> Substring? {
      SmallFile.text(of: "/proc/\(pid)/status")?.split(separator: "\n")
        .first { $0.hasPrefix("voluntary_ctxt_switches") }
    }
  }
}
