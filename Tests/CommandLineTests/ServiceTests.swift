// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Foundation
import Geodesy
import Glibc
import Host
import LocationModel
import ServiceContract
import Synchronization
import Testing

@testable import ServiceCore

@Suite("Commands that speak to the service")
struct ServiceTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test(
    "Without a daemon each says where it looked and what to do",
    arguments: [
      ["status"], ["explain", "walker"], ["apps"], ["apps", "list"], ["apps", "show", "walker"],
      ["apps", "authorize", "walker", "always"], ["apps", "remove", "walker"],
      ["apps", "log", "walker"], ["apps", "log"], ["apps", "launch", "walker"],
      ["apps", "release", "walker"],
    ])
  func nobodyThere(command: [String]) throws {
    let path = scratch.path("socket")
    let answer = try Program.run(command + ["--socket", path])
    #expect(answer.code == 2)
    #expect(answer.output.isEmpty)
    #expect(
      answer.errors
        == "milepost: error: \(path): no milepostd listens here; start it (milepostd), or say where it "
        + "listens with --socket or MILEPOST_SOCKET\n")
  }

  private static let row = AppRow(
    name: "walker", kind: .connected, state: .suspended, services: [.significant],
    authorization: .always, pending: 2,
    lastDelivery: UTCInstant(microseconds: 1_777_878_489_500_000), held: nil)

  @Test("A list is a table, or the daemon's own JSON")
  func list() throws {
    let document = AppsDocument(apps: [Self.row])
    let daemon = try ScriptedDaemon(at: scratch.path("s1"), answers: [document.message])
    let answer = try Program.run(["apps", "--socket", daemon.path])
    #expect(answer.code == 0, "\(answer.errors)")
    #expect(
      answer.output == """
        app          kind      state     services  authorization  pending             last delivery
        walker  connected  suspended  significant         always        2  2026-05-04T07:08:09.500Z

        """)
    #expect(daemon.heard == [.apps])
    var places = Self.row
    (places.services, places.regions, places.visits) = ([], 1, true)
    let third = try ScriptedDaemon(
      at: scratch.path("s3"), answers: [AppsDocument(apps: [places]).message])
    #expect(
      try Program.run(["apps", "--socket", third.path]).output == """
        app          kind      state          services  authorization  pending             last delivery
        walker  connected  suspended  1 region, visits         always        2  2026-05-04T07:08:09.500Z

        """)
    let second = try ScriptedDaemon(at: scratch.path("s2"), answers: [document.message])
    #expect(
      try Program.run(["apps", "list", "--json", "--socket", second.path]).output
        == document.json + "\n")
  }

  @Test("Several apps are removed at once; one that is not there keeps none of the others")
  func removesSeveral() throws {
    let missing = ServerMessage.error(code: .unknownApp, "there is no app 'b'; there are a, c")
    let daemon = try ScriptedDaemon(at: scratch.path("r"), answers: [.ok, missing, .ok])
    let answer = try Program.run(["apps", "remove", "a", "b", "c", "--socket", daemon.path])
    #expect(answer.code == 2)
    #expect(answer.errors == "milepost: error: there is no app 'b'; there are a, c\n")
    #expect(daemon.heard == [.remove("a"), .remove("b"), .remove("c")])
  }

  @Test("A control command says nothing when it is done, and what is wrong when it is not")
  func control() throws {
    let daemon = try ScriptedDaemon(
      at: scratch.path("s"),
      answers: [.ok])
    let answer = try Program.run(["apps", "purge", "walker", "--socket", daemon.path])
    #expect(answer.code == 0 && answer.output.isEmpty && answer.errors.isEmpty)
    #expect(daemon.heard == [.control("walker", .purge)])
    let refusing = try ScriptedDaemon(
      at: scratch.path("r"), answers: [.error(code: .unknownApp, "there is no app 'x'")])
    let refused = try Program.run(["apps", "remove", "x", "--socket", refusing.path])
    #expect(refused.code == 2 && refused.errors == "milepost: error: there is no app 'x'\n")
  }

  @Test("A manifest goes over with its name and directory")
  func add() throws {
    let file = try scratch.write("walker.yaml", "name: walker\n")
    let daemon = try ScriptedDaemon(at: scratch.path("s"), answers: [.ok])
    #expect(try Program.run(["apps", "add", file, "--socket", daemon.path]).code == 0)
    let directory = URL(fileURLWithPath: file).deletingLastPathComponent()
      .resolvingSymlinksInPath().path
    #expect(
      daemon.heard == [
        .add(
          .init(
            file: "walker.yaml", directory: directory, bytes: Array("name: walker\n".utf8)))
      ])
  }

  @Test(
    "What was added is said, and what it will hear",
    arguments: [
      (
        AppManifest.Kind.handler, [Service.significant], Authorization.always,
        "moved: added as a handler; it hears significant changes\n"
      ),
      (
        .handler, [.significant], .notDetermined,
        "moved: added; it hears nothing until milepost apps authorize moved always\n"
      ),
      (
        .connected, [.standard, .significant], .whenInUse,
        "moved: added as a connected app; it hears standard updates and significant changes, in the "
          + "foreground only\n"
      ),
      (
        .connected, [], .always,
        "moved: added as a connected app; it hears nothing until it asks for a location service\n"
      ),
    ])
  func added(
    kind: AppManifest.Kind, services: [Service], authorization: Authorization, words: String
  ) throws {
    let row = AppRow(
      name: "moved", kind: kind, state: .background, services: services,
      authorization: authorization, pending: 0, lastDelivery: nil, held: nil)
    let app = AppDocument(
      row: row, command: ["bin/sh"], directory: "/", pid: nil, isFrozen: false,
      isConnected: false, modes: ["location", "fetch"], requestedAuthorization: nil,
      lastSequence: 0, acknowledged: 0, crashes: 0, lastDelivery: nil, silence: nil)
    let file = try scratch.write("moved.yaml", "name: moved\n")
    let daemon = try ScriptedDaemon(at: scratch.path("s"), answers: [app.message])
    let answer = try Program.run(["apps", "add", file, "--socket", daemon.path])
    #expect(answer.code == 0 && answer.output.isEmpty)
    #expect(answer.errors == words)
  }

  @Test("Without a name the log is the service's own")
  func ownLog() throws {
    let entry = LogDocument.Entry(
      at: UTCInstant(microseconds: 1_777_878_489_500_000), kind: "registered",
      text: "moved: registered as a handler app")
    let answers = [[entry], []].map { LogDocument(app: "", entries: $0).message }
    let daemon = try ScriptedDaemon(at: scratch.path("s"), answers: [answers[0]])
    let answer = try Program.run(["apps", "log", "--socket", daemon.path])
    #expect(
      answer.output
        == "2026-05-04T07:08:09.500Z  registered  moved: registered as a handler app\n",
      "\(answer.errors)")
    #expect(daemon.heard == [.log("", count: 50)])
    let empty = try ScriptedDaemon(at: scratch.path("e"), answers: [answers[1]])
    #expect(
      try Program.run(["apps", "log", "--socket", empty.path]).output
        == "nothing has happened to the service yet\n")
  }

  @Test("track and doctor need milepostd", arguments: ["track", "doctor"])
  func daemonProgram(command: String) throws {
    // A copy in a separate directory has no milepostd beside it. A shell makes both files: one that this process had
    // open for writing could be inherited by another test's child, and would be busy.
    let copy = scratch.path("milepost")
    #expect(try Program.shell("cp \"$MILEPOST\" '\(copy)'", in: scratch).code == 0)
    let answer = try Program.shell("PATH= '\(copy)' \(command) --help", in: scratch)
    #expect(answer.code == 2)
    #expect(
      answer.errors
        == "milepost: error: there is no milepostd beside this program or on PATH; install the package "
        + "milepostd, or build it (swift build --product milepostd)\n")
    // If there is one, it gets all arguments.
    let script = #"printf '#!/bin/sh\necho "$@"\n' > "# + "'\(scratch.path("milepostd"))'"
    let made = try Program.shell(
      script + " && chmod 755 '\(scratch.path("milepostd"))'", in: scratch)
    #expect(made.code == 0, "\(made.errors)")
    let passed = try Program.shell("'\(copy)' \(command) --help -o x y", in: scratch)
    #expect(passed.output == "\(command) --help -o x y\n", "\(passed.errors)")
  }
}

