// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Foundation
import Geodesy
import JSONText
import LocationEngine
import LocationModel
import ServiceContract
import ServiceSimulation
import Testing

@testable import ServiceCore

// The device's position is in kilometres north of 48° N, 11° E (`ServiceBench.fix`). The zone is a circle of 300 m
// around kilometre 10; it hides a square of a grid whose points lie 600 m apart, which reaches at least 300 m and at
// most 900 m from the zone's centre: kilometre 10 is hidden, kilometres 8 and 12 are not.

@Suite("What a zone hides, from whom, and where it might leak")
struct PrivacyTests {
  static let app = AppID(1)

  private static func zone(
    _ says: PrivacyZone.Telling = .nothing, apps: [String] = []
  ) -> PrivacyZone {
    PrivacyZone(
      name: "home", centre: ServiceBench.fix(10).coordinate, radius: 300, says: says, apps: apps)
  }

  static func sink(_ accuracy: LocationAccuracy = .full) -> AppManifest {
    var declaration = AppDeclaration()
    declaration.authorization = .always
    declaration.accuracy = accuracy
    return AppManifest(
      name: "s", kind: .sink, command: [], directory: "/opt", declaration: declaration,
      service: .significant, sink: SinkSettings(kind: "file"))
  }

  static func bench(
    _ zone: PrivacyZone? = zone(), accuracy: LocationAccuracy = .full
  ) throws -> ServiceBench {
    var bench = try ServiceBench(zones: zone.map { [$0] } ?? [])
    bench.tell(.began(adopted: []))
    bench.tell(.manifest(bench.newClient(), .read(sink(accuracy), missingProgram: nil), id: nil))
    return bench
  }

  /// The deliveries to that sink; all are accepted.
  static func passed(
    _ bench: inout ServiceBench, at kilometre: Double, after seconds: Double = 400
  ) -> [Delivery] {
    bench.wait(seconds)
    var deliveries: [Delivery] = []
    var effects = bench.move(toKilometre: kilometre)
    while !effects.isEmpty {
      let batch = effects.flatMap { effect -> [PendingDelivery] in
        if case .sink(.take(let batch)) = effect { batch.deliveries } else { [] }
      }
      deliveries += batch.map(\.delivery)
      guard let last = batch.last?.delivery.sequence else { break }
      effects = bench.tell(.sink(.took(app, upTo: last)))
    }
    return deliveries
  }

  /// Every place in the stored data, and in all reports of the service to its user.
  private static func isInside(_ place: Coordinate) -> Bool {
    zone().square.distance(to: place) == 0
  }

  /// Numbers of a JSON text that may be latitudes of kilometre 10, to 1 km.
  private static func holdsLatitude(_ json: String) -> Bool {
    json.contains("48.089") || json.contains("48.090") || json.contains("48.088")
      || json.contains("48.091")
  }

  //  km 0 ── told ── km 8 ── told ── km 10 ── nothing, nothing … ── km 12 ── told
  @Test("Within a zone nothing is told or stored, and nothing of it is made up for later")
  func nothing() throws {
    var bench = try Self.bench()
    #expect(Self.passed(&bench, at: 0).count == 1)
    #expect(Self.passed(&bench, at: 8).count == 1)
    for metres in [0.0, 20, -150, 290, 40] {
      #expect(Self.passed(&bench, at: 10 + metres / 1_000) == [])
    }
    let out = Self.passed(&bench, at: 12)
    #expect(out.map(\.sequence) == [3])
    #expect(out.first?.fix.coordinate == ServiceBench.fix(12).coordinate)
    for change in bench.changes {
      #expect(!change.deliveries.contains { Self.isInside($0.delivery.fix.coordinate) })
    }
  }

