// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

/// The environment of one test: a feed, a real gpsd on it, a daemon, and the programs to talk to it.
final class Station {
  let folder: String
  let feed: Feed
  let gpsdPort: UInt16
  private(set) var gpsd: Child?
  private(set) var daemon: Child?
  /// Lines of the daemon's configuration besides those that every test needs.
  let settings: String

  static let programs =
    ProcessInfo.processInfo.environment["MILEPOST_PROGRAMS"]
    ?? URL(
      fileURLWithPath: (try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/self/exe")) ?? ""
    ).deletingLastPathComponent().path
  static let apps = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Apps").path

  /// The reason why no live test can run here; `nil` if they can.
  static var obstacle: String? {
    for program in ["gpsd", "python3"] where which(program) == nil {
      return "\(program) is not installed (Tools/setup test does it)"
    }
    return nil
  }

  /// With `gpsdPort` the daemon uses another station's gpsd.
  init(settings: String = "", gpsdPort: UInt16? = nil) throws {
    // A Unix socket's path may have 107 bytes.
    var template = Array("\(NSTemporaryDirectory())mp-XXXXXX".utf8CString)
    // Without symbolic links, as the kernel names it.
    guard mkdtemp(&template) != nil, let made = realpath(template, nil) else {
      throw Child.CannotStart(program: "mkdtemp", code: errno)
    }
    defer { free(made) }
    folder = String(cString: made)
    self.settings = settings
    feed = try Feed()
    self.gpsdPort = try gpsdPort ?? Feed.freePort()
  }

  deinit {
    daemon?.end(SIGTERM)
    gpsd?.end(SIGKILL)
    feed.close()
    // The remains of a failed test.
    for pid in keepers() { kill(pid, SIGKILL) }
    try? FileManager.default.removeItem(atPath: folder)
  }

  // MARK: Programs

  /// Starts it on the station's feed, or on another `port`; with `-n` its receiver is on at once and for good.
  func startGPSD(on port: UInt16? = nil, _ more: [String] = []) throws {
    gpsd = try Child(
      [Self.which("gpsd") ?? "gpsd", "-N", "-S", String(gpsdPort)] + more
        + ["tcp://127.0.0.1:\(port ?? feed.port)"],
      output: path("gpsd.log"))
  }

  func killGPSD() {
    gpsd?.end(SIGKILL)
    gpsd = nil
  }

  /// `program` is one that then becomes the daemon.
  func startDaemon(
    _ more: [String] = [], environment: [String: String] = [:], under program: [String] = []
  ) throws {
    try configuration.write(
      toFile: path("milepostd.yaml"), atomically: true, encoding: .utf8)
    daemon = try Child(
      program + [
        Self.programs + "/milepostd", "serve", "--config", path("milepostd.yaml"), "--state",
        path("state"), "--runtime", path("run"), "--socket", socket, "--log-level", "info",
      ] + more, environment: environment, output: path("daemon.log"))
    Waiting.until("the daemon answers; it said:\n\(daemonLog.suffix(2_000))") {
      (try? milepost(["status"]).code) == 0
    }
  }

  /// The content of the daemon's configuration file.
  var configuration: String {
    """
    gpsd_host: 127.0.0.1
    gpsd_port: \(gpsdPort)
    modem: off
    memory_pressure: false

    \(settings)
    """
  }

  func killDaemon() {
    daemon?.end(SIGKILL)
    daemon = nil
  }

  func stopDaemon() {
    daemon?.end(SIGTERM)
    daemon = nil
  }

  var daemonPID: pid_t? { daemon?.pid }
  var daemonLog: String { text("daemon.log") }

  struct Answer {
    let text: String
    let code: Int32
  }

  /// Runs `milepost` with a time limit.
  @discardableResult
  func milepost(
    _ arguments: [String], environment: [String: String] = [:], limit: Double = 20
  ) throws -> Answer {
    let output = path("out-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(atPath: output) }
    let child = try Child(
      [Self.programs + "/milepost"] + arguments,
      environment: environment.merging(["MILEPOST_SOCKET": socket]) { $1 }, output: output)
    let end = Waiting.now + limit
    while child.isRunning, Waiting.now < end { Waiting.pass(0.005) }
    let status = child.status ?? -1
    let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
    return Answer(text: text, code: status & 0x7F == 0 ? (status >> 8) & 0xFF : -1)
  }

  /// The document that `milepost … --json` prints.
  func document(_ arguments: [String]) throws -> [String: Any] {
    let answer = try milepost(arguments + ["--json"])
    #expect(answer.code == 0, "\(arguments): \(answer.text)")
    return try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any] ?? [:]
  }

  /// Registers a listener; its account is `NAME.account`.
  func addListener(
    _ name: String, _ lines: String, service: String? = nil, habits: [String] = []
  ) throws {
    let words = habits.isEmpty ? [service].compactMap(\.self) : [service ?? ""] + habits
    let arguments = [path("\(name).account")] + words
    // By its path: the daemon's PATH is shorter than that of `which`.
    let python = Self.which("python3") ?? "python3"
    let list = ([python, Self.apps + "/listener.py"] + arguments).map { "\"\($0)\"" }
    try add(name, "kind: connected\ncommand: [\(list.joined(separator: ", "))]\n" + lines)
  }

  /// Registers an app.
  func add(_ name: String, _ lines: String) throws {
    let manifest = path("\(name).yaml")
    try "name: \(name)\n\(lines)\n".write(toFile: manifest, atomically: true, encoding: .utf8)
    let answer = try milepost(["apps", "add", manifest])
    #expect(answer.code == 0, "\(answer.text)")
  }

  // MARK: What apps wrote

  /// The entries of a listener's account.
  func account(_ name: String) -> [[String: Any]] {
    text("\(name).account").split(separator: "\n").compactMap {
      try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
  }

  /// Its received messages of one class.
  func told(_ name: String, _ kind: String) -> [[String: Any]] {
    account(name).compactMap { $0["told"] as? [String: Any] }.filter {
      $0["class"] as? String == kind
    }
  }

  /// Its last process.
  func pid(_ name: String) -> Int32? {
    account(name).last { $0["begun"] != nil }?["begun"] as? Int32
  }

  /// The state of an app according to the daemon.
  func state(_ name: String) throws -> String? {
    try document(["apps", "show", name])["state"] as? String
  }

  // MARK: Files

  var socket: String { path("run/socket") }

  func path(_ name: String) -> String { folder + "/" + name }

  func text(_ name: String) -> String {
    (try? String(contentsOfFile: path(name), encoding: .utf8)) ?? ""
  }

  /// Keepers of this station that still run.
  func keepers() -> [Int32] {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.compactMap { Int32($0) }.filter { pid in
      let words = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline") ?? Data()
      let text = String(decoding: words, as: UTF8.self)
      return text.contains("milepost-keeper") && text.contains(folder)
    }
  }

  static func which(_ program: String) -> String? {
    ["/usr/sbin", "/usr/bin", "/sbin", "/bin", "/usr/local/bin"].map { $0 + "/" + program }
      .first { access($0, X_OK) == 0 }
  }
}
