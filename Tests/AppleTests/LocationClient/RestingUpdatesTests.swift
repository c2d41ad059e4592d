// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationClientReplay
import LocationModel
import Synchronization
import Testing

@testable import LocationClient

@Suite("Live updates rest while the device does")
struct RestingUpdatesTests {
  private var subject = SessionMachine()

  private mutating func sent(_ input: SessionMachine.Input) -> [ClientMessage] {
    var actions: [SessionMachine.Action] = []
    subject.handle(input, into: &actions)
    return actions.compactMap { if case .send(let message) = $0 { message } else { nil } }
  }

  private func welcome(_ state: AppState = .active) -> SessionMachine.Input {
    .message(
      .welcome(
        .init(
          release: "1", app: "walker", state: state, authorization: .always, launchReason: nil,
          monitorsSignificantChanges: false, acknowledged: 0)))
  }

  private var live: Wishes {
    var wishes = Wishes()
    wishes.standard = CLLocationUpdate.LiveConfiguration.default.request
    wishes.resumes = true
    return wishes
  }

  private func start(_ wishes: Wishes) throws -> ClientMessage {
    .start(.init(.standard, try #require(wishes.standard)))
  }

  /// A greeted process with one loop, whose updates have paused.
  private mutating func rest() -> [ClientMessage] {
    _ = sent(welcome())
    _ = sent(.joined(1))
    _ = sent(.wants(1, live))
    return sent(.message(.paused))
  }

  @Test("A pause asks for motions, and a motion begins the updates again")
  mutating func motion() throws {
    #expect(rest() == [.monitorMotion(true)])
    #expect(sent(.message(.motion)) == [try start(live), .monitorMotion(false)])
    // Nothing rests: a motion changes nothing.
    #expect(sent(.message(.motion)) == [])
  }

  @Test("In the background nothing wakes the app for that; coming to the front begins them again")
  mutating func background() throws {
    _ = rest()
    #expect(sent(.message(.state(.background))) == [.monitorMotion(false)])
    #expect(sent(.message(.state(.active))) == [try start(live)])
  }

  @Test("Where updates may go on in the background, motions are asked for there too")
  mutating func backgroundSession() throws {
    _ = sent(welcome())
    _ = sent(.joined(1))
    _ = sent(.joined(2))
    var holds = Wishes()
    holds.allowsBackground = true
    #expect(sent(.wants(2, holds)) == [])
    var allowed = live
    allowed.standard?.allowsBackgroundUpdates = true
    #expect(sent(.wants(1, live)) == [try start(allowed)])
    #expect(sent(.message(.paused)) == [.monitorMotion(true)])
    #expect(sent(.message(.state(.background))) == [])
    // The session ends.
    #expect(sent(.left(2)) == [try start(live), .monitorMotion(false)])
  }

  @Test("A manager's pause is its app's to end")
  mutating func manager() {
    _ = sent(welcome())
    _ = sent(.joined(1))
    var wishes = live
    wishes.resumes = false
    _ = sent(.wants(1, wishes))
    #expect(sent(.message(.paused)) == [])
  }

  @Test("A day at home: a tenth of the positions, and who rests is told the last one again")
  func dayAtHome() async throws {
    let counts = Mutex((all: 0, resting: 0, placeless: 0))
    var trace = try ReplayedTrace(Traces.path("home-day.gpx"))
    trace.declaresLocationMode = true
    trace.background(after: 60)
    let account = try await trace.run { _ in
      let background = CLBackgroundActivitySession()
      do {
        for try await update in CLLocationUpdate.liveUpdates() {
          counts.withLock {
            $0.all += 1
            if update.stationary { $0.resting += 1 }
            if update.stationary, update.location == nil { $0.placeless += 1 }
          }
        }
      } catch {
        Issue.record(error)
      }
      background.invalidate()
    }
    let seen = counts.withLock { $0 }
    // Without pauses 86,148 updates come, one a second of the day, and cost 22 kJ (`milepost compare`). The
    // pauses end at false alarms of the motion sensor, and begin 10 minutes after each.
    #expect(seen.all < 86_148 / 10)
    #expect(seen.resting >= 1 && seen.placeless == 0)
    #expect(account.energy < 2_200, "\(account.energy) J")
    // Each motion wakes or launches the app, and nothing else does.
    #expect(account.launches.dropFirst().allSatisfy { $0.reason == .motion })
  }

  @Test("A day with moves: each of them ends a pause")
  func mixedDay() async throws {
    let updates = Mutex<[(date: Date, isResting: Bool)]>([])
    let trace = try ReplayedTrace(Traces.path("mixed-day.gpx"))
    let account = try await trace.run { _ in
      do {
        for try await update in CLLocationUpdate.liveUpdates(.fitness) {
          guard let location = update.location else { continue }
          updates.withLock { $0.append((location.timestamp, update.stationary)) }
        }
      } catch {
        Issue.record(error)
      }
    }
    let seen = updates.withLock { $0 }
    let pauses = seen.count { $0.isResting }
    let moves = zip(seen, seen.dropFirst()).count { $0.isResting && !$1.isResting }
    // Home, the way there, the office, the walk at lunch, the office, the way back, home.
    #expect(pauses >= 4 && moves >= 3, "\(pauses) pauses, \(moves) moves")
    #expect(account.receiverOn < account.end.timeIntervalSince(account.start) / 2)
  }
}
