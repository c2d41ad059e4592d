// SPDX-License-Identifier: Apache-2.0

import AppKeeping
import Glibc
import Host
import ServiceContract
import Testing

extension RealProcesses {
  @Suite("Deaths of daemons and keepers", .serialized)
  struct AdoptionTests {
    typealias Freezer = FreezeMeans

    @Test(
      "The next daemon finds what runs, what is frozen and what has ended", arguments: Freezer.here)
    func adopts(with freezer: Freezer) async throws {
      let stage = try Stage(freezer)
      defer { stage.clear() }
      let runs = try stage.started("runs", "exec sleep 1000")
      let sleeps = try stage.started("sleeps", "exec sleep 1000")
      _ = try stage.started("ends", "while [ ! -e go ]; do sleep 0.02; done; exit 5")
      stage.supervisor?.freeze("sleeps")
      try stage.expect(.frozen(app: "sleeps"))
      await stage.die()
      close(open("\(stage.directory)/go", O_CREAT | O_WRONLY, 0o600))
      try stage.until("the end is noted") { stage.record("ends")?.ending == .exited(5) }
      try stage.until("it is frozen") {
        Stage.isAlive(runs) && stage.isFrozen(sleeps, app: "sleeps")
      }

      stage.forgetEvents()
      try stage.begin()
      #expect(await stage.supervisor?.adopt() == ["runs", "sleeps"])
      try stage.expect(.adopted(app: "runs", pid: runs, isFrozen: false))
      try stage.expect(.adopted(app: "sleeps", pid: sleeps, isFrozen: true))
      try stage.expect(.ended(app: "ends", .exited(status: 5)))

      stage.supervisor?.thaw("sleeps")
      try stage.expect(.thawed(app: "sleeps"))
      stage.supervisor?.endApp("runs", grace: 5)
      stage.supervisor?.endApp("sleeps", grace: 5)
      #expect(try stage.ending(of: "runs") == .signalled(SIGTERM))
      #expect(try stage.ending(of: "sleeps") == .signalled(SIGTERM))
      try stage.until("its files are gone") {
        Directory.names(in: "\(stage.directory)/run/keepers").isEmpty
      }
    }

    @Test(
      "A daemon that is dropped holds on to nothing, and the output of both times is in the log")
    func drops() async throws {
      let stage = try Stage()
      defer { stage.clear() }
      _ = try stage.started(
        "app", "echo before; while [ ! -e go ]; do sleep 0.02; done; echo after")
      stage.drop()
      try stage.begin()
      #expect(await stage.supervisor?.adopt() == ["app"])
      close(open("\(stage.directory)/go", O_CREAT | O_WRONLY, 0o600))
      #expect(try stage.ending(of: "app") == .exited(status: 0))
      #expect(stage.text("run/logs/app.log") == "before\nafter\n")
    }

    @Test("A frozen app without a daemon is purged when its time is over", arguments: Freezer.here)
    func purges(with freezer: Freezer) async throws {
      let stage = try Stage(freezer, purgesAfter: 0.3)
      defer { stage.clear() }
      let pid = try stage.started("app", "exec sleep 1000")
      let runs = try stage.started("runs", "exec sleep 1000")
      stage.supervisor?.freeze("app")
      try stage.expect(.frozen(app: "app"))
      // The kernel stops it some time later; from then on it stays so for as long as there is a daemon.
      try stage.until("it is frozen") { stage.isFrozen(pid, app: "app") }
      #expect(stage.stays({ stage.isFrozen(pid, app: "app") }, for: 0.5))
      await stage.die()
      try stage.until("it is gone") { !Stage.isAlive(pid) }
      #expect(Stage.isAlive(runs))
      try stage.begin()
      #expect(await stage.supervisor?.adopt() == ["runs"])
      #expect(try stage.ending(of: "app") == .signalled(SIGKILL))
      stage.supervisor?.kill("runs")
      _ = try stage.ending(of: "runs")
    }

