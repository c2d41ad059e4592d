// SPDX-License-Identifier: Apache-2.0

import AppKeeping
import Glibc
import Host
import JSONText
import ServiceContract
import Testing

extension RealProcesses {
  @Suite("Starting and ending", .serialized)
  struct StartTests {
    @Test("Environment, directory, arguments and output are the app's")
    func surroundings() throws {
      let stage = try Stage()
      defer { stage.clear() }
      setenv("NOTIFY_SOCKET", "@nobody", 1)
      defer { unsetenv("NOTIFY_SOCKET") }
      stage.start(
        "plain", #"echo "$REASON in $PWD, ${NOTIFY_SOCKET-no socket}"; echo oops >&2; exit 4"#,
        environment: ["REASON": "location = 1"])
      #expect(try stage.ending(of: "plain") == .exited(status: 4))
      #expect(
        stage.text("run/logs/plain.log")
          == "location = 1 in \(stage.directory), no socket\noops\n")
      // The end is told first.
      try stage.until("no record of plain") { stage.record("plain") == nil }
    }

    @Test("A handler gets its event on stdin, and then the end of it")
    func handler() throws {
      let stage = try Stage()
      defer { stage.clear() }
      let event = #"{"class":"TPV","lat":47.1,"text":"a%20b = c"}"# + "\n"
      stage.start("handler", "cat > event; exit 0", input: event)
      #expect(try stage.ending(of: "handler") == .exited(status: 0))
      #expect(stage.text("event") == event)

      // Nothing is requested: the end comes at once. And a long one, that a pipe would not take.
      stage.forgetEvents()
      stage.start("handler", "wc -c > none; exit 75")
      #expect(try stage.ending(of: "handler") == .exited(status: 75))
      #expect(stage.text("none").contains("0"))
      stage.forgetEvents()
      let long = String(repeating: "0123456789", count: 100_000)
      stage.start("handler", "wc -c > many", input: long)
      #expect(try stage.ending(of: "handler") == .exited(status: 0))
      #expect(stage.text("many").contains("1000000"))
    }

    @Test("What cannot be started says why")
    func failures() throws {
      let stage = try Stage()
      defer { stage.clear() }
      let file = "\(stage.directory)/no-program"
      close(open(file, O_CREAT | O_WRONLY, 0o600))
      let empty = "\(stage.directory)/empty"
      close(open(empty, O_CREAT | O_WRONLY, 0o700))
      let cases: [(String, [String], String, String)] = [
        ("absent", ["milepost-is-not-there"], stage.directory, "No such file or directory"),
        ("denied", [file], stage.directory, "Permission denied"),
        ("format", [empty], stage.directory, "Exec format error"),
        ("folder", ["true"], "\(stage.directory)/none", "No such file or directory"),
        ("words", [], stage.directory, "its command is empty"),
        (".hidden", ["true"], stage.directory, "is no name of an app"),
        ("a/b", ["true"], stage.directory, "is no name of an app"),
      ]
      for (app, command, directory, reason) in cases {
        stage.supervisor?.start(
          .init(app: app, command: command, environment: [:], directory: directory))
        let said = try stage.awaited("\(app) fails") { event in
          if case .failedToStart(app, let reason) = event { reason } else { nil }
        }
        #expect(said.contains(reason), "\(app)")
      }
      try stage.until("no files are left") {
        Directory.names(in: "\(stage.directory)/run/keepers").isEmpty
      }
    }

    @Test("A second start of what runs is refused, and the first runs on")
    func twice() throws {
      let stage = try Stage()
      defer { stage.clear() }
      let pid = try stage.started("one", "exec sleep 1000")
      stage.start("one", "true")
      try stage.expect(.failedToStart(app: "one", reason: "it runs already"))
      #expect(Stage.isAlive(pid))
      stage.supervisor?.kill("one")
      #expect(try stage.ending(of: "one") == .signalled(SIGKILL))
    }

    @Test("It is asked to end and may say how it ended")
    func gracefully() throws {
      let stage = try Stage()
      defer { stage.clear() }
      _ = try stage.started(
        "polite", "trap 'exit 7' TERM; echo ready > up; while :; do sleep 0.05; done")
      try stage.until("its trap is set") { stage.text("up") == "ready\n" }
      stage.supervisor?.endApp("polite", grace: 10)
      #expect(try stage.ending(of: "polite") == .exited(status: 7))
      #expect(stage.ofApps.isEmpty)
    }

