// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Foundation
import Geodesy
import LocationEngine
import LocationModel
import ServiceContract
import Testing

@testable import ServiceCore

// The stage's policy is a look every 300 s: a position of the receiver is judged whenever it comes.

@Suite("Regions and visits of an app's process")
struct RegionServiceTests {
  private let client = ClientID(7)
  private static let centre = Coordinate(clampingLatitude: 52, wrappingLongitude: 5)
  private static let home = MonitoredRegion("home", centre: centre, radius: 200)

  /// An app without its own service that runs, is connected and monitors a region.
  private func monitoring(_ messages: [ClientMessage] = [.monitorRegion(home)]) -> Stage {
    var manifest = Stage.app(launch: .manual)
    manifest.service = nil
    var stage = Stage()
    stage.add(manifest)
    stage.say(.control("walker", .launch))
    stage.tell(.process(.started(app: "walker", pid: 30)))
    stage.connect(client, pid: 30)
    stage.say(.hello(.init(app: "walker")), as: client)
    for message in messages { stage.say(message, as: client) }
    stage.fix()
    stage.say(.control("walker", .background))
    _ = stage.take()
    return stage
  }

  private func notices(_ effects: [ServiceEffect]) -> [RegionNotice] {
    effects.compactMap { effect in
      if case .send(.region(let notice), _, _) = effect { notice } else { nil }
    }
  }

  @Test("A suspended app is thawed, hears of the exit by its number, and does not hear it again")
  func wakes() {
    var stage = monitoring()
    stage.pass(60)
    #expect(stage.take().contains(.freeze("walker")))
    stage.fix(east: 5_000)
    let effects = stage.take()
    #expect(effects.contains(.thaw("walker")))
    let notice = RegionNotice(
      sequence: 1, identifier: "home", event: .exited, state: .outside, time: stage.now.utc,
      received: stage.now.utc)
    #expect(notices(effects) == [notice])
    stage.say(.acknowledge(1), as: client)
    stage.tell(.client(.disconnected(client)))
    _ = stage.take()
    stage.connect(client, pid: 30)
    stage.say(.hello(.init(app: "walker")), as: client)
    #expect(notices(stage.take()).isEmpty)
  }

  @Test("A terminated app is relaunched with the event, and hears it when it connects")
  func relaunches() throws {
    var stage = monitoring()
    stage.pass(60)
    stage.tell(.process(.ended(app: "walker", .exited(status: 0))))
    stage.tell(.client(.disconnected(client)))
    _ = stage.take()
    stage.fix(east: 5_000)
    let starts = stage.take().compactMap { effect in
      if case .start(let start) = effect { start } else { nil }
    }
    let start = try #require(starts.first)
    #expect(starts.count == 1)
    #expect(start.environment["MILEPOST_LAUNCH_REASON"] == "region")
    let event = try #require(start.environment["MILEPOST_LAUNCH_LOCATION"])
    #expect(
      event.hasPrefix(#"{"class":"REGION","sequence":1,"identifier":"home","event":"exited""#))
    stage.tell(.process(.started(app: "walker", pid: 31)))
    stage.connect(ClientID(8), pid: 31)
    stage.say(.hello(.init(app: "walker")), as: ClientID(8))
    let effects = stage.take()
    let welcomes = effects.compactMap { effect in
      if case .send(.welcome(let welcome), _, _) = effect { welcome } else { nil }
    }
    #expect(welcomes.first?.launchReason == .region)
    #expect(welcomes.first?.places == MonitoredPlaces(regions: [Self.home], visits: false))
    #expect(notices(effects).map(\.event) == [.exited])
  }

  @Test("The 21st region is refused in words, and stands in the log")
  func limit() {
    var stage = monitoring()
    for number in 2...21 {
      let region = MonitoredRegion("\(number)", centre: Self.centre, radius: 100)
      stage.say(.monitorRegion(region), as: client)
    }
    let refused = ServerMessage.regionFailed(
      "21", reason: "this app monitors 20 regions, and may not monitor more; stop one of them")
    let sent = stage.take().compactMap { effect in
      if case .send(let message, client, _) = effect { message } else { nil }
    }
    #expect(sent == [refused])
    #expect(
      stage.changes.contains { change in
        change.log.contains {
          $0.text == "the region '21' is not monitored: this app monitors 20 regions, and may not "
            + "monitor more; stop one of them"
        }
      })
  }

