// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import ServiceContract
import StateStore
import Testing

extension Live {
  /// The rules of background execution on real processes; a test's own era shortens rules with long times.
  @Suite("Real apps in the background")
  struct BackgroundTests {
    /// The time when an entry of an account was written, in seconds of the monotonic clock.
    private func instant(_ entry: [String: Any]?) -> Double? { entry?["at"] as? Double }

    private func log(_ app: String, at station: Station) throws -> String {
      try station.milepost(["apps", "log", app, "--count", "1000"]).text
    }

    /// An app in the background with nothing to hold it is suspended after 5 s.
    private func waitUntilFrozen(_ app: String, at station: Station) throws -> Int32 {
      try Waiting.until("\(app) is suspended") { try station.state(app) == "suspended" }
      let pid = try #require(station.pid(app))
      Waiting.until("its process is frozen") { HostProcess.isFrozen(pid) }
      return pid
    }

    @Test("A task that outlasts its budget is warned of 5 s before, and its app is killed")
    func overrun() throws {
      let station = try Station(settings: "era: {base: today, task_budget_s: 8}")
      try station.startDaemon()
      try station.addListener("worker", "", habits: ["task"])
      Waiting.until("it is told that its task expires", limit: 25) {
        !station.told("worker", "TASKS_EXPIRE").isEmpty
      }
      let pid = try #require(station.pid("worker"))
      #expect(!HostProcess.isFrozen(pid), "its task holds it")
      Waiting.until("its process is gone") { HostProcess.state(pid) == nil }
      let ended = Waiting.now
      let warning = station.account("worker").last {
        ($0["told"] as? [String: Any])?["class"] as? String == "TASKS_EXPIRE"
      }
      let told = try #require(warning?["told"] as? [String: Any])
      #expect(told["tasks"] as? [Int] == [1])
      let remaining = try #require(told["remaining_s"] as? Double)
      #expect(remaining > 4.5 && remaining <= 5, "what is left when the service says so")
      let waited = ended - (try #require(instant(warning)))
      #expect(
        waited > 4.5 && waited < 7, "\(waited) s from the warning to the end; 5 s are the rule")
      #expect(station.account("worker").last?["signal"] == nil, "SIGKILL lets nobody say good-bye")
      #expect(station.told("worker", "WILL_TERMINATE").isEmpty)
      #expect(try log("worker", at: station).contains("background task"))
      station.stopDaemon()
    }

    @Test(
      "A keep-alive handler that hangs is ended when its time is over; one that returns lives on")
    func keepAlive() throws {
      let station = try Station(settings: "era: ios7\nhandler_budget_s: 2")
      try station.startDaemon()
      let voip = "modes: [voip]"
      try station.addListener("phone", voip, habits: ["keep-alive"])
      try station.addListener("stuck", voip, habits: ["keep-alive", "hang"])
      let (phone, stuck) = (
        try waitUntilFrozen("phone", at: station), try waitUntilFrozen("stuck", at: station)
      )
      for app in ["phone", "stuck"] {
        #expect(try station.milepost(["apps", "send", app, "keep_alive"]).code == 0)
      }
      Waiting.until("both are called") {
        ["phone", "stuck"].allSatisfy { station.told($0, "WAKE").count == 1 }
      }
      #expect(station.told("stuck", "WAKE").first?["reason"] as? String == "keep_alive")
      #expect(station.told("stuck", "WAKE").first?["remaining_s"] as? Double == 2)
      // An exit with a status other than zero launches it again (voip); its first process is gone.
      Waiting.until("the one that hangs is ended") { HostProcess.state(stuck) == nil }
      Waiting.until("the other one is frozen again") { HostProcess.isFrozen(phone) }
      #expect(station.pid("phone") == phone)
      station.stopDaemon()
    }

