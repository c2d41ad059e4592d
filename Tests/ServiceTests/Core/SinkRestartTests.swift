// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import JSONText
import LocationEngine
import LocationModel
import ServiceContract
import ServiceCore
import ServiceSimulation
import Testing

// `k` is a machine that is switched off and on again.

@Suite("A sink over restarts, and what it counts")
struct SinkRestartTests {
  private static let app = AppID(1)

  private static func bench(_ manifest: AppManifest, network: String? = nil) throws -> ServiceBench
  {
    var bench = try ServiceBench(network: network)
    bench.tell(.began(adopted: []))
    bench.tell(.manifest(bench.newClient(), .read(manifest, missingProgram: nil), id: nil))
    return bench
  }

  private static func took(_ number: UInt64) -> ServiceInput {
    .sink(.took(app, upTo: number, traffic: SinkTraffic(up: 700, down: 100)))
  }

  //  1 ── 400 s k ── 400 s k ── 100 s ── 100 s: │ 1        1000 s in all
  @Test("max_delay_s is counted from the event, however often the machine is started meanwhile")
  func ignition() throws {
    var bench = try Self.bench(UplinkTests.manifest("s", UplinkTests.patient))
    #expect(bench.move(toKilometre: 0).passed == [])
    for _ in 0..<2 {
      bench = try bench.rebooted(after: 400)
      #expect(bench.tell(.began(adopted: [])).passed == [])
      #expect(bench.sinks["s"]?["pending"]?.number == 1)
    }
    #expect(bench.sinks["s"]?["oldest_s"]?.number == 800)
    bench.wait(100)
    bench.tell(.timePassed)
    #expect(
      bench.sinks["s"]?["text"]?.string
        == "not urgent: it goes in 100 s at the latest, or when the radio is on for another sink")
    bench.wait(100)
    #expect(bench.tell(.timePassed).passed == [[1]])
  }

  @Test("What fell due while nobody ran goes when the service begins")
  func overdue() throws {
    var bench = try Self.bench(UplinkTests.manifest("s", UplinkTests.patient))
    _ = bench.move(toKilometre: 0)
    var next = try bench.rebooted(after: 1001)
    #expect(next.tell(.began(adopted: [])).passed == [[1]])
  }

  //  1 at 5000 s by a clock that is set to 100 s then ── k
  @Test("Where the clock was set back nobody knows how long it has waited, and it goes")
  func clockSetBack() throws {
    var bench = try Self.bench(UplinkTests.manifest("s", UplinkTests.patient))
    bench.wait(5000)
    #expect(bench.move(toKilometre: 0).passed == [])
    var stored = bench.store
    var change = StoreChange()
    change.moment = StoredMoment(
      engine: EngineInstant.zero.advanced(bySeconds: 5000),
      utc: UTCInstant.epoch.advanced(bySeconds: 100), boot: "b", bootClock: 0)
    stored.apply(change)
    var next = try ServiceBench(stored: stored, boot: "c", off: 60)
    #expect(next.tell(.began(adopted: [])).passed == [[1]])
    let row = next.sinks["s"]
    #expect(row?["pending"]?.number == 1 && row?["oldest_s"] == .null)
  }

  // The energy of one such transfer is between 11 and 15 J (`UplinkTests.energy`).
  @Test(
    "What it sent and what that cost is counted over restarts; the time in between is part of a day"
  )
  func counts() throws {
    let network = "lte-2012-huang"
    var bench = try Self.bench(UplinkTests.manifest(), network: network)
    _ = bench.move(toKilometre: 0)
    bench.tell(Self.took(1))
    let first = try #require(bench.sinks["s"])
    let energy = try #require(first["energy_j"]?.number)
    #expect((11.0...15.0).contains(energy) && first["energy_j_per_day"] == .null)
    var next = try bench.rebooted(after: 7200, network: network)
    next.tell(.began(adopted: []))
    var row = try #require(next.sinks["s"])
    for key in ["taken", "transfers", "sent_bytes", "received_bytes", "energy_j", "last_taken"] {
      #expect(row[key] == first[key], "\(key)")
    }
    #expect(row["energy_j_per_day"]?.number.map { abs($0 - energy * 12) < 0.1 } == true)
    _ = next.move(toKilometre: 2)
    next.tell(Self.took(2))
    row = try #require(next.sinks["s"])
    #expect(row["taken"]?.number == 2 && row["sent_bytes"]?.number == 1400)
    #expect(row["energy_j"]?.number.map { abs($0 - 2 * energy) < 0.01 } == true)
  }

  @Test("What a server on this machine is sent is counted, and costs the radio nothing")
  func onThisMachine() throws {
    for host in ["localhost", "LocalHost", "127.0.0.1", "127.255.3.4", "[::1]"] {
      let manifest = UplinkTests.manifest(url: "http://\(host):8080/in")
      var bench = try Self.bench(manifest, network: "lte-2012-huang")
      _ = bench.move(toKilometre: 0)
      bench.tell(Self.took(1))
      let row = try #require(bench.sinks["s"])
      #expect(row["sent_bytes"]?.number == 700 && row["energy_j"] == .null, "\(host)")
    }
    // An ambiguous name.
    var bench = try Self.bench(
      UplinkTests.manifest(url: "http://127.0.0.1.example/in"), network: "lte-2012-huang")
    _ = bench.move(toKilometre: 0)
    bench.tell(Self.took(1))
    #expect(bench.sinks["s"]?["energy_j"]?.number.map { $0 > 11 } == true)
  }

  //  1 × bad ── restart ── │ 1 × bad ── restart ── │ 1 × set aside
  @Test("An event that the other side calls bad is tried three times in all, over restarts too")
  func poison() throws {
    var bench = try Self.bench(UplinkTests.manifest())
    let bad = ServiceInput.sink(
      .failed(Self.app, upTo: 1, reason: "HTTP 400", fault: .badMessage))
    #expect(bench.move(toKilometre: 0).passed == [[1]])
    bench.tell(bad)
    for _ in 0..<2 {
      bench = try bench.restarted()
      #expect(bench.tell(.began(adopted: [])).passed == [[1]])
      bench.tell(bad)
    }
    #expect(bench.store.dead(of: Self.app).map(\.pending.failures) == [3])
    bench = try bench.restarted()
    #expect(bench.tell(.began(adopted: [])).passed == [])
  }

  //  1 × … half an hour's pause; the trial gets through: │ 1
  @Test(
    "A trial that gets through ends a pause; one that does not, and one of a sink at rest, change nothing"
  )
  func trial() throws {
    var bench = try Self.bench(UplinkTests.manifest())
    let id = bench.newClient()
    func tried(_ trial: SinkTrial) -> ServiceInput {
      .sink(.tried(Self.app, trial, for: id, id: nil))
    }
    #expect(bench.move(toKilometre: 0).passed == [[1]])
    #expect(bench.tell(tried(.reached("HTTP 200"))).passed == [], "it is on its way already")
    bench.tell(.sink(.failed(Self.app, upTo: 1, reason: "HTTP 401", fault: .refused)))
    #expect(bench.tell(tried(.failed("HTTP 401"))).passed == [])
    #expect(bench.tell(tried(.reached("HTTP 200"))).passed == [[1]])
    bench.tell(Self.took(1))
    let log = bench.store.log(of: Self.app, count: 100).map(\.text)
    #expect(log.contains("its sink takes events again, after 1 attempt"))
    #expect(bench.tell(tried(.reached("HTTP 200"))).passed == [])
  }

  @Test("The answer to a question of the other side bears that it is one, and no other event does")
  func answer() throws {
    var bench = try Self.bench(UplinkTests.manifest())
    #expect(
      bench.move(toKilometre: 0).batches.flatMap(\.deliveries).map(\.delivery.occasion) == [nil])
    bench.tell(.sink(.asks(Self.app, .reportLocation)), Self.took(1))
    bench.wait(5)
    let asked = bench.move(toKilometre: 0.01).batches.flatMap(\.deliveries)
    #expect(asked.map(\.delivery.occasion) == [.request])
    // Stored with it: a kill in between does not change the sent data.
    var next = try bench.restarted()
    let again = next.tell(.began(adopted: [])).batches.flatMap(\.deliveries)
    #expect(again == asked)
  }
}
