// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

@testable import Sinks

/// Debian's mosquitto on a free loopback port, with a separate folder.
final class RealBroker {
  static let path: String? = ["/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }
  static let isThere =
    path != nil && FileManager.default.isExecutableFile(atPath: "/usr/bin/mosquitto_sub")
  static let missing: Comment =
    "mosquitto or its clients are not installed here; see Tools/setup test"
  /// The path of authorities and certificates, below the folder.
  static let anonymous = ["allow_anonymous true"]

  let port: Int
  let folder: String
  private let lines: [String]
  private var process: Process?

  /// Starts it with these lines of mosquitto.conf(5) beside the listener; `FOLDER` stands for its folder in them.
  /// `files` are written into it before.
  init(_ lines: [String] = RealBroker.anonymous, files: [String: String] = [:]) throws {
    port = Loopback.freePort()
    folder = FileManager.default.temporaryDirectory.path + "/broker-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, text) in files {
      try text.write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
    }
    self.lines = lines
    if lines.contains(where: { $0.hasPrefix("certfile") }) { try Certificates.make(in: folder) }
    try start()
  }

  deinit {
    stop()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Starts it again on the same port.
  func start() throws {
    let all =
      // Messages of quality 0 wait for a subscriber too.
      ["listener \(port) 127.0.0.1", "queue_qos0_messages true"]
      + (geteuid() == 0 ? ["user root"] : [])
      + lines.map { $0.replacing("FOLDER", with: folder) }
    let file = folder + "/mosquitto.conf"
    try (all.joined(separator: "\n") + "\n").write(toFile: file, atomically: false, encoding: .utf8)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.path ?? "")
    process.arguments = ["-c", file, "-v"]
    process.standardOutput = FileHandle.nullDevice
    _ = FileManager.default.createFile(atPath: folder + "/log", contents: nil)
    process.standardError = FileHandle(forWritingAtPath: folder + "/log")
    try begin(process)
    self.process = process
    for _ in 0..<500 where process.isRunning {
      if let probe = Loopback.connected(to: port) {
        close(probe)
        return
      }
      poll(nil, 0, 10)
    }
    throw CocoaError(.executableNotLoadable)
  }

  /// Ends it in an orderly way, so that it saves its data.
  func stop() {
    guard let process else { return }
    self.process = nil
    process.terminate()
    process.waitUntilExit()
  }

  /// Freezes or thaws it: a frozen one accepts connections and answers nothing.
  func freeze(_ isFrozen: Bool) {
    guard let process else { return }
    kill(process.processIdentifier, isFrozen ? SIGSTOP : SIGCONT)
  }

  /// Its log so far.
  var log: String { (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? "" }

  var way: MQTTWay { MQTTWay(host: "127.0.0.1", port: port, clientID: "milepost0123456789abcde") }

  /// A subscriber that receives all messages published from now on.
  func subscriber(_ topic: String = "#", arguments: [String] = []) throws -> Subscriber {
    try Subscriber(port, topic, arguments)
  }

  /// Publishes one message as another client (mosquitto_pub).
  func publish(_ topic: String, _ text: String, arguments: [String] = []) throws {
    _ = try run(
      "/usr/bin/mosquitto_pub",
      ["-h", "127.0.0.1", "-p", String(port), "-q", "1", "-t", topic, "-m", text] + arguments)
  }

  /// The broker's retained messages under these topics: lines `topic payload`. A last one, `end/`, follows, so that an
  /// absent message is known without waiting.
  func retained(_ topics: String...) throws -> [String] {
    let end = UUID().uuidString
    try publish("end/\(end)", end, arguments: ["-r"])
    return try heard(
      ["-h", "127.0.0.1", "-p", String(port), "-F", "%t %p", "--retained-only"]
        + (topics + ["end/\(end)"]).flatMap { ["-t", $0] }, upTo: end)
  }
}

/// mosquitto_sub with a session that the broker keeps: messages are taken later, and none is missed. It takes once: the
/// program ends at the last one without an acknowledgement, and would receive that one again.
struct Subscriber {
  private let port: Int
  private let topic: String
  private let arguments: [String]

  fileprivate init(_ port: Int, _ topic: String, _ more: [String]) throws {
    self.port = port
    self.topic = topic
    arguments =
      [
        "-h", "127.0.0.1", "-p", String(port), "-c", "-i", "ear-\(UUID().uuidString.prefix(8))",
        "-q", "1", "-t", topic,
      ] + more
    _ = try run("/usr/bin/mosquitto_sub", arguments + ["-E"])
  }

  /// The next `count` messages as `form` (mosquitto_sub(1), output format), one a line; fewer if fewer come within 20
  /// s.
  func take(_ count: Int, form: String = "%t %q %r %p") throws -> [String] {
    try run(
      "/usr/bin/mosquitto_sub", arguments + ["-R", "-C", String(count), "-W", "20", "-F", form]
    ).split(separator: "\n").map(String.init)
  }

