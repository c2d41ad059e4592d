// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

extension Live {
  /// Unmodified programs that use GeoClue, answered by a real daemon on a separate system bus.
  @Suite(
    "GeoClue's programs",
    .enabled(
      if: SystemBus.obstacle == nil, Comment(rawValue: SystemBus.obstacle ?? "a bus can serve")))
  struct GeoClueTests {
    private func station(_ bus: SystemBus) throws -> Station {
      let station = try Station(settings: "geoclue: answer")
      try station.startGPSD()
      try station.startDaemon(environment: bus.environment)
      Waiting.until("it answers") {
        station.daemonLog.contains("programs that ask GeoClue are answered")
      }
      return station
    }

    private func program(
      _ station: Station, _ name: String = "geoclue-where-am-i"
    ) throws -> [String: Any]? {
      let part = try station.document(["status"])["geoclue"] as? [String: Any]
      let programs = part?["programs"] as? [[String: Any]]
      return programs?.first { $0["name"] as? String == name }
    }

    /// Runs Debian's `where-am-i`; its desktop id is `geoclue-where-am-i`.
    private func whereAmI(
      _ bus: SystemBus, _ station: Station, level: Int, time: Int = 0, seconds: Int = 60
    ) throws -> Child {
      try Child(
        [
          SystemBus.whereAmI, "-t", String(seconds), "-a", String(level), "-i", String(time),
        ], environment: bus.environment, output: station.path("where"))
    }

    /// No agent is on this bus; GeoClue would let the client wait, and derive its accuracy from HDOP by a table.
    @Test(
      "Traps 11, 12: without an agent an exact client is told where the device is, with the receiver's accuracy, and pays for it"
    )
    func exact() throws {
      let bus = try SystemBus()
      let station = try station(bus)
      let child = try whereAmI(bus, station, level: 8)
      Waiting.until("a location") { station.text("where").contains("Longitude:") }
      let text = station.text("where")
      // The feed's place.
      #expect(text.contains("Latitude:    52.000000"), "\(text)")
      #expect(text.contains("Longitude:   5.000000"), "\(text)")
      let fix = try station.document(["status"])["last_fix"] as? [String: Any]
      let accuracy = try #require((fix?["fix"] as? [String: Any])?["accuracy_m"] as? Double)
      let shown = String(format: "Accuracy:    %.6f meters", accuracy)
      #expect(accuracy > 0 && text.contains(shown), "\(shown): \(text)")
      let receiver = try station.document(["status"])["receiver"] as? [String: Any]
      #expect(receiver?["plan"] as? String == "continuous")
      child.end(SIGKILL)
      try Waiting.until("the receiver is off") {
        let receiver = try station.document(["status"])["receiver"] as? [String: Any]
        return receiver?["plan"] as? String == "off"
      }
      let cost = try #require(try program(station))
      #expect(cost["asks"] as? String == "standard")
      #expect(cost["clients"] as? Int == 0)
      #expect((cost["energy_j"] as? Double ?? 0) > 0)
    }

    @Test(
      "Trap 12: a client that asks for a city keeps the receiver off, and hears where others were")
    func city() throws {
      let bus = try SystemBus()
      let station = try station(bus)
      let child = try whereAmI(bus, station, level: 4)
      defer { child.end(SIGKILL) }
      try Waiting.until("it asks") {
        try program(station)?["clients"] as? Int == 1
      }
      let status = try station.document(["status"])
      #expect((status["receiver"] as? [String: Any])?["plan"] as? String == "off")
      #expect((status["gpsd"] as? [String: Any])?["state"] as? String == "released")
      #expect(!station.text("where").contains("Latitude"))
      try station.addListener(
        "walker", "modes: [location]\nauthorization: always", service: "standard")
      Waiting.until("a location") { station.text("where").contains("Accuracy:") }
      let text = station.text("where")
      #expect(text.contains("Accuracy:    15000.000000 meters"), "\(text)")
      #expect(!text.contains("Latitude:    52.000000"), "\(text)")
      #expect(!text.contains("Speed:"), "\(text)")
      let cost = try #require(try program(station))
      #expect(cost["energy_j"] as? Double == 0)
      #expect(cost["deliveries"] as? Int == 1)
    }