    @Test("One that ignores SIGTERM is killed after its grace, with its children")
    func stubborn() throws {
      let stage = try Stage()
      defer { stage.clear() }
      let pid = try stage.started(
        "deaf", "trap '' TERM; sleep 1000 & echo $! > child; while :; do sleep 1000; done")
      let child = try stage.number("child")
      let before = Boot.seconds
      stage.supervisor?.endApp("deaf", grace: 0.4)
      #expect(try stage.ending(of: "deaf") == .signalled(SIGKILL))
      #expect(Boot.seconds - before >= 0.4)
      #expect(!Stage.isAlive(pid) && !Stage.isAlive(child))
    }

    @Test("What an app leaves behind is ended with it")
    func orphans() throws {
      let stage = try Stage()
      defer { stage.clear() }
      // One in the group, one in a separate session, one whose parent is gone before.
      stage.start(
        "parent",
        "sleep 1000 & echo $! > a; setsid sleep 1000 & (setsid sleep 1000 &) ; sleep 0.1; exit 3")
      #expect(try stage.ending(of: "parent") == .exited(status: 3))
      #expect(stage.ofApps.isEmpty)
    }

    @Test("A time limit ends a handler; being frozen does not count")
    func limit() throws {
      let stage = try Stage()
      defer { stage.clear() }
      _ = try stage.started("slow", "exec sleep 1000", limit: 0.3)
      #expect(try stage.ending(of: "slow") == .signalled(SIGTERM))
      try stage.awaited("the reason") { event in
        if case .warning("slow", let text) = event, text.contains("time limit") {
          true
        } else {
          nil
        }
      }
      // A limit within which even a busy machine freezes it.
      let pid = try stage.started("held", "exec sleep 1000", limit: 3)
      stage.supervisor?.freeze("held")
      try stage.expect(.frozen(app: "held"))
      #expect(stage.stays({ Stage.isAlive(pid) }, for: 3.5))
      stage.supervisor?.thaw("held")
      #expect(try stage.ending(of: "held") == .signalled(SIGTERM))
    }

    @Test("The log is bounded: two files of the stated size, the newest lines in the first")
    func logs() throws {
      let stage = try Stage(logLimit: 4_096)
      defer { stage.clear() }
      stage.start("chatty", "seq 1 5000")
      #expect(try stage.ending(of: "chatty") == .exited(status: 0))
      let (new, old) = (stage.text("run/logs/chatty.log"), stage.text("run/logs/chatty.log.1"))
      #expect(new.utf8.count <= 4_096 && old.utf8.count <= 4_096 && old.utf8.count > 3_000)
      let written = (1...5_000).map { "\($0)\n" }.joined()
      #expect(written.hasSuffix(old + new))
    }

    @Test("Output that cannot be written is told of, and the app does not wait for it")
    func fullLog() throws {
      let stage = try Stage()
      defer { stage.clear() }
      mkdir("\(stage.directory)/run/logs/app.log", 0o700)
      stage.start("app", "seq 1 100000; exit 6")
      #expect(try stage.ending(of: "app") == .exited(status: 6))
      let warnings = stage.events.filter { event in
        if case .warning("app", let text) = event { text.contains("Is a directory") } else { false }
      }
      #expect(warnings.count == 1)
    }

    @Test("A supervisor that cannot work says what is wrong")
    func refusals() throws {
      let stage = try Stage()
      defer { stage.clear() }
      let make = { (directory: String, keeper: String, freezer: FreezeMeans?) in
        _ = try AppSupervisor(
          directory: directory, keeper: keeper, freezer: freezer, purgesAfter: 1, sink: { _ in })
      }
      #expect(throws: Complaint.self) { try make(stage.directory, "no-keeper", nil) }
      let nowhere = "\(stage.directory)/no/where"
      #expect(throws: Complaint.self) { try make(nowhere, Stage.keeper, nil) }
      for freezer in FreezeMeans.allCases where !freezer.isHere {
        #expect(throws: Complaint.self) {
          try make(stage.directory, Stage.keeper, freezer)
        }
      }
    }
  }
}
