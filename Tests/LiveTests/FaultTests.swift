// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

extension Live {
  /// Faults of a machine and their effect on a service.
  @Suite("Faults of the machine")
  struct FaultTests {
    static let listener =
      "modes: [location]\nauthorization: always\nservice: continuous"

    /// A library that makes the wall clock of a program wrong; `nil` if it cannot be built.
    static func clock(in station: Station) throws -> String? {
      guard let compiler = ["cc", "clang", "gcc"].lazy.compactMap(Station.which).first else {
        print("skipped: no C compiler (Tools/setup test)")
        return nil
      }
      let library = station.path("clock.so")
      let build = try Child(
        [compiler, "-shared", "-fPIC", "-o", library, Station.apps + "/clock.c"],
        output: station.path("cc.log"))
      Waiting.until("the clock is compiled", limit: 60) { !build.isRunning }
      #expect(build.status == 0, "\(station.text("cc.log"))")
      return library
    }

    @Test("The clock is set back and forward, while it runs and while it does not")
    func clock() throws {
      let station = try Station()
      guard let library = try Self.clock(in: station) else { return }
      let environment = ["LD_PRELOAD": library, "CLOCK_OFFSET_FILE": station.path("offset")]
      func set(_ seconds: Int) throws {
        try "\(seconds)".write(toFile: station.path("offset"), atomically: true, encoding: .utf8)
      }
      try set(0)
      try station.startGPSD()
      try station.startDaemon(environment: environment)
      try station.addListener("count", Self.listener)
      let day = 86_400
      for (step, words) in [
        (-3_600, "back by 60 min"), (400 * day, "forward by 400 d"), (-20_000 * day, "back by"),
        (3_000_000 * day, "forward by"), (0, "back by"),
      ] {
        try set(step)
        let before = station.told("count", "LOCATION").count
        Waiting.until("fixes go on") { station.told("count", "LOCATION").count > before + 2 }
        Waiting.until("it is said that the clock was set \(words)") {
          station.daemonLog.contains("the machine's clock was set \(words)")
        }
        for question in [
          ["status"], ["apps", "list"], ["apps", "show", "count"], ["explain", "count"],
        ] {
          let answer = try station.milepost(question)
          #expect(answer.code == 0, "\(step) s: \(question): \(answer.text)")
        }
        let uptime = try station.document(["status"])["uptime_s"] as? Double ?? -1
        #expect((0...600).contains(uptime), "\(step) s")
      }
      for step in [5_000, -200 * day, 0] {
        station.killDaemon()
        try set(step)
        try station.startDaemon(environment: environment)
        let before = station.told("count", "LOCATION").count
        Waiting.until("fixes go on") { station.told("count", "LOCATION").count > before + 2 }
        #expect(try station.milepost(["status"]).code == 0)
      }
      let numbers = station.told("count", "LOCATION").compactMap { $0["sequence"] as? Int }
      #expect(Set(numbers) == Set(1...(numbers.max() ?? 0)), "none is lost")
      station.stopDaemon()
    }

    /// The number of a process's open descriptors, and its processor time, seconds.
    private static func descriptors(_ pid: pid_t) -> Int {
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count) ?? 0
    }

    private static func processorTime(_ pid: pid_t) -> Double {
      let text = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
      let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
      // utime and stime are fields 14 and 15, of which two precede the parenthesis (proc(5)).
      guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
        return .nan
      }
      return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    private static func connect(to path: String) -> Int32 {
      let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      let code = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      if code == 0 { return descriptor }
      Glibc.close(descriptor)
      return -1
    }

    @Test("Without a descriptor left it waits, and goes on once there is one", arguments: [0, 40])
    func descriptors(room: Int) throws {
      let station = try Station()
      try station.startGPSD()
      try station.startDaemon()
      try station.addListener("count", Self.listener)
      Waiting.until("fixes come") { station.told("count", "LOCATION").count > 2 }
      let daemon = try #require(station.daemonPID)
      let limits = try #require(Station.which("prlimit"), "util-linux is part of every Debian")
      func allow(_ count: Int) throws {
        let change = try Child(
          [limits, "--pid", "\(daemon)", "--nofile=\(count):"], output: station.path("prlimit.log"))
        Waiting.until("the limit is set") { !change.isRunning }
        #expect(change.status == 0, "\(station.text("prlimit.log"))")
      }
      // Its current number, plus `room`.
      try allow(Self.descriptors(daemon) + room)
      var crowd: [Int32] = []
      for _ in 0..<100 { crowd.append(Self.connect(to: station.socket)) }
      let told = station.told("count", "LOCATION").count
      let used = Self.processorTime(daemon)
      let began = Waiting.now
      // Long enough for a second attempt, and a third.
      Waiting.until("the app hears of fixes all the same") {
        station.told("count", "LOCATION").count > told + 4 && Waiting.now - began > 3
      }
      let share = (Self.processorTime(daemon) - used) / (Waiting.now - began)
      #expect(share < 0.2, "it tries again now and then, and not for ever at once")
      for descriptor in crowd where descriptor >= 0 { Glibc.close(descriptor) }
      try allow(1_024)
      Waiting.until("commands are answered again") {
        (try? station.milepost(["status"]).code) == 0
      }
      station.stopDaemon()
    }