  @Test("The engine's snapshot, status, explanation and log hold no position of within")
  func traces() throws {
    var bench = try Self.bench()
    _ = Self.passed(&bench, at: 8)
    // The check itself would find one: the place before the zone is in the snapshot.
    let before = try #require(bench.lastChange()?.engine)
    let outside = String(decoding: try JSONEncoder.ofSnapshots.encode(before), as: UTF8.self)
    #expect(outside.contains("48.071"), "the last place outside is kept: 48 + 8 / 111.2")
    for kilometre in [10.0, 10.01, 9.99, 10.05] { _ = Self.passed(&bench, at: kilometre) }
    let snapshot = try #require(bench.lastChange()?.engine)
    let text = String(decoding: try JSONEncoder.ofSnapshots.encode(snapshot), as: UTF8.self)
    for metres in [0.0, 10, -10, 50] {
      let latitude = ServiceBench.fix(10 + metres / 1_000).coordinate.latitude
      #expect(!text.contains("\(latitude)"))
    }
    let status = bench.user(.status).documents
    #expect(status.count == 1)
    #expect(!Self.holdsLatitude(status.joined()))
    #expect(status.joined().contains("hidden: inside the zone 'home'"))
    let explained = try #require(bench.user(.explain("s")).documents.first)
    let document = try ExplanationDocument(json: explained)
    #expect(document.text == "withheld: inside the zone 'home'")
    #expect(
      document.advice == "apps: [s] in that zone of milepostd.yaml lets it see inside")
    #expect(document.answers.map(\.text) == ["withheld (inside the zone 'home')"])
    #expect(!Self.holdsLatitude(explained))
    let log = bench.changes.flatMap(\.log).map(\.text).joined()
    #expect(!Self.holdsLatitude(log))
  }

  @Test(
    "A zone that says its name tells once that it was entered, and that it was left, with a stand-in"
  )
  func name() throws {
    var bench = try Self.bench(Self.zone(.name))
    _ = Self.passed(&bench, at: 8)
    let entered = Self.passed(&bench, at: 10.1)
    #expect(entered.map(\.event) == [.entered("home")])
    let standIn = try #require(entered.first?.fix)
    #expect(standIn.coordinate == Self.zone().square.centre)
    // Three times 300 m.
    #expect(standIn.horizontalAccuracy == 900)
    #expect(standIn.speed == nil && standIn.course == nil && standIn.altitude == nil)
    #expect(Self.passed(&bench, at: 10.2) == [])
    #expect(Self.passed(&bench, at: 9.9) == [])
    let left = Self.passed(&bench, at: 12)
    #expect(left.map(\.event) == [.exited("home"), nil])
    // On the wire it is an event of a region, which has no place.
    let wire = ServerMessage.handing(try #require(entered.first), received: .epoch).encode()
    let text = String(decoding: wire, as: UTF8.self)
    #expect(text.contains("\"class\":\"REGION\"") && text.contains("\"identifier\":\"home\""))
    #expect(!text.contains("latitude") && !text.contains("48."))
  }

  @Test("An app that is named sees inside, and no other does")
  func exempt() throws {
    var bench = try Self.bench(Self.zone(apps: ["s"]))
    _ = Self.passed(&bench, at: 8)
    // The square reaches from kilometre 9.1 to 10.3.
    let inside = Self.passed(&bench, at: 9.3)
    #expect(inside.map(\.fix.coordinate) == [ServiceBench.fix(9.3).coordinate])
    // The same holds after a restart.
    var next = try ServiceBench(stored: bench.store, zones: [Self.zone(apps: ["s"])])
    next.tell(.began(adopted: []))
    next.wait(1_000)
    #expect(Self.passed(&next, at: 9.9).count == 1)
    // And not after it is removed from the list.
    var settings = next.settings
    settings.rules.zones = [Self.zone()]
    next.tell(.settings(.read(settings, changes: []), for: nil, id: nil))
    #expect(Self.passed(&next, at: 10.2) == [])
  }

  @Test("A zone that is new forgets what was remembered of it")
  func newZone() throws {
    var bench = try Self.bench(nil)
    #expect(Self.passed(&bench, at: 10).count == 1)
    var settings = bench.settings
    settings.rules.zones = [Self.zone()]
    bench.tell(.settings(.read(settings, changes: []), for: nil, id: nil))
    let snapshot = try #require(bench.changes.last { $0.engine != nil }?.engine)
    let text = String(decoding: try JSONEncoder.ofSnapshots.encode(snapshot), as: UTF8.self)
    #expect(!text.contains("\(ServiceBench.fix(10).coordinate.latitude)"))
    #expect(bench.changes.last { $0.engine != nil }?.scrubs == true)
  }

  @Test("A zone that is new: history, gpsd's clients and the app's own document forget it too")
  func newZoneElsewhere() throws {
    var bench = try ServiceBench(
      listeners: [.init(port: 2_948, service: .standard, distanceFilter: nil)])
    bench.tell(.began(adopted: []))
    bench.tell(.manifest(bench.newClient(), .read(Self.sink(), missingProgram: nil), id: nil))
    let client = ClientID(77)
    bench.tell(
      .client(.connected(client, .gpsdPort(2_948))), .client(.message(client, .watch(isOn: true))))
    #expect(Self.passed(&bench, at: 8).count == 1)
    #expect(Self.passed(&bench, at: 10).count == 1)
    // Nothing requires a write of the last position: it waits.
    #expect(Self.passed(&bench, at: 10.1, after: 30).isEmpty)
    #expect(Self.places(bench).contains(ServiceBench.fix(10).coordinate.latitude))
    #expect(try Self.lastTold(&bench) != nil)
    var settings = bench.settings
    settings.rules.zones = [Self.zone()]
    bench.tell(.settings(.read(settings, changes: []), for: nil, id: nil))
    #expect(Self.places(bench) == [ServiceBench.fix(8).coordinate.latitude])
    let polled = bench.tell(.client(.message(client, .poll))).messages
    #expect(
      polled.contains { if case .poll(nil, _, _, _) = $0 { true } else { false } }, "\(polled)")
    #expect(try Self.lastTold(&bench) == nil)
  }

  /// The latitudes of the stored history.
  private static func places(_ bench: ServiceBench) -> [Double] {
    let all = HistoryRange(
      from: .epoch, to: UTCInstant(microseconds: 1_000_000_000_000), count: 100)
    return bench.store.history(in: all).compactMap(\.latitude)
  }

  private static func lastTold(_ bench: inout ServiceBench) throws -> AppDocument.LastDelivery? {
    try AppDocument(json: try #require(bench.user(.user(.app("s"))).documents.first)).lastDelivery
  }

  @Test(
    "Who was told that a zone was entered hears that it was left, though no zone is set any more")
  func zoneIsGone() throws {
    var bench = try Self.bench(Self.zone(.name))
    #expect(Self.passed(&bench, at: 10).map(\.event) == [.entered("home")])
    var settings = bench.settings
    settings.rules.zones = []
    bench.tell(.settings(.read(settings, changes: []), for: nil, id: nil))
    #expect(Self.passed(&bench, at: 12).map(\.event) == [.exited("home"), nil])
  }

  //  km 0 ── km 8 ── km 10 ── nothing is taken; the zone comes: what waits of km 10 goes, the rest is sent
  @Test("What waits of a place that a new zone hides is forgotten, and not sent any more")
  func waiting() throws {
    func bench() throws -> ServiceBench {
      var bench = try Self.bench(nil)
      _ = bench.move(toKilometre: 0)
      bench.tell(.sink(.failed(Self.app, upTo: 1, reason: "the disk is full")))
      for kilometre in [8.0, 10] {
        bench.wait(400)
        bench.tell(.sink(.failed(Self.app, upTo: bench.lastPassed.last ?? 0, reason: "full")))
        _ = bench.move(toKilometre: kilometre)
        bench.tell(.sink(.failed(Self.app, upTo: bench.lastPassed.last ?? 0, reason: "full")))
      }
      #expect(bench.store.pending(of: Self.app).map(\.delivery.sequence) == [1, 2, 3])
      return bench
    }
    var reloaded = try bench()
    var settings = reloaded.settings
    settings.rules.zones = [Self.zone()]
    reloaded.tell(.settings(.read(settings, changes: []), for: nil, id: nil))
    #expect(reloaded.store.pending(of: Self.app).map(\.delivery.sequence) == [1, 2])
    #expect(reloaded.changes.contains { $0.scrubs })
    // An app that sees inside still gets it.
    var exempt = try bench()
    settings.rules.zones = [Self.zone(apps: ["s"])]
    exempt.tell(.settings(.read(settings, changes: []), for: nil, id: nil))
    #expect(exempt.store.pending(of: Self.app).count == 3)
    // The zone came while no service ran.
    var next = try ServiceBench(stored: try bench().store, zones: [Self.zone()])
    next.tell(.began(adopted: []))
    #expect(next.lastPassed == [1, 2])
    #expect(next.store.pending(of: Self.app).map(\.delivery.sequence) == [1, 2])
  }

  //  km 8 ── km 10 ── both are on their way; the zone comes; they come back: km 8 is sent again, km 10 is not
  @Test("What is on its way of a place that a new zone hides does not go a second time")
  func onItsWay() throws {
    var bench = try Self.bench(nil)
    for kilometre in [8.0, 10] {
      bench.wait(400)
      _ = bench.move(toKilometre: kilometre)
      if kilometre == 8 {
        bench.tell(.sink(.failed(Self.app, upTo: 1, reason: "full", fault: .later(after: 500))))
      }
    }
    bench.wait(400)
    bench.tell(.timePassed)
    #expect(bench.lastPassed == [1, 2])
    var settings = bench.settings
    settings.rules.zones = [Self.zone()]
    let effects = bench.tell(.settings(.read(settings, changes: []), for: nil, id: nil))
    #expect(effects.contains(.sink(.recall(Self.app))))
    #expect(bench.store.pending(of: Self.app).map(\.delivery.sequence) == [1])
    var recalled = bench
    #expect(
      recalled.tell(.sink(.failed(Self.app, upTo: 2, reason: "recalled", fault: .recalled))).passed
        == [[1]])
    bench.tell(.sink(.failed(Self.app, upTo: 2, reason: "HTTP 503")))
    #expect(bench.user(.control("s", .release)).passed == [[1]])
    var next = try ServiceBench(stored: bench.store, zones: [Self.zone()])
    #expect(next.tell(.began(adopted: [])).passed == [[1]])
  }

  @Test("What was decided under a zone is kept over a restart: its name, told with its stand-in")
  func decidedUnderIt() throws {
    var bench = try Self.bench(Self.zone(.name))
    _ = Self.passed(&bench, at: 8)
    bench.wait(400)
    _ = bench.move(toKilometre: 10.1)
    #expect(bench.store.pending(of: Self.app).map(\.delivery.event) == [.entered("home")])
    var next = try ServiceBench(stored: bench.store, zones: [Self.zone(.name)])
    next.tell(.began(adopted: []))
    #expect(next.store.pending(of: Self.app).count == 1)
  }

  @Test(
    "A position outside that may be one of within is hidden: twice its accuracy reaches the square")
  func coarse() throws {
    let zone = Self.zone()
    let border = 48 + 10 / 111.2 + 0.02
    var fix = ServiceBench.fix(10)
    fix.coordinate = Coordinate(clampingLatitude: border, wrappingLongitude: 11)
    let metres = zone.square.distance(to: fix.coordinate)
    #expect((1_000...2_300).contains(metres))
    fix.horizontalAccuracy = metres / 2 + 1
    #expect(zone.hides(fix, isInside: false))
    fix.horizontalAccuracy = metres / 2 - 1
    #expect(!zone.hides(fix, isInside: false))
    // A device that was inside is visible again from 75 m beyond that on.
    #expect(zone.hides(fix, isInside: true))
    fix.horizontalAccuracy = (metres - 75) / 2 - 1
    #expect(!zone.hides(fix, isInside: true))
  }

  @Test(
    "Homes that are up to 600 m apart hide one and the same square, which holds each one's circle")
  func indistinguishable() {
    // 600 m / 110574 m: one row of the grid. The homes are spread all over one field of it.
    let row = 600 / 110_574.0
    let corner = (48.0 / row).rounded() * row
    var squares: [GridSquare] = []
    for north in [-0.49, -0.2, 0, 0.3, 0.49] {
      for east in [-0.49, 0, 0.49] {
        let column = 600 / (111_319 * cosine((corner + row) * .pi / 180))
        let longitude = ((11 / column).rounded() + east) * column
        let home = Coordinate(
          clampingLatitude: corner + north * row, wrappingLongitude: longitude)
        let zone = PrivacyZone(name: "home", centre: home, radius: 300)
        squares.append(zone.square)
        for direction in stride(from: 0.0, to: 360, by: 15) {
          let edge = LocalFrame(origin: home).point(
            east: 300 * sine(direction * .pi / 180), north: 300 * cosine(direction * .pi / 180))
          #expect(zone.square.distance(to: edge) == 0)
        }
      }
    }
    #expect(squares.allSatisfy { $0.centre.latitude == squares[0].centre.latitude })
    let spread = squares.map { $0.centre.distance(to: squares[0].centre) }.max() ?? 0
    #expect(spread < 1)
  }

  // MARK: Reduced accuracy

  @Test(
    "Reduced accuracy tells one square for as long as the device stays in it, whatever the noise")
  func reduced() throws {
    var bench = try Self.bench(nil, accuracy: .reduced)
    let first = try #require(Self.passed(&bench, at: 0).first?.fix)
    #expect(first.horizontalAccuracy == 5_000)
    #expect(first.speed == nil && first.course == nil)
    #expect(first.coordinate.distance(to: ServiceBench.fix(0).coordinate) < 5_000)
    for metres in [30.0, -40, 700, -900, 20] {
      #expect(Self.passed(&bench, at: metres / 1_000) == [])
    }
    // 20 km further it is certainly another square.
    let next = Self.passed(&bench, at: 20, after: 1_000)
    #expect(next.count == 1)
    #expect(next.first?.fix.coordinate != first.coordinate)
    let told = bench.changes.flatMap(\.deliveries).map(\.delivery.fix.coordinate)
    #expect(Set(told).count == 2)
  }

  @Test(
    "Another square is told after 15 minutes at the earliest: when a border was crossed is not told"
  )
  func slow() {
    let at = { (seconds: Double) in EngineInstant(microseconds: Int64(seconds * 1e6)) }
    var place = ReducedPlace(ServiceBench.fix(0), at: at(0))
    let told = place.standIn(for: ServiceBench.fix(0))
    let isTooSoon = !place.take(fix: ServiceBench.fix(20), at: at(899))
    #expect(isTooSoon)
    #expect(place.standIn(for: ServiceBench.fix(20)).coordinate == told.coordinate)
    // It states the time at which that was right.
    #expect(place.standIn(for: ServiceBench.fix(20)).time == ServiceBench.fix(0).time)
    let isTaken = place.take(fix: ServiceBench.fix(20), at: at(900))
    #expect(isTaken)
    #expect(place.standIn(for: ServiceBench.fix(20)).coordinate != told.coordinate)
  }
}

extension JSONEncoder {
  /// As the store encodes a snapshot.
  fileprivate static var ofSnapshots: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }
}
