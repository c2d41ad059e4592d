// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

extension Live {
  /// The service's reports to its user afterwards.
  @Suite("Logs")
  struct LogTests {
    @Test(
      "A handler's attempts are in its log; the last event has its time after a restart, handled or not"
    )
    func handlers() throws {
      let station = try Station(settings: "significant_interval_s: 2")
      try station.startGPSD()
      try station.startDaemon()
      // Keeps the receiver on, so that the test need not wait for a session.
      try station.addListener(
        "always", "modes: [location]\nauthorization: always\nservice: continuous")
      // If a position is known, each handler's first event is that one, and the second is fresh.
      Waiting.until("fixes come") { !station.told("always", "LOCATION").isEmpty }
      let rest = "kind: handler\nservice: significant\nauthorization: always"
      try station.add("moved", "command: [\"true\"]\n" + rest)
      try station.add("broken", "command: [\"false\"]\n" + rest)
      func log(_ name: String) -> String {
        (try? station.milepost(["apps", "log", name]).text) ?? ""
      }
      Waiting.until("an acknowledgement") {
        log("moved").contains("  acknowledged  event 1, attempt 1: acknowledged\n")
      }
      Waiting.until("a failure") {
        log("broken").contains("event 1, attempt 1: ended with status 1; again in 1 s\n")
      }
      // The feed stands: no event follows these, so none comes between the two looks below.
      Waiting.until("the second acknowledgement") {
        log("moved").contains("  acknowledged  event 2, attempt 1: acknowledged\n")
      }
      Waiting.until("the second event waits") {
        log("broken").contains("event 2: the first position\n")
      }
      for name in ["moved", "broken"] { #expect(log(name).contains("  delivered ")) }
      let before = try #require(
        try station.document(["apps", "show", "broken"])["last"] as? [String: Any])
      let handled = try station.document(["apps", "show", "moved"])["last_delivery"] as? String
      station.killDaemon()
      try station.startDaemon()
      let after = try #require(
        try station.document(["apps", "show", "broken"])["last"] as? [String: Any])
      #expect(after["received"] as? String == before["received"] as? String)
      #expect(after["sequence"] as? Int == before["sequence"] as? Int)
      #expect(handled != nil)
      #expect(
        try station.document(["apps", "show", "moved"])["last_delivery"] as? String == handled)
      station.stopDaemon()
    }

    /// The entries of an app's log, or of the service's own.
    private func entries(
      of station: Station, _ app: String...
    ) throws -> [(kind: String, text: String)] {
      let entries = try station.document(["apps", "log"] + app)["entries"] as? [[String: Any]]
      return (entries ?? []).map { ($0["kind"] as? String ?? "", $0["text"] as? String ?? "") }
    }

    @Test("SIGHUP without a configuration file is said, and one that has appeared is taken up")
    func noFile() throws {
      let station = try Station()
      let daemon = try Child(
        [
          Station.programs + "/milepostd", "serve", "--gpsd", "127.0.0.1:\(station.gpsdPort)",
          "--state", station.path("state"), "--runtime", station.path("run"), "--socket",
          station.socket,
        ], environment: ["XDG_CONFIG_HOME": station.path("config")],
        output: station.path("daemon.log"))
      Waiting.until("the daemon answers") { (try? station.milepost(["status"]).code) == 0 }
      kill(daemon.pid, SIGHUP)
      Waiting.until("it says so") {
        station.daemonLog.contains(
          "milepostd: there is no configuration file to read: "
            + "\(station.path("config"))/milepost/milepostd.yaml is not there\n")
      }
      try FileManager.default.createDirectory(
        atPath: station.path("config/milepost"), withIntermediateDirectories: true)
      try "crash_limit: 8\n".write(
        toFile: station.path("config/milepost/milepostd.yaml"), atomically: true, encoding: .utf8)
      kill(daemon.pid, SIGHUP)
      Waiting.until("it takes up the file") {
        station.daemonLog.contains("milepostd: configuration: crash_limit: 5 becomes 8\n")
      }
      daemon.end(SIGTERM)
    }

    @Test("What could not be read of the state is in both logs")
    func unreadable() throws {
      let station = try Station()
      try station.startDaemon()
      try station.add("walker", "kind: connected\ncommand: [sleep, \"600\"]")
      station.stopDaemon()
      let python = try #require(Station.which("python3"))
      let script = """
        import sqlite3
        base = sqlite3.connect('\(station.path("state/milepost.sqlite"))')
        base.execute("UPDATE app SET authorization = 'perhaps'")
        base.execute("UPDATE engine SET version = 99")
        base.execute("INSERT INTO pending VALUES (1, 7, x'7B7D', 0, 0)")
        base.commit()
        """
      let change = try Child([python, "-c", script], output: station.path("change.log"))
      Waiting.until("the database is changed") { !change.isRunning }
      #expect(change.status == 0, "\(station.text("change.log"))")
      try station.startDaemon()
      let own = try entries(of: station).filter { $0.kind == "warning" }.map(\.text)
      for words in [
        "the authorization of walker is stored as “perhaps”", "the stored engine is of version 99",
        "1 undelivered events cannot be read",
      ] {
        #expect(station.daemonLog.contains("milepostd: error: \(words)"))
        #expect(own.contains { $0.hasPrefix(words) }, "\(own)")
      }
      station.stopDaemon()
    }

    @Test("An app that crashed too often is not said to be launched by the next event")
    func held() throws {
      let station = try Station(settings: "significant_interval_s: 2\ncrash_limit: 1")
      try station.startGPSD()
      try station.startDaemon()
      // Keeps the receiver on, so that the test need not wait for a session.
      try station.addListener(
        "always", "modes: [location]\nauthorization: always\nservice: continuous")
      Waiting.until("fixes come") { !station.told("always", "LOCATION").isEmpty }
      try station.add(
        "broken",
        "kind: connected\ncommand: [\"false\"]\nservice: significant\n"
          + "authorization: always")
      try Waiting.until("it is held") {
        try entries(of: station, "broken").contains { $0.text.hasPrefix("held after 1 crashes") }
      }
      // The first event may have come already, between the end of its process and this.
      let ended = "background to not running: exited by itself"
      let before = try entries(of: station, "broken").prefix { $0.text != ended }.count + 1
      station.feed.move(metres: 620, at: 120)
      let refusal = "not launched: it crashed too often"
      try Waiting.until("an event for it", limit: 30) {
        try entries(of: station, "broken").last?.text == refusal
      }
      let after = try entries(of: station, "broken").dropFirst(before)
      #expect(Set(after.map(\.kind)) == ["delivered", "held"], "\(after)")
      #expect(try station.state("broken") == "not_running")
      station.stopDaemon()
    }

    @Test("What the service cannot start counts as no failure of a handler, and no crash of an app")
    func prevented() throws {
      let station = try Station(settings: "crash_limit: 1")
      try station.startGPSD()
      try station.startDaemon()
      // A folder in place of the file that the keeper writes first; even root cannot write that.
      let names = ["moved", "walker"]
      for name in names {
        try FileManager.default.createDirectory(
          atPath: station.path("run/keepers/\(name).state"), withIntermediateDirectories: false)
      }
      try station.addListener(
        "always", "modes: [location]\nauthorization: always\nservice: continuous")
      Waiting.until("fixes come") { !station.told("always", "LOCATION").isEmpty }
      try station.add(
        "moved",
        "command: [\"true\"]\nkind: handler\nservice: significant\n"
          + "authorization: always")
      try station.add("walker", "kind: connected\ncommand: [sleep, \"600\"]")
      for name in names {
        try Waiting.until("\(name) is postponed") {
          try entries(of: station, name).contains {
            $0.kind == "postponed"
              && $0.text == "the service cannot start it now, and tries again until it can: "
                + "its state file cannot be made: File exists"
          }
        }
      }
      // Two more attempts, after 1 and 2 s: the next event is still the first one that counts.
      Waiting.pass(2)
      for name in names {
        try FileManager.default.removeItem(atPath: station.path("run/keepers/\(name).state"))
      }
      try Waiting.until("the handler has had its event") {
        try entries(of: station, "moved").contains {
          $0.text == "event 1, attempt 1: acknowledged"
        }
      }
      try Waiting.until("the app runs") {
        try station.document(["apps", "show", "walker"])["pid"] as? Int != nil
      }
      for name in names {
        let log = try entries(of: station, name)
        #expect(
          !log.contains { ["failed", "crashed", "held", "given_up"].contains($0.kind) }, "\(log)")
        #expect(log.count { $0.kind == "postponed" } == 1, "said once")
      }
      station.stopDaemon()
    }
  }
}
