// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Host
import Testing

// The environment belongs to the whole process, hence one after the other.
@Suite("What systemd says and hears", .serialized)
struct SystemdTests {
  /// A datagram socket as systemd binds one.
  final class Listener {
    let descriptor = socket(
      AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)

    init(_ name: [UInt8]) throws {
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
      let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
      let isBound = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 }
      }
      try #require(isBound, "\(String(cString: strerror(errno)))")
    }

    deinit { close(descriptor) }

    /// The waiting datagram; `nil` if there is none.
    func datagram() -> String? {
      var buffer = [UInt8](repeating: 0, count: 512)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
    }
  }

  @Test("The state goes to a socket in the file system")
  func path() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent(UUID().uuidString.prefix(8).description)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("notify").path
    let listener = try Listener(Array(path.utf8))
    #expect(Systemd.send(state: "READY=1\nSTATUS=3 apps", to: path) == nil)
    #expect(listener.datagram() == "READY=1\nSTATUS=3 apps")
    #expect(listener.datagram() == nil)
  }

  @Test("And to one in the abstract namespace, whose name has no zeros behind it")
  func abstract() throws {
    let name = "milepost-\(UUID().uuidString)"
    let listener = try Listener([0] + Array(name.utf8))
    #expect(Systemd.send(state: "STOPPING=1", to: "@" + name) == nil)
    #expect(listener.datagram() == "STOPPING=1")
  }

  @Test("A wrong socket is said and stops nobody")
  func wrong() {
    for address in ["relative", "/", "@", "/" + String(repeating: "x", count: 107)] {
      #expect(Systemd.send(state: "READY=1", to: address) == .address(address))
    }
    let absent = "@milepost-\(UUID().uuidString)"
    #expect(Systemd.send(state: "READY=1", to: absent) == .system(ECONNREFUSED, address: absent))
  }

  @Test("Descriptors are those of this process, from 3 on, with their names")
  func descriptors() {
    let found = { (pid: String?, count: String?, names: String?) in
      Systemd.listenDescriptors(pid: pid, count: count, names: names, ownPID: 42)
    }
    #expect(
      found("42", "2", "control:http").map { [$0.name, "\($0.descriptor)"] }
        == [["control", "3"], ["http", "4"]])
    #expect(found("42", "1", nil).map(\.name) == [nil])
    #expect(found("42", "2", "control").map(\.name) == [nil, nil])
    let wrong: [(String?, String?)] = [
      ("41", "1"), (nil, "1"), ("42", nil), ("42", "0"), ("42", "-1"), ("42", "many"), ("", ""),
      ("42", "99999999999"),
    ]
    for (pid, count) in wrong { #expect(found(pid, count, nil).isEmpty) }
  }

  /// The environment belongs to the whole process, and other tests read it; so this one has a separate process.
  @Test(
    "The environment says where to; descriptors are handed out once, and no child takes them for its own"
  )
  func environment() async {
    await #expect(processExitsWith: .success) {
      unsetenv("NOTIFY_SOCKET")
      #expect(Systemd.send(state: "READY=1") == nil)
      setenv("NOTIFY_SOCKET", "relative", 1)
      #expect(Systemd.send(state: "READY=1") == .address("relative"))
      setenv("LISTEN_PID", "\(getpid() + 1)", 1)
      setenv("LISTEN_FDS", "1", 1)
      setenv("LISTEN_FDNAMES", "control", 1)
      #expect(Systemd.listenDescriptors().isEmpty)
      for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { #expect(getenv(name) == nil) }
      unsetenv("JOURNAL_STREAM")
      #expect(!Systemd.isJournalOnStderr)
      var status = stat()
      fstat(STDERR_FILENO, &status)
      setenv("JOURNAL_STREAM", "\(status.st_dev):\(status.st_ino)", 1)
      #expect(Systemd.isJournalOnStderr)
    }
  }

  // sd-daemon(3): SD_EMERG "<0>" to SD_DEBUG "<7>".
  @Test("Log lines begin as sd-daemon(3) has it")
  func prefixes() {
    #expect(Systemd.journaldPrefix(.emergency) == "<0>")
    #expect(Systemd.journaldPrefix(.error) == "<3>")
    #expect(Systemd.journaldPrefix(.info) == "<6>")
    #expect(Systemd.journaldPrefix(.debug) == "<7>")
  }

  @Test("stderr is the journal's where device and inode agree")
  func journal() {
    #expect(Systemd.isJournal("8:12345", device: 8, inode: 12_345))
    for stream in ["8:12346", "9:12345", "8", "", "8:12345:1", "a:b", nil] {
      #expect(!Systemd.isJournal(stream, device: 8, inode: 12_345))
    }
  }
}
