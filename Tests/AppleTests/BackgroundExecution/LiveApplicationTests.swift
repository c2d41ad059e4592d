// SPDX-License-Identifier: Apache-2.0

import BackgroundExecution
import ControlProtocol
import LocationModel
import Synchronization
import Testing

/// A daemon that answers at once, or never.
private final class Daemon: LocationBackend {
  private let answers: @Sendable (ClientMessage) -> ServerMessage?
  private let session = Mutex<LocationSession?>(nil)
  let heard = Mutex<[ClientMessage]>([])

  init(_ answers: @escaping @Sendable (ClientMessage) -> ServerMessage?) { self.answers = answers }

  func open(for session: LocationSession) {
    self.session.withLock { $0 = session }
    session.received(
      .welcome(
        .init(
          release: "1", app: "walker", state: .background, authorization: .always,
          launchReason: .fetch, monitorsSignificantChanges: false, acknowledged: 0)))
  }

  func send(_ message: ClientMessage) {
    heard.withLock { $0.append(message) }
    if let answer = answers(message) { session.withLock { $0 }?.received(answer) }
  }

  func close() {}
}

@Suite("Questions to the daemon, whose answer is waited for 200 ms")
struct LiveApplicationTests {
  private func ask<Answer>(
    _ daemon: Daemon, _ question: () -> Answer
  ) -> Answer {
    let session = LocationSession(daemon, callsInline: false)
    session.openSession()
    defer { session.closeSession() }
    return LocationSession.$scoped.withValue(session, operation: question)
  }

  @Test("What the daemon answers is what remains; no limit is the greatest number")
  func timeRemaining() {
    let limited = Daemon { $0 == .timeRemaining ? .timeRemaining(17.5) : nil }
    #expect(ask(limited) { UIApplication.shared.backgroundTimeRemaining } == 17.5)
    let held = Daemon { $0 == .timeRemaining ? .timeRemaining(nil) : nil }
    #expect(
      ask(held) { UIApplication.shared.backgroundTimeRemaining } == .greatestFiniteMagnitude)
  }

  @Test("A daemon that does not answer leaves no time, and no list")
  func silence() {
    let silent = Daemon { _ in nil }
    #expect(ask(silent) { UIApplication.shared.backgroundTimeRemaining } == 0)
    #expect(ask(silent) { UIApplication.shared.scheduledLocalNotifications } == nil)
  }

  @Test("Tasks have a name and a number of their own, and are said; their end too")
  func tasks() {
    let daemon = Daemon { _ in nil }
    ask(daemon) {
      let first = UIApplication.shared.beginBackgroundTask(withName: "upload")
      let second = UIApplication.shared.beginBackgroundTask()
      #expect(first != second && first != .invalid)
      UIApplication.shared.endBackgroundTask(.invalid)
      UIApplication.shared.endBackgroundTask(first)
    }
    #expect(
      daemon.heard.withLock { $0 } == [
        .beginTask(id: 1, name: "upload"), .beginTask(id: 2, name: ""), .endTask(1),
      ])
  }

  @Test("One process has one application; its state is the daemon's before anything is told")
  func shared() {
    let daemon = Daemon { _ in nil }
    ask(daemon) {
      #expect(UIApplication.shared === UIApplication.shared)
      #expect(UIApplication.shared.applicationState == .background)
    }
  }
}
