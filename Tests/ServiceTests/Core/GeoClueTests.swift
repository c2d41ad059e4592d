// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Geodesy
import LocationEngine
import LocationModel
import ServiceContract
import Testing

@testable import ServiceCore

@Suite("Programs that ask GeoClue")
struct GeoClueTests {
  private static let client = GeoClueClient(1)

  private static func request(
    _ level: AccuracyLevel, distance: UInt32 = 0, time: UInt32 = 0, program: String = "maps"
  ) -> GeoClueRequest {
    GeoClueRequest(program: program, level: level, distance: distance, time: time)
  }

  private static func told(_ effects: [ServiceEffect]) -> [Fix] {
    effects.compactMap { if case .tellGeoClue(client, let fix) = $0 { fix } else { nil } }
  }

  private static func watches(_ effects: [ServiceEffect]) -> [Bool] {
    effects.compactMap { if case .watch(let isOn, _) = $0 { isOn } else { nil } }
  }

  @Test(
    "What a program asks decides which service it is",
    arguments: [
      (request(.country), GeoClueApp.Terms.follows), (request(.city), .follows),
      (request(.city, distance: 1, time: 1), .follows), (request(.neighborhood), .significant),
      (request(.street), .significant), (request(.exact), .standard),
      (request(.exact, distance: 499, time: 299), .standard),
      (request(.exact, distance: 500), .significant), (request(.exact, time: 300), .significant),
    ])
  func terms(request: GeoClueRequest, expected: GeoClueApp.Terms) {
    #expect(GeoClueApp(Self.client, request).terms == expected)
  }

  // GeoClue's `gclue-service-client.c` rounds down so.
  @Test(
    "Any number is a level",
    arguments: [
      (UInt32(0), AccuracyLevel.country), (1, .country), (3, .country), (4, .city),
      (5, .neighborhood), (6, .street), (7, .street), (8, .exact), (UInt32.max, .exact),
    ])
  func levels(number: UInt32, expected: AccuracyLevel) {
    #expect(AccuracyLevel(number: number) == expected)
  }

  @Test("A coarse position is at most the level's radius away, anywhere, and its cell is one place")
  func cells() {
    for level in AccuracyLevel.allCases {
      guard let radius = level.radius else { continue }
      var farthest = 0.0
      for latitude in stride(from: -90.0, through: 90, by: 3.7) {
        for longitude in stride(from: -180.0, to: 180, by: 7.3) {
          let place = Coordinate(clampingLatitude: latitude, wrappingLongitude: longitude)
          let middle = place.middleOfCell(within: radius)
          farthest = max(farthest, place.distance(to: middle))
          // A client that receives the middle may look it up again: it is its own middle.
          #expect(middle.middleOfCell(within: radius).distance(to: middle) < 1)
        }
      }
      #expect(farthest <= radius, "\(level)")
      // Much smaller cells would reveal more than requested.
      #expect(farthest > 0.7 * radius, "\(level)")
    }
  }

  @Test("A program that asks for a city never turns the receiver on, and hears where others were")
  func city() throws {
    var stage = Stage()
    stage.tell(.geoClue(.started(Self.client, Self.request(.city, time: 3_600))))
    stage.pass(7_200)
    var effects = stage.take()
    #expect(Self.watches(effects).allSatisfy { !$0 })
    #expect(Self.told(effects) == [])
    // Another one is exact.
    stage.tell(.geoClue(.started(GeoClueClient(2), Self.request(.exact, program: "walk"))))
    stage.fix()
    stage.fix(east: 10)
    effects = stage.take()
    let told = Self.told(effects)
    #expect(told.count == 1)
    let fix = try #require(told.first)
    #expect(fix.horizontalAccuracy == 15_000)
    #expect((fix.altitude, fix.speed, fix.course) == (nil, nil, nil))
    #expect(fix.coordinate.distance(to: Stage.fix(east: 0, at: .epoch).coordinate) < 15_000)
    // Its cost belongs to the other one.
    stage.pass(60)
    let programs = ServiceDocuments(.status, of: &stage.service).statusDocument().geoClue
    #expect(programs == nil, "nobody has said that it is answered")
    #expect(stage.service.geoClue.accounts.map(\.program) == ["maps", "walk"])
    #expect(stage.service.geoClue.accounts[0].energy == 0)
    stage.tell(.geoClue(.stopped(GeoClueClient(2))))
    #expect(stage.service.geoClue.accounts[1].energy > 0)
    #expect(Self.watches(stage.take()).last == false)
  }