    // GeoClue 2.6.0 queries no source again once its own was gone. The first pause is 10 s (`GeoClueMachine`).
    @Test("Trap 13: a bus that goes and comes again is served as before")
    func busReturns() throws {
      let bus = try SystemBus()
      let station = try station(bus)
      func isTold() throws {
        let child = try whereAmI(bus, station, level: 8)
        defer { child.end(SIGKILL) }
        Waiting.until("a location") {
          station.text("where").contains("Latitude:    52.000000")
        }
        unlink(station.path("where"))
      }
      try isTold()
      bus.stop()
      Waiting.until("the service sees that it is gone") {
        station.daemonLog.contains("programs that ask GeoClue are not answered: the system bus: ")
      }
      try bus.start()
      Waiting.until("it answers again", limit: 40) {
        station.daemonLog.components(separatedBy: "programs that ask GeoClue are answered").count
          > 2
      }
      try isTold()
    }

    @Test("The interface reads as busctl and gdbus read it; another user's calls are not answered")
    func introspection() throws {
      let bus = try SystemBus()
      let station = try station(bus)
      let name = "org.freedesktop.GeoClue2"
      func run(_ words: [String], _ file: String) throws -> String {
        let child = try Child(words, environment: bus.environment, output: station.path(file))
        Waiting.until("\(words[0]) ends") { !child.isRunning }
        return station.text(file)
      }
      let gdbus = try #require(Station.which("gdbus"))
      let tree = try run(
        [gdbus, "introspect", "--system", "-r", "-d", name, "-o", "/"], "tree")
      #expect(tree.contains("interface org.freedesktop.GeoClue2.Manager"), "\(tree)")
      #expect(tree.contains("readonly u AvailableAccuracyLevel = 8;"), "\(tree)")
      let made = try run(
        [
          gdbus, "call", "--system", "-d", name, "-o", "/org/freedesktop/GeoClue2/Manager", "-m",
          "org.freedesktop.GeoClue2.Manager.GetClient",
        ], "made")
      #expect(made == "(objectpath '/org/freedesktop/GeoClue2/Client/1',)\n")
      guard geteuid() == 0, let other = Station.which("setpriv") else { return }
      let refused = try run(
        [
          other, "--reuid=65534", "--clear-groups", gdbus, "call", "--system", "-d", name, "-o",
          "/org/freedesktop/GeoClue2/Manager", "-m", "org.freedesktop.GeoClue2.Manager.GetClient",
        ], "refused")
      #expect(
        refused.contains(
          "this milepostd tells user 0 where the device is, and you are user 65534"), "\(refused)")
    }
  }
}

/// A system bus for one test, on which every program may have any name.
final class SystemBus {
  static let whereAmI = "/usr/libexec/geoclue-2.0/demos/where-am-i"

  /// The reason why none can serve here; `nil` if one can.
  static var obstacle: String? {
    if let obstacle = Station.obstacle { return obstacle }
    guard Station.which("dbus-daemon") != nil, Station.which("gdbus") != nil else {
      return "dbus-daemon or gdbus is not installed (Tools/setup test does it)"
    }
    guard access(whereAmI, X_OK) == 0 else {
      return "where-am-i is not installed (Tools/setup test does it)"
    }
    return getpwuid(getuid()) == nil
      ? "dbus-daemon refuses a user without an entry in passwd" : nil
  }

  private let folder: String
  private var daemon: Child?
  var address: String { "unix:path=\(folder)/bus" }
  var environment: [String: String] { ["DBUS_SYSTEM_BUS_ADDRESS": address] }

  init() throws {
    var template = Array("\(NSTemporaryDirectory())mb-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw Child.CannotStart(program: "mkdtemp", code: errno)
    }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // Another user's program must get as far as the daemon.
    chmod(folder, 0o755)
    try """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>system</type>
      <listen>\(address)</listen>
      <auth>EXTERNAL</auth>
      <policy context="default">
        <allow user="*"/>
        <allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/>
        <allow own="*"/>
      </policy>
    </busconfig>
    """.write(toFile: folder + "/bus.conf", atomically: true, encoding: .utf8)
    try start()
  }

  func start() throws {
    daemon = try Child(
      [Station.which("dbus-daemon") ?? "", "--config-file=\(folder)/bus.conf", "--nofork"],
      output: folder + "/log")
    Waiting.until("the bus listens") { access(folder + "/bus", F_OK) == 0 }
  }

  func stop() {
    daemon?.end(SIGKILL)
    unlink(folder + "/bus")
  }

  deinit {
    stop()
    try? FileManager.default.removeItem(atPath: folder)
  }
}
