// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Geodesy
import JSONText
import LocationModel
import ServiceContract
import ServiceCore
import ServiceSimulation
import Testing

// Time runs to the right; `h` is a heartbeat, `k` a restart.

@Suite("What a sink sends at rest, so that silence is not taken for a loss")
struct HeartbeatTests {
  private static let app = AppID(1)

  /// A service whose device is at home since a moment, and whose sinks were told.
  private struct Home {
    var bench: ServiceBench
    var seconds = 0.0

    init(
      _ manifests: [AppManifest], network: String? = nil, arrives: Bool = true, ahead: Double = 0
    ) throws {
      bench = try ServiceBench(network: network)
      bench.clockIsAhead = ahead
      bench.tell(.began(adopted: []))
      for var manifest in manifests {
        manifest.places.visits = true
        bench.tell(.manifest(bench.newClient(), .read(manifest, missingProgram: nil), id: nil))
      }
      isSeen(at: 0)
      takeAll()
      guard arrives else { return }
      wait(300)
      isSeen(at: 0)
      takeAll()
    }

    mutating func wait(_ seconds: Double) {
      self.seconds += seconds
      bench.wait(seconds)
    }

    @discardableResult
    mutating func isSeen(at kilometre: Double) -> [ServiceEffect] {
      let fix = Fix(
        time: UTCInstant(microseconds: Int64(seconds * 1e6)),
        coordinate: Coordinate(clampingLatitude: 48 + kilometre / 111.2, wrappingLongitude: 11),
        horizontalAccuracy: 5)
      bench.tell(.timePassed)
      let effects = bench.tell(.gpsd(.fix(fix, device: "/dev/gps")))
      taken += effects.batches
      return effects
    }

    /// Batches on their way.
    var taken: [SinkBatch] = []

    /// Their other sides take all that is on its way.
    mutating func takeAll() {
      while let batch = taken.first {
        taken.removeFirst()
        let last = batch.deliveries.last?.delivery.sequence ?? 0
        taken +=
          bench.tell(
            .sink(.took(batch.app, upTo: last, traffic: SinkTraffic(up: 700, down: 100)))
          ).batches
      }
    }

    mutating func timePassed() -> [SinkBatch] {
      let batches = bench.tell(.timePassed).batches
      taken += batches
      return batches
    }
  }

  private static func manifest(
    _ name: String = "s", every seconds: Double? = nil
  ) -> AppManifest {
    UplinkTests.manifest(name, seconds.map { [.init("heartbeat_s", .number($0))] } ?? [])
  }

  //  arrived ─── 3600 s ─── h ─── 3600 s ─── h
  @Test("In a visit the last position goes again after an hour of silence, with both its times")
  func rests() throws {
    var home = try Home([Self.manifest()])
    home.wait(3599)
    #expect(home.timePassed() == [])
    home.wait(1)
    let batch = try #require(home.timePassed().first)
    let pending = try #require(batch.deliveries.first)
    #expect(batch.deliveries.count == 1 && pending.delivery.occasion == .heartbeat)
    #expect(pending.delivery.isCached && pending.delivery.event == nil)
    #expect(pending.delivery.fix.time == UTCInstant(microseconds: 300_000_000))
    #expect(pending.received == UTCInstant(microseconds: 3_900_000_000))
    home.takeAll()
    home.wait(3600)
    #expect(home.timePassed().count == 1)
  }

  //  arrived ─── seen 60 m away, in the circle ─── h, at the place that was told
  @Test("It repeats the place of the visit, not the newest position, which may be anywhere in it")
  func place() throws {
    var home = try Home([Self.manifest()])
    home.wait(1800)
    home.isSeen(at: 0.06)
    home.takeAll()
    home.wait(1800)
    let pending = try #require(home.timePassed().first?.deliveries.first)
    #expect(pending.delivery.occasion == .heartbeat)
    #expect(pending.delivery.fix.coordinate.latitude == 48)
    #expect(pending.delivery.fix.time == UTCInstant(microseconds: 2_100_000_000))
    #expect(pending.positions.map(\.time) == [UTCInstant(microseconds: 3_900_000_000)])
  }