/// A daemon that receives one message per answer, and sends the test's texts.
final class ScriptedDaemon: Sendable {
  let path: String
  private let messages = Mutex<[ClientMessage]>([])
  private let descriptor: Int32

  var heard: [ClientMessage] { messages.withLock { $0 } }

  struct CannotListen: Error {}

  init(at path: String, answers: [ServerMessage]) throws {
    self.path = path
    descriptor = try Self.listening(at: path)
    Thread.detachNewThread { self.serve(answers) }
  }

  /// A socket at which two clients can wait.
  static func listening(at path: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard SocketAddress.listen(descriptor, at: path, backlog: 2) == 0 else { throw CannotListen() }
    return descriptor
  }

  private func serve(_ answers: [ServerMessage]) {
    var client = accept(descriptor, nil, nil)
    defer {
      close(client)
      close(descriptor)
    }
    var reader = ClientMessageReader()
    var chunk = [UInt8](repeating: 0, count: 65_536)
    for answer in answers {
      var next = reader.next()
      while next == nil {
        let count = recv(client, &chunk, chunk.count, 0)
        guard count > 0 else {
          // The next command has its own connection.
          close(client)
          client = accept(descriptor, nil, nil)
          guard client >= 0 else { return }
          continue
        }
        reader.append(Array(chunk[..<count]).span)
        next = reader.next()
      }
      if let message = try? next?.message.get() { messages.withLock { $0.append(message) } }
      let bytes = answer.encode()
      send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
  }
}
