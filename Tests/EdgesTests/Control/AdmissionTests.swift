// SPDX-License-Identifier: Apache-2.0

import ControlClient
import ControlProtocol
import Foundation
import Glibc
import ServiceContract
import Testing

@testable import Servers

@Suite("Who has a place")
struct AdmissionTests {
  /// Twelve places, of which three are for commands and at most four for gpsd's clients.
  private static var limits: ControlServer.Limits {
    var limits = ControlServer.Limits()
    (limits.clients, limits.gpsdClients) = (12, 4)
    return limits
  }

  /// All clients come at once, and none is known by a number.
  private static func enter(
    _ admission: inout Admission, _ peer: Admission.Peer
  ) -> Result<Admission.Place, Admission.Refusal> {
    admission.enter(peer, as: ClientID(0), at: 0, limits).map(\.place)
  }

  @Test("The last places are for processes that have no other connection")
  func lastPlaces() {
    var admission = Admission()
    for _ in 0..<9 { #expect(Self.enter(&admission, .process(1)) == .success(.ordinary)) }
    #expect(Self.enter(&admission, .process(1)) == .failure(.lastPlaces))
    #expect(Self.enter(&admission, .gpsdClient) == .failure(.lastPlaces))
    for pid in 2...4 as ClosedRange<Int32> {
      #expect(Self.enter(&admission, .process(pid)) == .success(.forCommands))
    }
    #expect(Self.enter(&admission, .process(5)) == .failure(.full))
    admission.leave(.process(2), ClientID(0))
    #expect(Self.enter(&admission, .process(3)) == .failure(.lastPlaces))
    #expect(Self.enter(&admission, .process(2)) == .success(.forCommands))
    for _ in 0..<4 { admission.leave(.process(1), ClientID(0)) }
    #expect(Self.enter(&admission, .process(1)) == .success(.ordinary))
  }

  @Test("Who says nothing on one of the last places gives it up when another needs it")
  func silence() {
    var admission = Admission()
    let second = 1_000_000_000 as UInt64
    func enter(_ pid: Int32, at seconds: UInt64) -> Result<Admission.Entry, Admission.Refusal> {
      admission.enter(
        .process(pid), as: ClientID(UInt64(pid)), at: seconds * second, Self.limits)
    }
    for _ in 0..<9 { _ = enter(1, at: 0) }
    for pid in 2...4 as ClosedRange<Int32> { _ = enter(pid, at: UInt64(pid)) }
    admission.spoke(ClientID(2))
    #expect(enter(5, at: 12) == .failure(.full), "3 has been silent for 9 s")
    #expect(enter(1, at: 13) == .failure(.full), "it has other connections")
    #expect(
      admission.enter(.gpsdClient, as: ClientID(9), at: 13 * second, Self.limits)
        == .failure(.full))
    #expect(
      enter(5, at: 13) == .success(Admission.Entry(place: .forCommands, silent: ClientID(3))))
    #expect(enter(6, at: 13) == .failure(.full), "4 has been silent for 9 s")
    #expect(
      enter(6, at: 14) == .success(Admission.Entry(place: .forCommands, silent: ClientID(4))))
    // 2 has spoken and keeps its place; 5 and 6 came 9 s ago.
    #expect(enter(7, at: 22) == .failure(.full))
    admission.leave(.process(2), ClientID(2))
    #expect(enter(7, at: 22) == .success(Admission.Entry(place: .forCommands)))
  }

  @Test("Ports for gpsd clients have a share, which nobody else needs to leave them")
  func gpsdClients() {
    var admission = Admission()
    for _ in 0..<4 { #expect(Self.enter(&admission, .gpsdClient) == .success(.ordinary)) }
    #expect(Self.enter(&admission, .gpsdClient) == .failure(.gpsdFull))
    #expect(Self.enter(&admission, .process(1)) == .success(.ordinary))
    admission.leave(.gpsdClient, ClientID(0))
    #expect(Self.enter(&admission, .gpsdClient) == .success(.ordinary))
  }

  @Test("Each refusal says how many there are and what to do")
  func words() {
    #expect(
      Admission.Refusal.full.words(Self.limits)
        == "12 clients are connected, and more are not served; close some")
    #expect(
      Admission.Refusal.gpsdFull.words(Self.limits)
        == "4 clients are connected to ports for gpsd clients, and more are not served; close some")
    #expect(
      Admission.Refusal.lastPlaces.words(Self.limits)
        == "9 clients are connected, and the 3 places that are left are for commands of processes that "
        + "have no other connection; close some")
    #expect(
      Admission.silentWords(Self.limits)
        == "nothing was said here for 10 s, and another command needs the place; connect again")
  }

  @Test(
    "Clients take at most half of the descriptors there are",
    arguments: [(1_024, 512, 128), (4_096, 2_048, 512), (1 << 30, 2_048, 512), (10, 8, 2)])
  func descriptors(count: Int, clients: Int, gpsdClients: Int) {
    let limits = ControlServer.Limits(descriptors: count)
    #expect((limits.clients, limits.gpsdClients) == (clients, gpsdClients))
    #expect(limits.forCommands == min(32, clients / 4))
  }
}