  @Test("A region that is asked for is stored at once, and the next service goes on with it")
  func restart() throws {
    let before = monitoring([.monitorRegion(Self.home), .monitorVisits(true)])
    let written = try #require(before.changes.compactMap(\.engine).last)
    let data = try JSONEncoder().encode(written)
    var stored = StoredState()
    stored.engine = try JSONDecoder().decode(LocationEngine.Snapshot.self, from: data)
    stored.apps = before.changes.flatMap(\.addedApps)
    var stage = Stage(stored)
    let id = try #require(stage.service.appID(of: "walker"))
    #expect(stage.service.engine.regions(of: id) == [Self.home])
    #expect(stage.service.engine.monitorsVisits(id))
    stage.pass(400)
    _ = stage.take()
    stage.fix(east: 5_000)
    let starts = stage.take().compactMap { effect in
      if case .start(let start) = effect {
        start.environment["MILEPOST_LAUNCH_REASON"]
      } else {
        nil
      }
    }
    #expect(starts == ["region"])
  }

  @Test("What an app asks while it runs is answered, and REGION_STATE of an unknown region too")
  func questions() {
    var stage = monitoring()
    stage.say(.requestRegionState("home"), as: client)
    stage.say(.requestRegionState("work"), as: client)
    let answers = notices(stage.take())
    #expect(answers.map(\.state) == [.inside, .unknown])
    #expect(answers.map(\.event) == [.state, .state])
    #expect(answers.map(\.sequence) == [nil, nil])
  }

  @Test("A visit is a delivery: it waits for an app that is not connected")
  func visit() {
    var stage = monitoring([.monitorVisits(true)])
    stage.pass(60)
    stage.tell(.process(.ended(app: "walker", .exited(status: 0))))
    stage.tell(.client(.disconnected(client)))
    stage.pass(300)
    stage.fix(east: 30)
    let deliveries = stage.changes.flatMap(\.deliveries)
    #expect(deliveries.count == 1)
    guard case .arrived(let visit)? = deliveries.first?.delivery.event else {
      Issue.record("no arrival")
      return
    }
    #expect(visit.arrival == nil)
    stage.tell(.process(.started(app: "walker", pid: 31)))
    stage.connect(ClientID(8), pid: 31)
    _ = stage.take()
    stage.say(.hello(.init(app: "walker")), as: ClientID(8))
    let visits = stage.take().compactMap { effect in
      if case .send(.visit(let notice), _, _) = effect { notice } else { nil }
    }
    #expect(visits.map(\.event) == [.arrived])
  }

  @Test("Why nobody was told of leaving: the metres beyond the border, the seconds, the accuracy")
  func explanation() throws {
    var region = Self.home
    region.notifiesOnExit = false
    region.identifier = "quiet"
    var stage = monitoring([.monitorRegion(Self.home), .monitorRegion(region)])
    let id = try #require(stage.service.appID(of: "walker"))
    func answers(_ stage: Stage) throws -> [ExplanationDocument.RegionAnswer] {
      try stage.explanation(of: id).regions
    }
    #expect(
      try answers(stage).map(\.text) == [
        "inside the region 'home'",
        "inside the region 'quiet', which does not ask for exits",
      ])
    stage.pass(10)
    stage.fix(east: 320)
    let close = try #require(try answers(stage).first)
    #expect(
      close.text
        == "inside the region 'home'; the last fix: too close (120 m of 200 m beyond its border, "
        + "accuracy 5 m)")
    #expect(close.verdict == .tooClose)
    #expect(close.beyondRequired == 200)
    stage.pass(10)
    stage.fix(east: 420)
    stage.pass(5)
    stage.fix(east: 430)
    #expect(
      try answers(stage).map(\.text) == [
        "inside the region 'home'; the last fix: too soon (230 m of 200 m beyond its border, for 5 s of "
          + "20 s, accuracy 5 m)",
        "inside the region 'quiet', which does not ask for exits; the last fix: too soon (230 m of 200 m "
          + "beyond its border, for 5 s of 20 s, accuracy 5 m)",
      ])
    stage.pass(20)
    stage.fix(east: 430)
    stage.pass(1)
    stage.fix(east: 440)
    #expect(
      try answers(stage).first?.text
        == "outside the region 'home'; the last fix: too close (240 m before its border, accuracy 5 m)"
    )
  }
}