  /// All messages until now; the topic must end in `#`.
  func takeAll(form: String = "%t %q %r %p") throws -> [String] {
    let end = UUID().uuidString
    let server = ["-h", "127.0.0.1", "-p", String(port)]
    try run(
      "/usr/bin/mosquitto_pub", server + ["-q", "1", "-t", topic.dropLast() + "end", "-m", end])
    return try heard(arguments + ["-R", "-F", form], upTo: end)
  }
}

struct NothingHeard: Error {
  let lines: [String]
}

/// The output of mosquitto_sub up to the line that holds `end`; throws if that does not come within 20 s.
private func heard(_ arguments: [String], upTo end: String) throws -> [String] {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/mosquitto_sub")
  process.arguments = arguments + ["-W", "20"]
  let output = Pipe()
  process.standardOutput = output
  process.standardError = FileHandle.nullDevice
  try begin(process)
  defer {
    // Its handler of SIGTERM takes the lock of its connection, and would wait for ever for a thread that it interrupts.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
  var bytes = Data()
  while true {
    let more = output.fileHandleForReading.availableData
    bytes += more
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    if let place = lines.firstIndex(where: { $0.contains(end) }) { return Array(lines[..<place]) }
    if more.isEmpty { throw NothingHeard(lines: lines) }
  }
}

/// Starts a process that receives signals: threads of the pool block them, and a child inherits that.
private func begin(_ process: Process) throws {
  var (none, before) = (sigset_t(), sigset_t())
  sigemptyset(&none)
  pthread_sigmask(SIG_SETMASK, &none, &before)
  defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
  try process.run()
}

/// Runs a program to its end and returns its output.
@discardableResult
func run(_ path: String, _ arguments: [String]) throws -> String {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: path)
  process.arguments = arguments
  let output = Pipe()
  process.standardOutput = output
  process.standardError = FileHandle.nullDevice
  try begin(process)
  let bytes = output.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return String(decoding: bytes, as: UTF8.self)
}

enum Loopback {
  /// A socket that listens on a free port of 127.0.0.1.
  static func listening() -> (descriptor: Int32, port: Int) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = bind(descriptor, $0, length)
        _ = listen(descriptor, 16)
        _ = getsockname(descriptor, $0, &length)
      }
    }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }

  static func freePort() -> Int {
    let (descriptor, port) = listening()
    close(descriptor)
    return port
  }

  static func connected(to port: Int) -> Int32? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = UInt16(port).bigEndian
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else {
      close(descriptor)
      return nil
    }
    return descriptor
  }
}

/// A private authority, and its certificates: `ca.pem`, `server.pem` and `server.key` for localhost and 127.0.0.1,
/// `client.pem` and `client.key` for a client; `other.pem` is an authority that signed none of these and has its key in
/// `other.key`.
enum Certificates {
  static func make(in folder: String) throws {
    let key = ["-newkey", "rsa:2048", "-nodes", "-days", "2", "-batch"]
    for name in ["ca", "other"] {
      try run(
        "/usr/bin/openssl",
        ["req", "-x509", "-subj", "/CN=\(name)", "-out", "\(folder)/\(name).pem"] + key
          + ["-keyout", "\(folder)/\(name).key"])
    }
    try run(
      "/usr/bin/openssl",
      [
        "req", "-subj", "/CN=localhost", "-addext",
        "subjectAltName=DNS:localhost,IP:127.0.0.1", "-out", "\(folder)/server.csr",
        "-keyout", "\(folder)/server.key", "-newkey", "rsa:2048", "-nodes", "-batch",
      ])
    try run(
      "/usr/bin/openssl",
      [
        "req", "-subj", "/CN=van", "-out", "\(folder)/client.csr", "-keyout",
        "\(folder)/client.key", "-newkey", "rsa:2048", "-nodes", "-batch",
      ])
    try run(
      "/usr/bin/openssl",
      [
        "x509", "-req", "-in", "\(folder)/client.csr", "-CA", "\(folder)/ca.pem", "-CAkey",
        "\(folder)/ca.key", "-CAcreateserial", "-days", "2", "-out", "\(folder)/client.pem",
      ])
    for key in ["client", "other"] { chmod("\(folder)/\(key).key", 0o600) }
    try run(
      "/usr/bin/openssl",
      [
        "x509", "-req", "-in", "\(folder)/server.csr", "-CA", "\(folder)/ca.pem", "-CAkey",
        "\(folder)/ca.key", "-CAcreateserial", "-days", "2", "-copy_extensions", "copy", "-out",
        "\(folder)/server.pem",
      ])
  }
}
