// SPDX-License-Identifier: Apache-2.0

import CDBus
import Foundation
import Glibc
import Host
import ServiceContract
import Synchronization
import Testing

@testable import MessageBus

@Suite("Watching whether there is a network")
struct NetworkWatchTests {
  /// A separate network for one thread: `unshare(2)`, then `ip`. The thread is never returned.
  private enum Namespace {
    static let isPossible =
      geteuid() == 0 && access("/usr/sbin/ip", X_OK) == 0
      && (try? run("/usr/bin/unshare", ["-n", "/usr/sbin/ip", "link", "set", "lo", "up"])) == 0
    static let missing: Comment =
      "a network of one's own needs root and iproute2 here; this test is skipped"

    /// Runs `body` on a thread in a new network namespace.
    static func with(_ body: @escaping @Sendable () -> Void) async {
      await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
        let thread = Thread {
          // CLONE_NEWNET (unshare(2)): children of this thread are born into it too. Swift's module of the C
          // library does not show the call.
          typealias Call = @convention(c) (Int32) -> Int32
          let unshare = dlsym(nil, "unshare").map { unsafeBitCast($0, to: Call.self) }
          if unshare?(0x4000_0000) == 0 { body() } else { Issue.record("unshare: \(errno)") }
          done.resume()
        }
        thread.start()
      }
    }

    @discardableResult
    static func run(_ path: String, _ arguments: [String]) throws -> Int32 {
      // posix_spawn(3) forks on this thread, and so into its namespace; Foundation's Process might not.
      var words = ([path] + arguments).map { strdup($0) } + [nil]
      defer { for word in words { free(word) } }
      var child = pid_t()
      guard posix_spawn(&child, path, nil, nil, &words, environ) == 0 else { return -1 }
      var status: Int32 = 0
      waitpid(child, &status, 0)
      return status
    }

