// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Foundation
import Glibc
import Testing

@testable import ServiceCore

/// `milepost sinks test` at a daemon made by hand, which answers a trial only when it was asked who is waited for.
@Suite("A trial of a sink takes its time")
struct SinkTrialTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test("After 2 s it is said whom the trial waits for, and its answer still comes")
  func slow() throws {
    let path = scratch.path("s")
    let listener = try ScriptedDaemon.listening(at: path)
    Thread.detachNewThread {
      var sink = SinkRow.empty
      (sink.name, sink.kind, sink.host) = ("van", "traccar", "maps.example")
      let trial = accept(listener, nil, nil)
      let question = accept(listener, nil, nil)
      Self.answer(question, SinksDocument(sinks: [sink]).message)
      Self.answer(trial, SinkTrialDocument(name: "van", isReached: true, text: "fine").message)
      for descriptor in [trial, question, listener] { close(descriptor) }
    }
    let answer = try Program.run(["sinks", "test", "van", "--socket", path])
    #expect(answer.errors == "milepost: waiting for maps.example\n")
    #expect(answer.code == 0, "\(answer.output)")
    #expect(answer.output == "van can be reached: fine\n")
  }

  /// Reads a message, and answers it.
  private static func answer(_ client: Int32, _ message: ServerMessage) {
    var question = [UInt8](repeating: 0, count: 1_024)
    _ = recv(client, &question, question.count, 0)
    let bytes = message.encode()
    send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }
}
