// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Geodesy
import LocationEngine
import LocationModel
import ServiceContract
import ServiceCore
import ServiceSimulation
import Testing

// The device's position is in kilometres north of 48° N, 11° E (`ServiceBench.fix`); the zone's square reaches 300 m to
// 900 m from kilometre 10 (`PrivacyTests`).

@Suite("What a recording has of a privacy zone")
struct RecordedZoneTests {
  @Test("A place within is what stands for it, whoever may see inside; all else is as it came")
  func recorded() throws {
    let zone = PrivacyZone(
      name: "home", centre: ServiceBench.fix(10).coordinate, radius: 300, apps: ["s"])
    let bench = try ServiceBench(zones: [zone])
    func place(_ input: ServiceInput) -> Coordinate? {
      switch bench.service.withoutHidden(input) {
      case .gpsd(.fix(let fix, _)), .radio(.fix(let fix)), .radio(.networkFix(let fix)):
        fix.coordinate
      default: nil
      }
    }
    let (inside, outside) = (ServiceBench.fix(10), ServiceBench.fix(8))
    for input in [
      ServiceInput.gpsd(.fix(inside, device: "d")), .radio(.fix(inside)),
      .radio(.networkFix(inside)),
    ] {
      #expect(place(input) == zone.square.centre)
    }
    let seen = ServiceInput.gpsd(.fix(outside, device: "d"))
    #expect(bench.service.withoutHidden(seen) == seen)
  }

  //  km 10 ── waits for an app that may see inside ── a recording begins ── it waits still ── it ends ── it is sent
  @Test("A recording takes nothing from who may see inside, now or afterwards")
  func takesNothing() throws {
    let zone = PrivacyZone(
      name: "home", centre: ServiceBench.fix(10).coordinate, radius: 300, apps: ["s"])
    var bench = try ServiceBench(zones: [zone])
    bench.tell(.began(adopted: []))
    bench.add("s", kind: .handler)
    bench.user(.authorize("s", .always))
    bench.wait(1_000)
    _ = bench.move(toKilometre: 10)
    func stored(_ bench: ServiceBench) -> [Coordinate] {
      bench.store.load().pending.map(\.delivery.fix.coordinate)
    }
    #expect(stored(bench) == [ServiceBench.fix(10).coordinate])
    var recording = try ServiceBench(stored: bench.store, zones: [zone], hidesFromAll: true)
    recording.tell(.began(adopted: []))
    #expect(stored(recording) == stored(bench))
    #expect(recording.service.engine.zonesSeen(by: AppID(1)) == [])
    var next = try ServiceBench(stored: recording.store, zones: [zone])
    next.tell(.began(adopted: []))
    #expect(stored(next) == stored(bench))
    #expect(next.service.engine.zonesSeen(by: AppID(1)) == ["home"])
  }
}
