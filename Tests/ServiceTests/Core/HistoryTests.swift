// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Geodesy
import LocationEngine
import LocationModel
import ServiceContract
import ServiceSimulation
import Testing

@testable import ServiceCore

@Suite("What is kept of the past")
struct HistoryTests {
  /// One minute of latitude is nearly a nautical mile of 1852 m.
  private func fix(metres: Double) -> Fix {
    Fix(
      time: nil,
      coordinate: Coordinate(
        clampingLatitude: 48 + metres / 1_852 / 60, wrappingLongitude: 11),
      horizontalAccuracy: 5, speed: 10)
  }

  private func time(_ seconds: Double) -> ServiceTime {
    ServiceTime(
      at: EngineInstant(microseconds: Int64(seconds * 1e6)),
      utc: UTCInstant(microseconds: Int64(seconds * 1e6)))
  }

  private func kept(_ history: History) -> [Double] {
    history.waiting.filter { $0.kind == .position }.map { Double($0.at.microseconds) / 1e6 }
  }

  @Test("Why the receiver is on is kept without what gpsd said before")
  func reasons() {
    var stage = Stage()
    stage.tell(
      .gpsd(.link(.unreachable(reason: "nobody listens on localhost:2947", retryAfter: 60))))
    var manifest = Stage.app(launch: .manual)
    manifest.service = .continuous
    manifest.declaration.modes = [.location]
    stage.add(manifest)
    stage.say(.control("walker", .launch))
    stage.say(
      .history(from: stage.now.utc.advanced(bySeconds: -60), to: stage.now.utc, count: 100))
    let unwritten = stage.take().flatMap { effect -> [HistoryDocument.Entry] in
      if case .sendHistory(_, let unwritten, _, _) = effect { unwritten } else { [] }
    }
    let kept = stage.changes.flatMap(\.history) + unwritten
    let reasons = kept.filter { $0.kind == .receiver && $0.word != "off" }.compactMap(\.text)
    #expect(reasons == ["an app asks for updates"])
  }

  @Test("At 10 m/s a position is kept every 5 s, and on foot every 25 m")
  func moving() {
    var drive = History()
    for second in 0...20 { drive.saw(fix(metres: Double(second) * 10), at: time(Double(second))) }
    #expect(kept(drive) == [0, 5, 10, 15, 20])
    // 1.3 m/s: 25 m take 19.2 s.
    var walk = History()
    for second in 0...60 { walk.saw(fix(metres: Double(second) * 1.3), at: time(Double(second))) }
    #expect(kept(walk) == [0, 20, 40, 60])
  }

  @Test("At rest a position is kept every 300 s, so that a longer pause means that nobody knew")
  func resting() {
    var history = History()
    for second in 0...900 { history.saw(fix(metres: 0), at: time(Double(second))) }
    #expect(kept(history) == [0, 300, 600, 900])
  }

  @Test("The last position before the receiver goes off is kept, and the first after it comes on")
  func session() {
    var history = History()
    history.follow(plan: .continuous, text: "on", at: time(0))
    for second in 1...9 { history.saw(fix(metres: 0), at: time(Double(second))) }
    history.follow(plan: .off(.nobodyAsks), text: "off", at: time(10))
    history.follow(plan: .continuous, text: "on", at: time(11))
    history.saw(fix(metres: 0), at: time(12))
    #expect(kept(history) == [1, 9, 12])
    #expect(history.waiting.compactMap(\.word) == ["continuous", "off", "continuous"])
  }

  @Test("What waits for a commit is bounded, and is handed out once")
  func bounded() {
    var history = History()
    for second in 0..<3_000 {
      history.saw(fix(metres: Double(second) * 100), at: time(Double(second) * 5))
    }
    #expect(history.waiting.count == 2_000 && kept(history).first == 5_000)
    #expect(history.takeWaiting().count == 2_000)
    #expect(history.takeWaiting().isEmpty)
  }

  @Test("It is never a reason to write, rides along, and is answered from memory meanwhile")
  func service() throws {
    var bench = try ServiceBench()
    bench.add("walker", kind: .connected)
    bench.user(.authorize("walker", .denied))
    let always = ClientMessage.history(
      from: UTCInstant(microseconds: -1_000_000), to: UTCInstant(microseconds: 1_000_000_000_000),
      count: 100)
    func answer(_ bench: inout ServiceBench) throws -> HistoryDocument {
      let effects = bench.user(always)
      let found = effects.compactMap { effect -> HistoryDocument? in
        guard case .sendHistory(let range, let unwritten, _, _) = effect else { return nil }
        return range.document(of: bench.store.history(in: range) + unwritten)
      }
      return try #require(found.first)
    }
    let before = try answer(&bench).entries.filter { $0.kind == .state }
    #expect(before.first?.app == "walker")
    #expect(before.last?.word == bench.service.engine.state(of: AppID(1))?.rawValue)
    // An unrequested position writes nothing, but is known.
    let stored = bench.store
    bench.wait(1)
    _ = bench.move(toKilometre: 1)
    #expect(bench.store == stored)
    let positions = try answer(&bench).entries.filter { $0.kind == .position }
    #expect(positions.map(\.accuracy) == [5])
    // 400 s later the engine's state is due to be written, together with the history; later entries wait.
    bench.wait(400)
    _ = bench.move(toKilometre: 1.02)
    let range = HistoryRange(
      from: UTCInstant(microseconds: -1_000_000), to: UTCInstant(microseconds: 1_000_000_000_000),
      count: 100)
    #expect(bench.store.history(in: range).filter { $0.kind == .position }.count == 1)
    let all = try answer(&bench).entries
    #expect(all.filter { $0.kind == .position }.count == 2)
  }

  @Test("An overview is the status and each app's explanation, of one moment")
  func overview() throws {
    var bench = try ServiceBench()
    bench.add("walker", kind: .connected)
    bench.add("van", kind: .connected)
    bench.user(.authorize("van", .denied))
    let messages = bench.user(.overview).messages
    guard case .document(let json) = try #require(messages.last) else { return }
    let overview = try OverviewDocument(json: json)
    #expect(overview.status.apps.map(\.name) == ["van", "walker"])
    #expect(overview.explanations.map(\.app) == ["van", "walker"])
    #expect(overview.explanations[0].text == "it is not authorized: denied")
  }
}