    static func ip(_ line: String) {
      let code = try? run("/usr/sbin/ip", line.split(separator: " ").map(String.init))
      #expect(code == 0, "ip \(line)")
    }
  }

  private final class Heard: Sendable {
    private let entries = Mutex<[MachineEvent]>([])
    let bell = DispatchSemaphore(value: 0)
    var take: @Sendable (MachineEvent) -> Void {
      { event in
        self.entries.withLock { $0.append(event) }
        self.bell.signal()
      }
    }
    var events: [MachineEvent] { entries.withLock { $0 } }
    /// Waits for so many more, 5 s each at most.
    func next(_ count: Int) { for _ in 0..<count { _ = next() } }
    /// Waits for one more event, 5 s at most.
    func next() -> MachineEvent? {
      guard bell.wait(timeout: .now() + 5) == .success else { return nil }
      return events.last
    }
  }

  private static func network(_ isUp: Bool) -> MachineEvent {
    .network(NetworkReading(isUp: isUp, isMetered: nil))
  }

  @Test(
    "A default route that comes, goes, or goes with its link is told; another route is not",
    .enabled(if: Namespace.isPossible, Namespace.missing))
  func routes() async throws {
    let heard = Heard()
    let watch = NetworkWatch(bus: "unix:path=/nonexistent", sink: heard.take)
    await Namespace.with {
      watch.start()
      #expect(heard.next() == Self.network(false), "a new namespace has no route")
      Namespace.ip("link set lo up")
      Namespace.ip("link add wan type veth peer name far")
      Namespace.ip("link set far up")
      Namespace.ip("link set wan up")
      Namespace.ip("address add 192.0.2.2/24 dev wan")
      Namespace.ip("route add default via 192.0.2.1")
      #expect(heard.next() == Self.network(true))
      Namespace.ip("route add 198.51.100.0/24 via 192.0.2.1")
      Namespace.ip("route add blackhole 203.0.113.0/24")
      Namespace.ip("route del default")
      #expect(heard.next() == Self.network(false))
      Namespace.ip("route add blackhole default")
      Namespace.ip("route add default dev wan metric 7")
      #expect(heard.next() == Self.network(true))
      Namespace.ip("link set wan down")
      #expect(heard.next() == Self.network(false))
    }
    await watch.close()
    #expect(heard.events.count == 5, "\(heard.events)")
  }

  @Test(
    "A default route of IPv6 alone is a network too",
    .enabled(
      if: Namespace.isPossible && access("/proc/net/if_inet6", F_OK) == 0, Namespace.missing))
  func version6() async throws {
    let heard = Heard()
    let watch = NetworkWatch(bus: "unix:path=/nonexistent", sink: heard.take)
    await Namespace.with {
      watch.start()
      #expect(heard.next() == Self.network(false))
      Namespace.ip("link add wan type veth peer name far")
      Namespace.ip("link set far up")
      Namespace.ip("link set wan up")
      Namespace.ip("-6 route add default dev wan")
      #expect(heard.next() == Self.network(true))
    }
    await watch.close()
  }

  @Test("A watch that was not started, or is closed, tells nothing")
  func closed() async {
    let heard = Heard()
    let watch = NetworkWatch(bus: "unix:path=/nonexistent", sink: heard.take)
    await watch.close()
    #expect(heard.events.isEmpty)
    let other = NetworkWatch(bus: "unix:path=/nonexistent", sink: heard.take)
    other.start()
    #expect(heard.next() != nil)
    await other.close()
    #expect(heard.events.count == 1)
  }

  @Test("A bus that does not answer is waited for 2 s, and not at all by who is to end")
  func silentBus() throws {
    let path = FileManager.default.temporaryDirectory.path + "/mute-\(UUID().uuidString.prefix(8))"
    // It accepts no client: connections wait in its queue, and never get an answer.
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer {
      close(listener)
      unlink(path)
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0 && listen(listener, 8) == 0)
    let begin = BlockingThread.now
    #expect(ConnectionQuestion.answer("unix:path=\(path)") == nil)
    let patient = BlockingThread.now - begin
    #expect((1.9...10).contains(patient), "libdbus' own patience is 25 s: \(patient)")
    let bell = Bell()
    bell.ring()
    #expect(ConnectionQuestion.answer("unix:path=\(path)", until: bell.entry) == nil)
    #expect(BlockingThread.now - begin - patient < 1.5, "the bus is not asked any more")
  }

  /// NMMetered: 0 unknown, 1 yes, 2 no, 3 yes (a guess), 4 no (a guess).
  @Test("NetworkManager's numbers")
  func numbers() {
    #expect(
      (0...5).map { ConnectionQuestion.isMetered($0) } == [nil, true, false, true, false, nil])
  }

  @Test("Who has no bus, or a bus without NetworkManager, does not know what it costs")
  func noBus() throws {
    #expect(ConnectionQuestion.answer("unix:path=/nonexistent") == nil)
    #expect(ConnectionQuestion.answer("nonsense") == nil)
  }

  @Test(
    "What NetworkManager answers is what is told",
    .enabled(if: StandInNetworkService.isPossible, StandInNetworkService.missing),
    arguments: [(1, true), (4, false), (0, nil)] as [(UInt32, Bool?)])
  func metered(number: UInt32, isMetered: Bool?) throws {
    let stand = try StandInNetworkService(metered: number)
    defer { stand.stop() }
    #expect(ConnectionQuestion.answer(stand.address) == .init(isMetered: isMetered))
    stand.connection.wifi = "Home"
    #expect(ConnectionQuestion.answer(stand.address) == .init(isMetered: isMetered, wifi: "Home"))
  }

  @Test(
    "A Wi-Fi network that is left is told, also if NetworkManager says so only after the route has gone",
    .enabled(
      if: Namespace.isPossible && StandInNetworkService.isPossible, Namespace.missing))
  func wifi() async throws {
    let stand = try StandInNetworkService(metered: 0)
    let connection = stand.connection
    connection.wifi = "Home"
    let heard = Heard()
    let watch = NetworkWatch(bus: stand.address, sink: heard.take)
    await Namespace.with {
      Namespace.ip("link set lo up")
      Namespace.ip("link add wan type veth peer name far")
      Namespace.ip("link set far up")
      Namespace.ip("link set wan up")
      Namespace.ip("address add 192.0.2.2/24 dev wan")
      Namespace.ip("route add default via 192.0.2.1")
      watch.start()
      heard.next(2)
      Namespace.ip("route del default")
      heard.next(1)
      connection.wifi = nil
      heard.next(1)
      connection.wifi = "Work"
      Namespace.ip("route add default via 192.0.2.1")
      heard.next(2)
    }
    await watch.close()
    stand.stop()
    #expect(
      heard.events == [
        Self.network(true), .wifi("Home"), Self.network(false), .wifi(nil), Self.network(true),
        .wifi("Work"),
      ])
  }
}

/// A private bus with an owner of NetworkManager's name, which knows one connection.
final class StandInNetworkService {
  static let isPossible =
    access("/usr/bin/dbus-daemon", X_OK) == 0 && getpwuid(getuid()) != nil
  static let missing: Comment = "dbus-daemon is not installed here; this test is skipped"

  let address: String
  private let folder: String
  private let daemon = Process()
  private let finished = DispatchSemaphore(value: 0)
  let connection = Connection()

