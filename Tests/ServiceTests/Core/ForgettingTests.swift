// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Geodesy
import LocationEngine
import LocationModel
import ServiceContract
import ServiceSimulation
import Testing

@testable import ServiceCore

// No client connects as the app `a`: its deliveries wait. Kilometres are those of `ServiceBench.fix`, and the bench's
// clock begins at 0.

@Suite("What is forgotten, by time and by its user's word")
struct ForgettingTests {
  private static let app = AppID(1)

  /// Events at 400 s, 800 s, 1,200 s: at kilometres 0, 2 and 4.
  private static func bench(keepsFor: Double? = nil) throws -> ServiceBench {
    var bench = try ServiceBench(keepsFor: keepsFor)
    bench.tell(.began(adopted: []))
    bench.add("a", kind: .connected)
    for kilometre in [0.0, 2, 4] {
      bench.wait(400)
      _ = bench.move(toKilometre: kilometre)
    }
    return bench
  }

  private static func numbers(_ bench: ServiceBench) -> [UInt64] {
    bench.store.pending(of: app).map(\.delivery.sequence)
  }

  private static func forget(
    _ bench: inout ServiceBench, _ wish: Forgetting
  ) throws -> ForgottenDocument {
    let answers: [String] = bench.user(.forget(wish)).messages.compactMap {
      if case .document(let json) = $0 { json } else { nil }
    }
    return try ForgottenDocument(json: try #require(answers.first))
  }

  private static func at(_ seconds: Int64) -> UTCInstant {
    UTCInstant(microseconds: seconds * 1_000_000)
  }

  @Test("What was decided before a time goes, and the log of before it; a trial deletes nothing")
  func before() throws {
    var bench = try Self.bench()
    let trial = try Self.forget(&bench, Forgetting(before: Self.at(900), isTrial: true))
    #expect(trial.apps == [.init(app: "a", pending: 2, givenUp: 0, inHand: 0)])
    #expect(trial.isTrial && trial.logs)
    #expect(Self.numbers(bench) == [1, 2, 3])
    let done = try Self.forget(&bench, Forgetting(before: Self.at(900)))
    #expect(done.apps == trial.apps)
    #expect(!done.isTrial)
    #expect(Self.numbers(bench) == [3])
    #expect(bench.store.log(of: Self.app, count: 100).allSatisfy { $0.at >= Self.at(900) })
    // The next number follows the last one, whatever was deleted.
    bench.wait(400)
    _ = bench.move(toKilometre: 6)
    #expect(Self.numbers(bench) == [3, 4])
    #expect(try Self.numbers(bench.restarted()) == [3, 4])
  }

  @Test("What lies within a circle goes, of all times, and the logs stay, which hold no places")
  func within() throws {
    var bench = try Self.bench()
    let lines = bench.store.log(of: Self.app, count: 100).count
    // Kilometre 2 is 48.01799°.
    let circle = Forgetting.Circle(latitude: 48.018, longitude: 11, radius: 100)
    let done = try Self.forget(&bench, Forgetting(within: circle))
    #expect(done.apps == [.init(app: "a", pending: 1, givenUp: 0, inHand: 0)])
    #expect(!done.logs)
    #expect(Self.numbers(bench) == [1, 3])
    #expect(bench.store.log(of: Self.app, count: 100).count == lines + 1)
    #expect(bench.changes.contains { $0.scrubs && $0.engine != nil })
  }

  /// A circle of 100 m around a kilometre.
  private static func circle(_ kilometre: Double) -> Forgetting.Circle {
    Forgetting.Circle(
      latitude: ServiceBench.fix(kilometre).coordinate.latitude, longitude: 11, radius: 100)
  }

  /// The latitudes of the stored history, after all waiting entries are written.
  private static func places(_ bench: inout ServiceBench) -> [Double] {
    bench.wait(600)
    bench.tell(.timePassed)
    bench.user(.authorize("a", .whenInUse))
    let all = HistoryRange(from: .epoch, to: at(1_000_000), count: 100)
    return bench.store.history(in: all).compactMap(\.latitude)
  }

  @Test("The history forgets the same places and times, also those that wait to be written")
  func history() throws {
    let all = [0.0, 2, 4, 4.5].map { ServiceBench.fix($0).coordinate.latitude }
    var bench = try Self.bench()
    // 30 s after an event this is none, and no reason to write: it waits.
    bench.wait(30)
    _ = bench.move(toKilometre: 4.5)
    var untouched = bench
    #expect(Self.places(&untouched) == all)
    var here = bench
    _ = try Self.forget(&here, Forgetting(within: Self.circle(4.5)))
    #expect(Self.places(&here) == Array(all[..<3]))
    var there = bench
    _ = try Self.forget(&there, Forgetting(within: Self.circle(2)))
    #expect(Self.places(&there) == [all[0], all[2], all[3]])
    var earlier = bench
    _ = try Self.forget(&earlier, Forgetting(before: Self.at(1_000)))
    #expect(Self.places(&earlier) == Array(all[2...]))
    var ofApp = bench
    _ = try Self.forget(&ofApp, Forgetting(app: "a"))
    #expect(Self.places(&ofApp) == all, "where the device was is no app's")
    let range = HistoryRange(from: .epoch, to: Self.at(1_231), count: 100)
    #expect(!ofApp.store.history(in: range).contains { $0.app == "a" })
    #expect(untouched.store.history(in: range).contains { $0.app == "a" })
  }

  @Test("The last position of a look, which is kept when the receiver goes off, is forgotten too")
  func passing() throws {
    var bench = try Self.bench()
    // 3 s after the last one it is not kept yet.
    bench.wait(3)
    _ = bench.move(toKilometre: 4.5)
    _ = try Self.forget(&bench, Forgetting(within: Self.circle(4.5)))
    bench.user(.authorize("a", .denied))
    #expect(Self.places(&bench) == [0.0, 2, 4].map { ServiceBench.fix($0).coordinate.latitude })
  }

  @Test("A disk that was full meanwhile brings nothing back: log, given-up events, history")
  func carriedOver() throws {
    var bench = try Self.bench()
    bench.storeTrouble = "full"
    bench.wait(400)
    _ = bench.move(toKilometre: 6)
    bench.wait(1)
    _ = try Self.forget(&bench, Forgetting(before: Self.at(1_601)))
    bench.wait(1)
    bench.storeTrouble = nil
    #expect(Self.places(&bench) == [])
    #expect(bench.store.log(of: Self.app, count: 100).allSatisfy { $0.at >= Self.at(1_601) })
    #expect(Self.numbers(bench) == [])
  }

  @Test("Where the engine measures from is forgotten with it: the next position is the first one")
  func anchor() throws {
    var bench = try Self.bench()
    let circle = Forgetting.Circle(
      latitude: ServiceBench.fix(4).coordinate.latitude, longitude: 11, radius: 100)
    _ = try Self.forget(&bench, Forgetting(within: circle))
    #expect(bench.service.engine.lastKnown == nil)
    bench.wait(1)
    _ = bench.move(toKilometre: 4.1)
    #expect(bench.store.pending(of: Self.app).last?.delivery.moved == nil)
    #expect(Self.numbers(bench) == [1, 2, 4])
  }

  @Test("Of one app: another one's stay")
  func ofOneApp() throws {
    var bench = try Self.bench()
    bench.add("b", kind: .connected)
    bench.wait(400)
    _ = bench.move(toKilometre: 6)
    let of = AppID(2)
    let kept = bench.store.pending(of: of).count
    #expect(kept > 0)
    bench.wait(1)
    let done = try Self.forget(&bench, Forgetting(app: "a"))
    #expect(done.apps.map(\.app) == ["a"])
    #expect(Self.numbers(bench) == [])
    #expect(bench.store.pending(of: of).count == kept)
    #expect(bench.store.log(of: Self.app, count: 100).map(\.text) == ["4 events are forgotten"])
  }

  @Test("Nothing in particular is not everything, and an unknown app is said")
  func refusals() throws {
    var bench = try Self.bench()
    var errors = bench.user(.forget(Forgetting())).messages
    errors += bench.user(.forget(Forgetting(app: "x"))).messages
    #expect(
      errors == [
        .error(
          code: .notPossible,
          "say what is to be forgotten: before a time, within a circle, of an app"),
        .error(code: .unknownApp, "there is no app 'x'; known: a"),
      ])
    #expect(Self.numbers(bench) == [1, 2, 3])
  }