  //  arrived ─── seen 120 m away, not gone yet ─── nothing
  @Test("A device that may be leaving is not said to be there still")
  func leaving() throws {
    var home = try Home([Self.manifest()])
    home.wait(3000)
    home.isSeen(at: 0.12)
    home.wait(600)
    #expect(home.timePassed() == [])
  }

  //  away, never in a visit ─── 3600 s ─── nothing
  @Test("Outside of a visit nothing goes, and the service wakes once an hour to see that")
  func away() throws {
    var home = try Home([Self.manifest()], arrives: false)
    for _ in 0..<3 {
      home.wait(3600)
      #expect(home.timePassed() == [])
      let due = try #require(home.bench.service.nextDeadline)
      #expect(due.seconds >= home.seconds + 60, "nothing else is due either")
    }
  }

  //  arrived ─── h × ── h × ── … ── all of them │     the other side is away for half a week
  @Test("While the other side is away they wait for it, up to a batch")
  func outage() throws {
    var home = try Home([Self.manifest()])
    home.wait(3600)
    let first = try #require(home.timePassed().first?.deliveries.first?.delivery.sequence)
    let failure = SinkEvent.failed(
      Self.app, upTo: .max, reason: "nobody answers", fault: .later(after: 86_400))
    for hour in 1..<84 {
      let last = home.taken.last?.deliveries.last?.delivery.sequence
      if let last, case .failed(let app, _, let reason, let fault, _, _) = failure {
        home.bench.tell(.sink(.failed(app, upTo: last, reason: reason, fault: fault)))
      }
      home.taken = []
      home.wait(3600)
      _ = home.timePassed()
      let waiting = home.bench.store.pending(of: Self.app)
      #expect(waiting.count == min(64, hour + 1), "after \(hour + 1) h")
      #expect(waiting.first?.delivery.sequence == first)
    }
    let waiting = home.bench.store.pending(of: Self.app)
    let pauses = zip(waiting, waiting.dropFirst()).map {
      UTCInstant.seconds(from: $0.received, to: $1.received)
    }
    #expect(pauses.allSatisfy { $0 == 3600 })
  }

  //  arrived ─── h ─── taken 1800 s later ─── h, 3600 s after the first was made
  @Test("What is taken late is no news of now: the silence counts from when it was made")
  func late() throws {
    var home = try Home([Self.manifest()])
    home.wait(3600)
    #expect(home.timePassed().count == 1)
    home.wait(1800)
    home.takeAll()
    home.wait(1799)
    #expect(home.timePassed() == [])
    home.wait(1)
    #expect(home.timePassed().count == 1)
  }

  //  arrived ─── a day off, k ─── one h
  @Test("After a day without a service one heartbeat goes, and the next after an hour")
  func restart() throws {
    let home = try Home([Self.manifest()])
    var next = try home.bench.rebooted(after: 86_400)
    let batches = next.tell(.began(adopted: [])).batches + next.tell(.timePassed).batches
    #expect(batches.flatMap(\.deliveries).map(\.delivery.occasion) == [.heartbeat])
    let number = try #require(batches.first?.deliveries.last?.delivery.sequence)
    next.tell(.sink(.took(Self.app, upTo: number)))
    next.wait(3599)
    #expect(next.tell(.timePassed).passed == [])
    next.wait(1)
    #expect(next.tell(.timePassed).passed == [[number + 1]])
  }

  //  clock wrong by days:  seen ─── 3600 s ─── h        its time: the position's and 3600 s
  @Test(
    "A heartbeat lies among the positions, whatever the machine's clock says, and whenever it is set",
    arguments: [0, -5 * 86_400, 5 * 86_400] as [Double])
  func wrongClock(ahead: Double) throws {
    var home = try Home([Self.manifest()])
    home.bench.clockIsAhead = ahead
    home.wait(1_800)
    home.isSeen(at: 0)
    home.takeAll()
    for isSet in [false, true] {
      home.wait(3_600)
      if isSet { home.bench.clockIsAhead = 0 }
      let pending = try #require(home.timePassed().first?.deliveries.first)
      #expect(pending.positions.map(\.time.seconds1970) == [home.seconds])
      home.takeAll()
    }
    // The daemon is killed, and another one begins on the same machine.
    home.bench.clockIsAhead = ahead
    var next = try home.bench.restarted()
    next.clockIsAhead = ahead
    next.tell(.began(adopted: []))
    next.wait(3_600)
    let pending = try #require(next.tell(.timePassed).batches.first?.deliveries.first)
    #expect(pending.positions.map(\.time.seconds1970) == [home.seconds + 3_600])
  }

