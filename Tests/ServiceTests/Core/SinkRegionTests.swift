// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Geodesy
import LocationEngine
import LocationModel
import ServiceContract
import ServiceCore
import Testing

// The device's position is in kilometres north of 48° N, 11° E (`ServiceBench.fix`).

@Suite("Regions that the other side of a sink names, and those of which it may know")
struct SinkRegionTests {
  private static let app = AppID(1)

  private static func region(_ name: String, _ kilometre: Double, _ radius: Double = 100)
    -> MonitoredRegion
  {
    MonitoredRegion(name, centre: ServiceBench.fix(kilometre).coordinate, radius: radius)
  }

  private static func bench(
    _ regions: [MonitoredRegion] = [], zone: PrivacyZone? = nil, accuracy: LocationAccuracy = .full
  ) throws -> ServiceBench {
    var declaration = AppDeclaration()
    declaration.authorization = .always
    declaration.accuracy = accuracy
    var manifest = AppManifest(
      name: "s", kind: .sink, command: [], directory: "/opt", declaration: declaration,
      service: .significant, sink: SinkSettings(kind: "file"))
    manifest.places.regions = regions
    var bench = try ServiceBench(zones: zone.map { [$0] } ?? [])
    bench.tell(.began(adopted: []))
    bench.tell(.manifest(bench.newClient(), .read(manifest, missingProgram: nil), id: nil))
    return bench
  }

  private static func ask(_ changes: RegionChange...) -> ServiceInput {
    .sink(.asks(app, .changeRegions(changes)))
  }

  private static func names(_ bench: ServiceBench) -> [String] {
    bench.service.engine.regions(of: app).map(\.identifier)
  }

  @Test(
    "A named region is monitored, told back, crossed, kept over a restart, and ended by its name")
  func named() throws {
    var bench = try Self.bench()
    let work = Self.region("Work", 5)
    let told = bench.tell(Self.ask(.monitor(work)))
    #expect(told.regions == [[work]])
    #expect(bench.journal.contains("info: s: the other side wants to know of 'Work'"))
    #expect(bench.move(toKilometre: 0).batches.map(\.regions) == [[work]])
    bench.tell(.sink(.took(Self.app, upTo: 1)))
    bench.wait(400)
    var events: [PlaceEvent] = []
    for kilometre in [5, 5.001] {
      let batches = bench.move(toKilometre: kilometre).batches
      events += batches.flatMap { $0.deliveries.compactMap(\.delivery.event) }
      if let last = batches.last?.deliveries.last?.delivery.sequence {
        let next = bench.tell(.sink(.took(Self.app, upTo: last))).batches
        events += next.flatMap { $0.deliveries.compactMap(\.delivery.event) }
      }
      bench.wait(30)
    }
    #expect(events == [.entered("Work")])
    var next = try bench.restarted()
    next.tell(.began(adopted: []))
    #expect(Self.names(next) == ["Work"])
    #expect(next.tell(Self.ask(.stop("Work"))).regions == [[]])
    #expect(Self.names(next) == [])
    #expect(next.journal.contains("info: s: the other side wants no regions any more"))
  }

  @Test("What the manifest names the other side neither changes nor ends; asked twice is told once")
  func own() throws {
    let home = Self.region("home", 0)
    var bench = try Self.bench([home])
    let told = bench.tell(
      Self.ask(.monitor(Self.region("home", 9)), .stop("home"), .monitor(Self.region("a", 1))))
    #expect(told.regions == [[home, Self.region("a", 1)]])
    #expect(
      bench.journal.contains(
        "info: s: the other side cannot change 'home' and 'home', which its manifest names"))
    #expect(bench.tell(Self.ask(.monitor(Self.region("a", 1)))).regions == [])
    #expect(bench.tell(Self.ask(.stopAll)).regions == [[home]])
  }

  @Test("There is room for 20 regions; what is beyond is said word for word")
  func limit() throws {
    var bench = try Self.bench()
    bench.tell(
      .sink(
        .asks(
          Self.app,
          .changeRegions((1...21).map { .monitor(Self.region("r\($0)", Double($0))) }))))
    #expect(Self.names(bench).count == 20)
    #expect(
      bench.journal.contains(
        "info: s: the region 'r21' is not monitored: this app monitors 20 regions, and may not monitor "
          + "more; stop one of them"))
  }

  /// The zone's square reaches at least 300 m and at most 900 m from kilometre 10 (PrivacyTests).
  @Test(
    "A region that reaches into a privacy zone, and each one of a sink told less exactly, stays here"
  )
  func hidden() throws {
    let zone = PrivacyZone(
      name: "z", centre: ServiceBench.fix(10).coordinate, radius: 300)
    let (near, inside, far) = (
      Self.region("near", 12, 1_800), Self.region("inside", 10), Self.region("far", 12)
    )
    var bench = try Self.bench([near, inside, far], zone: zone)
    #expect(bench.move(toKilometre: 0).batches.map(\.regions) == [[far]])
    var reduced = try Self.bench([far], accuracy: .reduced)
    let batches = reduced.move(toKilometre: 0).batches
    #expect(batches.count == 1 && batches[0].regions == nil)
    #expect(bench.user(.authorize("s", .denied)).regions == [[]])
  }

  @Test("A privacy zone that is new reaches what an open sink tells of regions")
  func newZone() throws {
    let (home, far) = (Self.region("home", 10), Self.region("far", 12))
    var bench = try Self.bench([home, far])
    #expect(bench.move(toKilometre: 0).batches.map(\.regions) == [[home, far]])
    var settings = bench.settings
    settings.rules.zones = [
      PrivacyZone(name: "z", centre: ServiceBench.fix(10).coordinate, radius: 300)
    ]
    #expect(
      bench.tell(.settings(.read(settings, changes: []), for: nil, id: nil)).regions == [[far]])
  }
}

extension [ServiceEffect] {
  fileprivate var regions: [[MonitoredRegion]] {
    compactMap { if case .sink(.regions(_, let regions)) = $0 { regions } else { nil } }
  }
}
