// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract
import Testing

@testable import ServiceCore

@Suite("Why an app hears nothing: a handler that fails")
struct SilenceTests {
  /// A service whose handler has failed on its first event; `waits` more wait.
  private func failing(
    retriesFor: Double = 7 * 86_400, _ event: ProcessEvent, waits: Int = 0
  ) -> Stage {
    var stage = Stage { $0.retriesFor = retriesFor }
    stage.add(Stage.handler())
    for number in 0...waits {
      stage.fix(east: 2_000 * Double(number))
      stage.pass(400)
    }
    stage.tell(.process(.started(app: "moved", pid: 30)))
    stage.tell(.process(event))
    return stage
  }

  private func words(_ stage: Stage) throws -> [String?] {
    let explanation = try stage.explanation(of: AppID(1))
    return [explanation.text, explanation.advice]
  }

  private let log = "milepost apps log moved shows each attempt"

  @Test("While it is tried again: the reason, what waits, and when that is")
  func waiting() throws {
    var stage = failing(.ended(app: "moved", .exited(status: 3)))
    #expect(
      try words(stage) == [
        "its handler fails (ended with status 3); 1 event waits, and it is tried again in 1 s",
        "\(log); milepost apps release moved tries at once",
      ])
    stage = failing(.ended(app: "moved", .signalled(11)), waits: 1)
    #expect(
      try words(stage).first
        == "its handler fails (ended by signal 11); 2 events wait, and it is tried again in 1 s")
    stage = failing(.failedToStart(app: "moved", reason: "no such file"))
    #expect(
      try words(stage).first
        == "its handler fails (could not be started: no such file); 1 event waits, and it is tried again "
        + "in 1 s")
  }

  @Test("When its event was given up: why, until one succeeds")
  func givenUp() throws {
    var stage = failing(retriesFor: 0, .ended(app: "moved", .exited(status: 3)))
    #expect(try words(stage) == ["its handler failed: ended with status 3", log])
    stage.fix(east: 4_000)
    stage.tell(.process(.started(app: "moved", pid: 31)))
    let atWork = try words(stage)
    #expect(
      atWork == [
        "its handler is at work; 1 event waits",
        "it is ended after 10 min; timeout_s in its manifest says so",
      ])
    stage.tell(.process(.ended(app: "moved", .exited(status: 0))))
    #expect(try words(stage).first??.contains("handler") == false)
  }
}