  //  seen at 300 s, off for a day, on ─── h ─── k ─── h
  @Test("After a reboot the clock tells how long nobody watched, but never less than since then")
  func rebooted() throws {
    // How far the clock was ahead before, how far it went on meanwhile, how far it is ahead then.
    let runs: [(before: Double, goesOn: Double, ahead: Double, waits: Double, time: Double)] = [
      (0, 86_400, 0, 0, 300 + 86_400),
      // One without a battery begins where it stopped; within the hour the network sets it, or does not.
      (0, 0, 0, 3_600, 300 + 3_600),
      (-60, 0, -60, 3_600, 300 + 3_600),
      (0, 0, 86_400, 3_600, 300 + 86_400 + 3_600),
      // It was wrong by thirty years, and is right: what the axis makes of that is no measure.
      (-1e9, 1e9 + 86_400, -1e9, 0, 300 + 86_400),
    ]
    for run in runs {
      let home = try Home([Self.manifest()], ahead: run.before)
      var next = try home.bench.rebooted(after: run.goesOn)
      for again in [false, true] {
        next.clockIsAhead = run.ahead
        var batches = next.tell(.began(adopted: [])).batches
        next.wait(again ? 3_600 : run.waits)
        batches += next.tell(.timePassed).batches
        let pending = try #require(batches.first?.deliveries.first, "\(run)")
        #expect(
          pending.positions.map(\.time.seconds1970) == [run.time + (again ? 3_600 : 0)], "\(run)")
        next.tell(.sink(.took(Self.app, upTo: pending.delivery.sequence)))
        next = try next.restarted()
      }
    }
  }

  //  r every 2 h, s every hour: s opens the radio after an hour, and r goes along
  @Test("A heartbeat goes with another sink's, once half of its silence is over")
  func rides() throws {
    var home = try Home([Self.manifest("r", every: 7200), Self.manifest("s")])
    home.wait(3600)
    #expect(home.timePassed().map(\.app.number) == [2])
    // It is due at once, and leaves once it is stored.
    #expect(home.timePassed().map(\.app.number) == [1])
    home.takeAll()
    home.wait(3599)
    #expect(home.timePassed() == [])
  }

  @Test("heartbeat_s: 0 sends none, and wakes nobody; nor does a sink without an other side")
  func off() throws {
    var local = UplinkTests.manifest("file")
    local.sink = SinkSettings(.object([.init("kind", .string("file"))]))
    for manifest in [Self.manifest(every: 0), local] {
      var home = try Home([manifest])
      home.wait(100_000)
      #expect(home.timePassed() == [])
      #expect(home.bench.sinks[manifest.name]?["heartbeat_s"] == .null)
    }
  }

  @Test("Who was denied the location is told nothing of a rest")
  func denied() throws {
    var home = try Home([Self.manifest()])
    home.bench.user(.authorize("s", .denied))
    home.wait(3600)
    #expect(home.timePassed() == [])
    #expect(home.bench.store.pending(of: Self.app).isEmpty)
  }

  // One transfer alone over LTE costs 1.5 to 3 J (Huang's and Verizon's promotion and tail, `UplinkTests.energy`).
  @Test("A day at rest costs 24 transfers, which are metered")
  func energy() throws {
    var home = try Home([Self.manifest()], network: "lte-2021-verizon")
    let before = try #require(home.bench.sinks["s"])
    for _ in 0..<24 {
      home.wait(3600)
      #expect(home.timePassed().count == 1)
      home.takeAll()
    }
    let row = try #require(home.bench.sinks["s"])
    let joules = (row["energy_j"]?.number ?? 0) - (before["energy_j"]?.number ?? 0)
    #expect(row["transfers"]?.number == (before["transfers"]?.number ?? 0) + 24)
    #expect((36.0...72.0).contains(joules), "\(joules) J a day")
    #expect(row["heartbeat_s"]?.number == 3600)
  }
}

extension UTCInstant {
  fileprivate var seconds1970: Double { Double(microseconds) / 1e6 }
}