    @Test("A fetch thaws an app that is frozen, and its return freezes it again")
    func fetch() throws {
      let station = try Station()
      try station.startDaemon()
      try station.addListener("feed", "modes: [fetch]", habits: ["fetch"])
      try station.addListener("deaf", "")
      let (feed, deaf) = (
        try waitUntilFrozen("feed", at: station), try waitUntilFrozen("deaf", at: station)
      )
      for app in ["feed", "deaf"] {
        #expect(try station.milepost(["apps", "send", app, "fetch"]).code == 0)
      }
      Waiting.until("it is called") { station.told("feed", "WAKE").count == 1 }
      #expect(station.told("feed", "WAKE").first?["reason"] as? String == "fetch")
      #expect(station.pid("feed") == feed, "thawed, not launched anew")
      try Waiting.until("it is suspended again") { try station.state("feed") == "suspended" }
      Waiting.until("and frozen") { HostProcess.isFrozen(feed) }
      #expect(HostProcess.isFrozen(deaf))
      #expect(station.told("deaf", "WAKE").isEmpty)
      #expect(
        try log("deaf", at: station).contains(
          "not woken by background fetch: the background mode that it needs is not declared"))
      station.stopDaemon()
    }

    @Test(
      "Memory that is needed takes the largest suspended app, and leaves a small one and the one in front alone"
    )
    func memory() throws {
      let station = try Station()
      try station.startDaemon()
      try station.addListener("front", "")
      try station.addListener("small", "")
      try station.addListener("rear", "", habits: ["large"])
      let small = try waitUntilFrozen("small", at: station)
      _ = try waitUntilFrozen("front", at: station)
      let rear = try waitUntilFrozen("rear", at: station)
      #expect(try station.milepost(["apps", "foreground", "front"]).code == 0)
      try Waiting.until("front is active") { try station.state("front") == "active" }
      let front = try #require(station.pid("front"))
      #expect(
        try station.milepost(["apps", "device", "memory", "--megabytes", "60"]).code == 0)
      Waiting.until("the suspended app's process is gone") { HostProcess.state(rear) == nil }
      #expect(try station.state("rear") == "not_running")
      #expect(HostProcess.isFrozen(small), "100 MB were more than enough")
      #expect(station.told("rear", "WILL_TERMINATE").isEmpty, "a purged app never hears of it")
      #expect(HostProcess.state(front) != nil)
      #expect(try station.state("front") == "active")
      station.stopDaemon()
    }

    @Test("Without a desktop the journal has what an app tells its user")
    func notification() throws {
      let station = try Station(settings: "era: ios7")
      // There is no bus at this address.
      try station.startDaemon(environment: [
        "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(station.path("no-bus"))"
      ])
      try station.addListener("chair", "", habits: ["notify"])
      Waiting.until("the journal has it") {
        station.daemonLog.contains("chair notifies: Stand up (the session bus: ")
      }
      #expect(
        try log("chair", at: station).contains("\"Stand up\" (stretch): its user was alerted"))
      station.stopDaemon()
    }

    @Test("After a start of the machine an app with voip is launched, and one without is not")
    func boot() throws {
      let station = try Station(settings: "era: ios7")
      try station.startDaemon()
      try station.addListener("phone", "modes: [voip]\nlaunch: manual")
      try station.addListener("plain", "launch: manual")
      for app in ["phone", "plain"] {
        #expect(try station.milepost(["apps", "launch", app]).code == 0)
        try Waiting.until("\(app) runs") { try station.state(app) == "active" }
        Waiting.until("and says so") { station.pid(app) != nil }
        #expect(try station.milepost(["apps", "background", app]).code == 0)
      }
      let (phone, plain) = (
        try waitUntilFrozen("phone", at: station), try waitUntilFrozen("plain", at: station)
      )
      // A power cut ends all at once and empties /run; the kernel names the next boot differently.
      station.killDaemon()
      for pid in station.keepers() + [phone, plain] { kill(pid, SIGKILL) }
      Waiting.until("nothing is left") {
        station.keepers().isEmpty && HostProcess.state(phone) == nil
          && HostProcess.state(plain) == nil
      }
      try FileManager.default.removeItem(atPath: station.path("run"))
      do {
        // Released before the next service looks.
        let store = try StateStore(path: station.path("state/milepost.sqlite"))
        var change = StoreChange()
        change.moment = try store.load().moment
        #expect(change.moment != nil)
        change.moment?.boot = "an earlier one"
        try store.commit(change)
      }
      try station.startDaemon()
      Waiting.until("phone is launched again") {
        station.account("phone").contains { $0["reason"] as? String == "boot" }
      }
      #expect(station.pid("phone") != phone)
      #expect(try station.state("plain") == "not_running")
      #expect(station.account("plain").count { $0["begun"] != nil } == 1)
      station.stopDaemon()
    }
  }
}