  /// What it knows, which a test may change.
  final class Connection: Sendable {
    fileprivate let isOver = Mutex(false)
    fileprivate let name = Mutex(String?.none)

    /// The Wi-Fi network; `nil` for a connection of another kind.
    var wifi: String? {
      get { name.withLock { $0 } }
      set { name.withLock { $0 = newValue } }
    }
  }

  init(metered: UInt32) throws {
    folder = FileManager.default.temporaryDirectory.path + "/bus-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    address = "unix:path=\(folder)/bus"
    let configuration = """
      <busconfig><type>milepost</type><listen>\(address)</listen><auth>EXTERNAL</auth>
      <policy context="default"><allow send_destination="*" eavesdrop="true"/>
      <allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
      """
    try configuration.write(toFile: folder + "/conf", atomically: false, encoding: .utf8)
    daemon.executableURL = URL(fileURLWithPath: "/usr/bin/dbus-daemon")
    daemon.arguments = ["--config-file=\(folder)/conf", "--nofork", "--print-address"]
    let output = Pipe()
    daemon.standardOutput = output
    daemon.standardError = FileHandle.nullDevice
    try daemon.run()
    _ = output.fileHandleForReading.availableData
    let ready = DispatchSemaphore(value: 0)
    let (address, connection, finished) = (address, connection, finished)
    let thread = Thread {
      Self.serve(address, metered, ready, connection)
      finished.signal()
    }
    thread.start()
    ready.wait()
  }

  func stop() {
    connection.isOver.withLock { $0 = true }
    finished.wait()
    kill(daemon.processIdentifier, SIGKILL)
    daemon.waitUntilExit()
    try? FileManager.default.removeItem(atPath: folder)
  }

  private static func serve(
    _ address: String, _ number: UInt32, _ ready: DispatchSemaphore,
    _ connection: Connection
  ) {
    guard let bus = dbus_connection_open_private(address, nil) else {
      Issue.record("no bus")
      ready.signal()
      return
    }
    dbus_connection_set_exit_on_disconnect(bus, 0)
    dbus_bus_register(bus, nil)
    dbus_bus_request_name(bus, "org.freedesktop.NetworkManager", 0, nil)
    ready.signal()
    while !connection.isOver.withLock({ $0 }) {
      dbus_connection_read_write(bus, 20)
      while let message = dbus_connection_pop_message(bus) {
        if let answer = dbus_message_new_method_return(message),
          dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_METHOD_CALL
        {
          let asked = property(of: message)
          let wifi = connection.wifi
          switch asked {
          case "PrimaryConnectionType":
            append(text: wifi == nil ? "802-3-ethernet" : "802-11-wireless", "s", to: answer)
          case "PrimaryConnection":
            append(text: "/org/freedesktop/NetworkManager/ActiveConnection/7", "o", to: answer)
          case "Id": append(text: wifi ?? "", "s", to: answer)
          default: append(number: number, to: answer)
          }
          dbus_connection_send(bus, answer, nil)
          dbus_message_unref(answer)
        }
        dbus_message_unref(message)
      }
    }
    dbus_connection_close(bus)
    dbus_connection_unref(bus)
  }

  /// The property that a call of `Get` asks for, its second argument.
  private static func property(of call: OpaquePointer) -> String {
    var iterator = DBusMessageIter()
    dbus_message_iter_init(call, &iterator)
    dbus_message_iter_next(&iterator)
    guard dbus_message_iter_get_arg_type(&iterator) == Int32(UInt8(ascii: "s")) else { return "" }
    var text: UnsafePointer<CChar>?
    dbus_message_iter_get_basic(&iterator, &text)
    return text.map { String(cString: $0) } ?? ""
  }

  private static func append(number: UInt32, to answer: OpaquePointer) {
    var value = number
    append("u", to: answer) {
      dbus_message_iter_append_basic(&$0, Int32(UInt8(ascii: "u")), &value)
    }
  }

  private static func append(text: String, _ kind: String, to answer: OpaquePointer) {
    text.withCString { text in
      var text: UnsafePointer<CChar>? = text
      append(kind, to: answer) {
        dbus_message_iter_append_basic(&$0, Int32(kind.utf8.first ?? 0), &text)
      }
    }
  }

  /// Appends a variant of this type.
  private static func append(
    _ kind: String, to answer: OpaquePointer, _ content: (inout DBusMessageIter) -> UInt32
  ) {
    var (outer, inner) = (DBusMessageIter(), DBusMessageIter())
    dbus_message_iter_init_append(answer, &outer)
    dbus_message_iter_open_container(&outer, Int32(UInt8(ascii: "v")), kind, &inner)
    _ = content(&inner)
    dbus_message_iter_close_container(&outer, &inner)
  }
}