extension ConnectionTests {
  @Suite("More connections than there are places")
  struct CrowdTests {
    /// A server that answers STATUS with OK.
    private static func daemon(_ limits: ControlServer.Limits) async throws -> Daemon {
      let daemon = try Daemon(limits: limits) { server, event in
        if case .message(let id, .status, _) = event { server.send(.ok, to: id) }
      }
      try await daemon.server.listen(path: daemon.path)
      return daemon
    }

    /// The answer to another process that connects and sends that line.
    private static func ask(_ daemon: Daemon, _ line: String) throws -> String? {
      let python = "/usr/bin/python3"
      guard access(python, X_OK) == 0 else {
        print("skipped: no python3 (Tools/setup test)")
        return nil
      }
      let script =
        "import socket,sys;s=socket.socket(socket.AF_UNIX);s.settimeout(20);s.connect(sys.argv[1]);"
        + "s.sendall(sys.argv[2].encode());sys.stdout.write(s.makefile().readline())"
      return try Command.run(python, ["-c", script, daemon.path, line])
    }

    @Test("A program that comes two thousand times locks nobody out but itself")
    func greedy() async throws {
      var limits = ControlServer.Limits()
      limits.clients = 64
      let daemon = try await Self.daemon(limits)
      // 16 of 64 are for commands.
      var kept: [RawSocket] = []
      for _ in 0..<48 { kept.append(RawSocket(path: daemon.path)) }
      #expect(await daemon.waits { $0.count == 48 })
      for number in 0..<2_000 {
        let one = RawSocket(path: daemon.path)
        guard number % 200 == 0 else { continue }
        let words =
          "48 clients are connected, and the 16 places that are left are for commands of processes that "
          + "have no other connection; close some"
        #expect(
          try ServerMessage.decode(Array(one.line().utf8).span) == .error(code: .tooMany, words))
      }
      if let answer = try Self.ask(daemon, "?STATUS;\n") {
        #expect(answer == "{\"class\":\"OK\"}\n")
      }
      if let answer = try Self.ask(daemon, "?HELLO={\"app\":\"late\"};\n") {
        #expect(answer.contains("\"too_many\""))
      }
      #expect(!daemon.messages.contains { if case .hello = $0 { true } else { false } })
      withExtendedLifetime(kept) {}
      await daemon.stop()
    }

    /// Whether this process may have that many descriptors, from now on.
    private static func mayHave(descriptors count: rlim_t) -> Bool {
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      guard limit.rlim_max >= count else { return false }
      limit.rlim_cur = max(limit.rlim_cur, count)
      return setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
    }