    @Test("Who has few descriptors serves few, and his own commands among them")
    func fewDescriptors() throws {
      let station = try Station()
      let shell = Station.which("sh") ?? "sh"
      try station.startDaemon(under: [shell, "-c", "ulimit -n 128; exec \"$@\"", "sh"])
      var crowd: [Int32] = []
      defer { for descriptor in crowd where descriptor >= 0 { Glibc.close(descriptor) } }
      for _ in 0..<1_000 {
        let one = Self.connect(to: station.socket)
        // The refused ones return their places.
        if crowd.count < 200 { crowd.append(one) } else { Glibc.close(one) }
      }
      let clients = try station.document(["status"])["clients"] as? Int
      // 64 of 128 descriptors are for clients, and a quarter of these for commands: this one has the 49th place.
      #expect(clients == 49)
      station.stopDaemon()
    }

    @Test("A disk that is full: fixes go on, it is said, and with room nothing is lost over a kill")
    func fullDisk() throws {
      guard getuid() == 0 else {
        print("skipped: only root can mount a small disk")
        return
      }
      let station = try Station()
      let disk = station.path("state")
      try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
      guard mount("none", disk, "tmpfs", 0, "size=256k,mode=0700") == 0 else {
        print("skipped: no small disk can be mounted here")
        return
      }
      defer { umount2(disk, Int32(MNT_DETACH)) }
      try station.startGPSD()
      try station.startDaemon()
      try station.addListener("count", Self.listener)
      Waiting.until("fixes come") { station.told("count", "LOCATION").count > 2 }
      let filler = disk + "/filler"
      let file = open(filler, O_WRONLY | O_CREAT | O_APPEND, 0o600)
      let zeros = [UInt8](repeating: 0, count: 512)
      // The files still have room for some fixes, and one may free space that another takes.
      try Waiting.until("it is said that nothing is stored", limit: 60) {
        while write(file, zeros, zeros.count) > 0 {}
        let store = try station.document(["status"])["store"] as? [String: Any]
        return (store?["warning"] as? String)?.contains("the disk is full. Make room") == true
      }
      Glibc.close(file)
      let told = station.told("count", "LOCATION").count
      Waiting.until("fixes go on") { station.told("count", "LOCATION").count > told + 3 }
      unlink(filler)
      Waiting.until("it is stored again") {
        station.daemonLog.contains("the store can be written again")
      }
      let before = station.told("count", "LOCATION").count
      station.killDaemon()
      try station.startDaemon()
      Waiting.until("fixes go on") { station.told("count", "LOCATION").count > before + 2 }
      let numbers = station.told("count", "LOCATION").compactMap { $0["sequence"] as? Int }
      #expect(Set(numbers) == Set(1...(numbers.max() ?? 0)), "none is lost")
      station.stopDaemon()
    }

    @Test("Where no process can be made an app begins once one can, and nothing else suffers")
    func noProcesses() throws {
      // A user without any other process.
      let user = "64321"
      guard getuid() == 0, let tool = Station.which("setpriv") else {
        print("skipped: only root can run a service as a user whose processes are few")
        return
      }
      let station = try Station()
      #expect(chown(station.folder, 64_321, 64_321) == 0)
      let become = [tool, "--reuid=" + user, "--regid=" + user, "--clear-groups"]
      let probe = try Child(
        become + ["test", "-x", Station.programs + "/milepost-keeper"],
        output: station.path("probe.log"))
      Waiting.until("the probe has ended") { !probe.isRunning }
      guard probe.status == 0 else {
        print("skipped: another user cannot run \(Station.programs)")
        return
      }
      try station.startDaemon(under: become)
      let daemon = try #require(station.daemonPID)
      let limits = try #require(Station.which("prlimit"), "util-linux is part of every Debian")
      func allow(_ count: Int) throws {
        let change = try Child(
          become + [limits, "--pid", "\(daemon)", "--nproc=\(count):"],
          output: station.path("prlimit.log"))
        Waiting.until("the limit is set") { !change.isRunning }
        #expect(change.status == 0, "\(station.text("prlimit.log"))")
      }
      // Threads count as processes do.
      let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(daemon)/task").count
      try allow(tasks)
      try station.add("sleeper", "kind: connected\ncommand: [sleep, \"600\"]")
      Waiting.until("it is said why it does not begin") {
        station.daemonLog.contains("Resource temporarily unavailable")
      }
      #expect(try station.document(["apps", "show", "sleeper"])["pid"] as? Int == nil)
      try allow(4_096)
      try Waiting.until("it begins") {
        try station.document(["apps", "show", "sleeper"])["pid"] as? Int != nil
      }
      station.stopDaemon()
    }
  }
}