  //  run 1 ─ forget ─ ends ill                           never again
  @Test("What a handler has in hand is counted, leaves the store, and is not run again")
  func inHand() throws {
    var bench = try ServiceBench()
    bench.tell(.began(adopted: []))
    bench.add("h", kind: .handler)
    for kilometre in [0.0, 2] {
      bench.wait(400)
      _ = bench.move(toKilometre: kilometre)
    }
    bench.tell(.process(.started(app: "h", pid: 2)))
    let done = try Self.forget(&bench, Forgetting(before: Self.at(10_000)))
    #expect(done.apps == [.init(app: "h", pending: 1, givenUp: 0, inHand: 1)])
    #expect(Self.numbers(bench) == [])
    var next = try bench.restarted()
    next.tell(.process(.adopted(app: "h", pid: 2, isFrozen: false)))
    for var service in [bench, next] {
      service.tell(.began(adopted: ["h"]))
      #expect(service.tell(.process(.ended(app: "h", .exited(status: 1)))).runs == [])
      service.wait(1_000)
      #expect(service.tell(.timePassed).runs == [])
      #expect(service.store.dead(of: Self.app) == [])
      // The next event is run.
      #expect(service.move(toKilometre: 4).runs == ["3"])
    }
  }

  //  1 2 3 go out ─ 2 and 3 are forgotten ─ taken up to 3    or not: 1 comes again, alone
  @Test("What of a batch is not forgotten is acknowledged with it, or sent again without the rest")
  func inSinksHands() throws {
    var bench = try ServiceBench()
    bench.tell(.began(adopted: []))
    var declaration = AppDeclaration()
    declaration.authorization = .always
    let manifest = AppManifest(
      name: "s", kind: .sink, command: [], directory: "/", declaration: declaration,
      service: .significant, sink: SinkSettings(kind: "file"))
    bench.tell(.manifest(bench.newClient(), .read(manifest, missingProgram: nil), id: nil))
    for kilometre in [0.0, 2, 4] {
      bench.wait(400)
      _ = bench.move(toKilometre: kilometre)
      if kilometre == 0 {
        bench.tell(
          .sink(.failed(Self.app, upTo: 1, reason: "full", fault: .later(after: 1_000))))
      }
    }
    bench.wait(400)
    bench.tell(.timePassed)
    #expect(bench.lastPassed == [1, 2, 3])
    for kilometre in [2.0, 4] {
      _ = try Self.forget(&bench, Forgetting(within: Self.circle(kilometre)))
    }
    #expect(Self.numbers(bench) == [1])
    var taken = bench
    taken.tell(.sink(.took(Self.app, upTo: 3)))
    #expect(Self.numbers(taken) == [])
    bench.tell(.sink(.failed(Self.app, upTo: 3, reason: "full")))
    #expect(bench.user(.control("s", .release)).passed == [[1]])
  }

  //  400 s: 1   800 s: 2   1200 s: 3 │ keeps 3600 s │ 4500 s: 1 and 2 are too old … and go with whatever comes
  @Test("What is older than it is kept goes with the next thing that happens, and wakes nobody")
  func expires() throws {
    var bench = try Self.bench(keepsFor: 3_600)
    let deadline = bench.service.nextDeadline
    #expect(Self.numbers(bench) == [1, 2, 3])
    bench.wait(3_300)
    bench.tell(.timePassed)
    #expect(Self.numbers(bench) == [3])
    #expect(
      bench.store.log(of: Self.app, count: 100).map(\.text).last == "2 events are forgotten")
    // Without it the deadline is the same.
    var other = try Self.bench()
    #expect(other.service.nextDeadline == deadline)
    other.wait(3_300)
    other.tell(.timePassed)
    #expect(Self.numbers(other) == [1, 2, 3])
  }
}