    @Test(
      "Of ten thousand connections at once all that there are places for are served, and milepost is"
    )
    func tenThousand() async throws {
      let python = "/usr/bin/python3"
      guard access(python, X_OK) == 0, Self.mayHave(descriptors: 12_000) else {
        print(
          "skipped: no python3 (Tools/setup test), or fewer than 12,000 descriptors (ulimit -Hn)")
        return
      }
      let daemon = try await Self.daemon(ControlServer.Limits())
      // One process holds them all, and reports the number of refused ones; then another one, its child, gives a
      // command.
      let script = """
        import os, resource, select, socket, sys, time
        resource.setrlimit(resource.RLIMIT_NOFILE, (12000, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
        def connected():
            one = socket.socket(socket.AF_UNIX)
            one.connect(sys.argv[1])
            return one
        held = {}
        for _ in range(10000):
            one = connected()
            held[one.fileno()] = one
        poll = select.epoll()
        for number in held: poll.register(number, select.EPOLLIN)
        refused, end = 0, time.monotonic() + 120
        while refused < 10000 - 2016 and time.monotonic() < end:
            for number, _ in poll.poll(1):
                refused += b"too_many" in held[number].recv(4096)
                poll.unregister(number)
        print(refused, flush=True)
        if os.fork() == 0:
            one = connected()
            one.settimeout(60)
            one.sendall(b"?STATUS;\\n")
            print(one.makefile().readline(), end="", flush=True)
            os._exit(0)
        os.wait()
        """
      // 2,048 places, of which the last 32 are for commands of processes without another connection.
      #expect(
        try Command.run(python, ["-c", script, daemon.path]) == "7984\n{\"class\":\"OK\"}\n")
      await daemon.stop()
    }

    @Test("Processes that connect and hang lock nobody out of the last places")
    func hanging() async throws {
      let python = "/usr/bin/python3"
      guard access(python, X_OK) == 0 else {
        print("skipped: no python3 (Tools/setup test)")
        return
      }
      var limits = ControlServer.Limits()
      (limits.clients, limits.silence) = (8, 0)
      let daemon = try await Self.daemon(limits)
      var kept: [RawSocket] = []
      for _ in 0..<6 { kept.append(RawSocket(path: daemon.path)) }
      // Two of eight are for commands: two processes take them, and report their answers.
      let script =
        "import socket,sys;s=socket.socket(socket.AF_UNIX);s.settimeout(20);s.connect(sys.argv[1]);"
        + "sys.stdout.write(s.makefile().read())"
      let hanging = try (0..<2).map { _ in
        let process = Process()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = ["-c", script, daemon.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        return (process, output)
      }
      #expect(await daemon.waits { $0.count == 8 })
      for _ in 0..<2 {
        #expect(try Self.ask(daemon, "?STATUS;\n") == "{\"class\":\"OK\"}\n")
      }
      await daemon.server.stop()
      let heard = hanging.map { process, output in
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self)
      }
      #expect(heard.contains { $0.contains("another command needs the place") }, "\(heard)")
      withExtendedLifetime(kept) {}
      await daemon.stop()
    }

    @Test("Who is refused while he speaks is told why")
    func lastWords() async throws {
      var limits = ControlServer.Limits()
      limits.clients = 1
      let daemon = try await Self.daemon(limits)
      let first = try ControlClient(path: daemon.path)
      #expect(await daemon.waits { $0.count == 1 })
      let second = try ControlClient(path: daemon.path)
      let full = "1 clients are connected, and more are not served; close some"
      // Until it sees that the connection is closed; earlier messages wait to be read.
      let failure = #expect(throws: ControlClientError.self) {
        for _ in 0..<1_000 {
          try second.send(.status)
          poll(nil, 0, 5)
        }
      }
      #expect(failure?.message == "\(daemon.path): \(full)")
      withExtendedLifetime(first) {}
      await daemon.stop()
    }
  }
}