  // fixes at metres    0   30   60   90  120  150
  // told, 100 m        0                 120
  @Test("A distance is from the last one told; the receiver is on for as long as the client asks")
  func distance() {
    var stage = Stage()
    stage.tell(.geoClue(.started(Self.client, Self.request(.exact, distance: 100))))
    #expect(Self.watches(stage.take()) == [true])
    for metres in stride(from: 0.0, through: 150, by: 30) {
      stage.pass(1)
      stage.fix(east: metres)
    }
    let effects = stage.take()
    let origin = Stage.fix(east: 0, at: .epoch).coordinate
    let metres = Self.told(effects).map { $0.coordinate.distance(to: origin).rounded() }
    #expect(metres == [0, 120])
    stage.tell(.geoClue(.stopped(Self.client)))
    #expect(Self.watches(stage.take()).last == false)
  }

  // seconds    0    1 …  10   11 …   30   31
  // metres     0        120  120 …  120  120: it moves, and stops
  // told      yes                   yes
  @Test("Who has moved and stopped before the time was over is told where when it is")
  func stops() {
    var stage = Stage()
    stage.tell(.geoClue(.started(Self.client, Self.request(.exact, distance: 100, time: 30))))
    var told: [Int] = []
    for second in 0...60 {
      if second > 0 { stage.pass(1) }
      stage.fix(east: min(120, 12 * Double(second)))
      if !Self.told(stage.take()).isEmpty { told.append(second) }
    }
    #expect(told == [0, 30])
  }

  @Test("Who asks is told again after a start of the device that somebody played")
  func replayedStart() {
    var stage = Stage()
    stage.tell(.geoClue(.started(Self.client, Self.request(.exact))))
    stage.say(.device(.rebooted(isLocked: false)))
    stage.pass(1)
    _ = stage.take()
    stage.fix()
    #expect(Self.told(stage.take()).count == 1)
  }

  // seconds    0   10   20   30   40   50   60
  // told      yes                 no        yes: 30 s since the last one that was told
  @Test("A time counts from the last location that was told, by the fixes' own time")
  func time() {
    var app = GeoClueApp(Self.client, Self.request(.exact, time: 30))
    var told: [Int] = []
    for second in stride(from: 0, through: 60, by: 10) {
      let time = UTCInstant.epoch.advanced(bySeconds: Double(second))
      if app.fix(toTell: Stage.fix(east: Double(second), at: time)) != nil { told.append(second) }
    }
    #expect(told == [0, 30, 60])
  }

  @Test("Both thresholds must have passed")
  func both() {
    var app = GeoClueApp(Self.client, Self.request(.exact, distance: 100, time: 30))
    let at = { UTCInstant.epoch.advanced(bySeconds: $0) }
    #expect(app.fix(toTell: Stage.fix(east: 0, at: at(0))) != nil)
    #expect(app.fix(toTell: Stage.fix(east: 200, at: at(10))) == nil)
    #expect(app.fix(toTell: Stage.fix(east: 50, at: at(40))) == nil)
    #expect(app.fix(toTell: Stage.fix(east: 101, at: at(50))) != nil)
  }

  @Test("New thresholds of a running client make it another service")
  func changes() {
    var stage = Stage()
    stage.tell(.geoClue(.started(Self.client, Self.request(.exact))))
    stage.fix()
    stage.tell(.geoClue(.changed(Self.client, Self.request(.exact, distance: 1_000))))
    let id = GeoClueApp(Self.client, Self.request(.exact)).id
    #expect(stage.service.engine.services(of: id) == [.significant])
    stage.tell(.geoClue(.stopped(Self.client)))
    #expect(stage.service.engine.state(of: id) == nil)
  }

  @Test("Energy is borne by those whose wish keeps the receiver as it is, in equal parts")
  func shares() {
    var apps = GeoClueAccounts()
    for name in ["a", "b", "c"] { apps.open(request: Self.request(.exact, program: name)) }
    apps.share(upTo: 6, among: ["a", "b"], andOthers: 1)
    #expect(apps.accounts.map(\.energy) == [2, 2, 0])
    apps.share(upTo: 10, among: ["c"], andOthers: 0)
    #expect(apps.accounts.map(\.energy) == [2, 2, 4])
    // Held after the last one left.
    apps.share(upTo: 11, among: [], andOthers: 0)
    #expect(apps.accounts.map(\.energy) == [2, 2, 5])
  }

  @Test("What a service knew of a client is not there after it")
  func restart() throws {
    var stage = Stage()
    stage.tell(.geoClue(.started(Self.client, Self.request(.exact))))
    stage.pass(1)
    let change = stage.service.lastChange()
    var stored = StoredState()
    stored.engine = try #require(change?.engine)
    let next = Stage(stored)
    #expect(next.service.engine.appIDs == [])
    #expect(!next.service.engine.plan.isOn)
  }
}