    @Test("When a keeper is killed, its app is ended by the daemon", arguments: Freezer.here)
    func keeperKilled(with freezer: Freezer) throws {
      let stage = try Stage(freezer)
      defer { stage.clear() }
      for isFrozen in [false, true] {
        stage.forgetEvents()
        _ = try stage.started(
          "app", "trap '' HUP; setsid sleep 1000 & sleep 1000 & echo $! > child; wait")
        _ = try stage.number("child")
        let keeper = try #require(stage.record("app")?.keeper.pid)
        if isFrozen {
          stage.supervisor?.freeze("app")
          try stage.expect(.frozen(app: "app"))
        }
        Glibc.kill(keeper, SIGKILL)
        #expect(try stage.ending(of: "app") == .unknown)
        #expect(stage.ofApps.isEmpty)
        try stage.until("its files are gone") {
          Directory.names(in: "\(stage.directory)/run/keepers").isEmpty
        }
        unlink("\(stage.directory)/child")
      }
    }

    @Test("An app whose keeper was killed starts again, even while no end can be stored")
    func startsUnforgotten() throws {
      let stage = try Stage(stores: false)
      defer { stage.clear() }
      let first = try stage.started("app", "sleep 1000")
      Glibc.kill(try #require(stage.record("app")?.keeper.pid), SIGKILL)
      #expect(try stage.ending(of: "app") == .unknown)
      stage.forgetEvents()
      let second = try stage.started("app", "sleep 1000")
      #expect(second != first)
    }

    @Test("Daemon and keeper killed: the next daemon ends what is left", arguments: Freezer.here)
    func bothKilled(with freezer: Freezer) async throws {
      let stage = try Stage(freezer)
      defer { stage.clear() }
      _ = try stage.started("app", "trap '' HUP; setsid sleep 1000 & echo $! > child; wait")
      _ = try stage.number("child")
      let record = try #require(stage.record("app"))
      stage.supervisor?.freeze("app")
      try stage.expect(.frozen(app: "app"))
      await stage.die()
      Glibc.kill(record.keeper.pid, SIGKILL)
      try stage.until("the keeper is dead") { !record.keeper.isAlive }
      #expect(!stage.leftovers.isEmpty)
      stage.forgetEvents()
      try stage.begin()
      #expect(await stage.supervisor?.adopt() == [])
      #expect(try stage.ending(of: "app") == .unknown)
      #expect(stage.ofApps.isEmpty)
      if let group = record.group { #expect(access(group.path, F_OK) != 0) }
    }

    @Test(
      "An app of which something is left is not forgotten: the next adoption ends it",
      arguments: Freezer.here)
    func forgottenTooEarly(with freezer: Freezer) async throws {
      let stage = try Stage(freezer)
      defer { stage.clear() }
      _ = try stage.started("app", "trap '' HUP; echo $$ > child; sleep 1000")
      // Before its trap is set, the end of the keeper's session would end it.
      _ = try stage.number("child")
      let record = try #require(stage.record("app"))
      await stage.die()
      Glibc.kill(record.keeper.pid, SIGKILL)
      try stage.until("the keeper is dead") { !record.keeper.isAlive }
      stage.forgetEvents()
      try stage.begin()
      // The end of an earlier life has been stored only now.
      stage.supervisor?.forget(app: "app")
      #expect(await stage.supervisor?.adopt() == [])
      #expect(try stage.ending(of: "app") == .unknown)
      #expect(stage.ofApps.isEmpty)
      try stage.until("its files are gone") {
        Directory.names(in: "\(stage.directory)/run/keepers").isEmpty
      }
    }

    @Test("A keeper that hangs is ended with its app")
    func hangs() async throws {
      let stage = try Stage()
      defer { stage.clear() }
      let pid = try stage.started("app", "exec sleep 1000")
      let keeper = try #require(stage.record("app")?.keeper.pid)
      await stage.die()
      Glibc.kill(keeper, SIGSTOP)
      try stage.begin()
      #expect(await stage.supervisor?.adopt() == [])
      #expect(try stage.ending(of: "app") == .unknown)
      #expect(!Stage.isAlive(pid))
    }

    @Test("Another daemon takes over; the first lets go and ends nothing")
    func supersedes() async throws {
      let stage = try Stage()
      defer { stage.clear() }
      let pid = try stage.started("app", "exec sleep 1000")
      let first = stage.supervisor
      try stage.begin()
      #expect(await stage.supervisor?.adopt() == ["app"])
      try stage.expect(.warning(app: "app", "another daemon has taken it over"))
      #expect(first != nil && Stage.isAlive(pid))
      stage.supervisor?.kill("app")
      #expect(try stage.ending(of: "app") == .signalled(SIGKILL))
    }

    @Test("A start that is refused, since another daemon's keeper holds the app, takes it nothing")
    func refusedStart() async throws {
      let stage = try Stage()
      defer { stage.clear() }
      let pid = try stage.started("app", "exec sleep 1000")
      await stage.die()
      // This one has adopted nothing, and starts the app all the same.
      try stage.begin()
      stage.start("app", "exec sleep 1000")
      try stage.awaited("a refusal") { event in
        if case .failedToStart("app", let reason) = event, reason.contains("earlier daemon") {
          true
        } else {
          nil
        }
      }
      await stage.die()
      try stage.begin()
      #expect(await stage.supervisor?.adopt() == ["app"])
      try stage.expect(.adopted(app: "app", pid: pid, isFrozen: false))
    }

    @Test("The length of the directory's path does not matter")
    func longPaths() async throws {
      let stage = try Stage(folder: String(repeating: "long-", count: 40))
      defer { stage.clear() }
      let app = String(repeating: "a", count: 64)
      _ = try stage.started(app, "exec sleep 1000")
      await stage.die()
      try stage.begin()
      #expect(await stage.supervisor?.adopt() == [app])
      stage.supervisor?.kill(app)
      #expect(try stage.ending(of: app) == .signalled(SIGKILL))
    }

    @Test("Stale sockets and torn state files are removed")
    func stale() async throws {
      let stage = try Stage()
      defer { stage.clear() }
      let folder = "\(stage.directory)/run/keepers"
      for name in ["a.sock", "b.state"] {
        close(open("\(folder)/\(name)", O_CREAT | O_WRONLY, 0o600))
      }
      #expect(await stage.supervisor?.adopt() == [])
      #expect(Directory.names(in: folder).isEmpty && stage.events.isEmpty)
    }

    @Test("A process that got a number later is never ended")
    func recycled() async throws {
      let stage = try Stage()
      defer { stage.clear() }
      // An innocent process has the numbers of keeper and app in the files: once with another start
      // time, once with numbers of an earlier boot.
      let pid = try stage.started("innocent", "exec sleep 1000")
      let now = try #require(ProcessTable.entry(pid))
      let folder = "\(stage.directory)/run/keepers"
      for (app, boot, shift) in [
        ("later", Boot.id, UInt64(100)), ("boot", "of-last-week", UInt64(0)),
      ] {
        var record = KeeperRecord(
          app: app, boot: boot,
          keeper: .init(pid: now.session, startTicks: now.startTicks - shift))
        record.main = .init(pid: pid, startTicks: now.startTicks - shift)
        let file = open("\(folder)/\(app).state", O_CREAT | O_RDWR, 0o600)
        #expect(record.write(to: file) == nil)
        close(file)
      }
      #expect(await stage.supervisor?.adopt() == [])
      try stage.expect(.ended(app: "later", .unknown))
      try stage.expect(.ended(app: "boot", .unknown))
      #expect(Stage.isAlive(pid))
      stage.supervisor?.kill("innocent")
      #expect(try stage.ending(of: "innocent") == .signalled(SIGKILL))
    }
  }
}
