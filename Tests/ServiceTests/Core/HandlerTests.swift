// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import JSONText
import LocationModel
import ServiceContract
import ServiceCore
import ServiceSimulation
import Testing

// Time runs to the right; `k` is a kill, `│` a commit.

/// Found by the simulator; each failed before its fix.
@Suite("Runs of a handler over kills and a full disk")
struct HandlerTests {
  /// A service with one handler that has its first event, and the resulting effects.
  private func first(outboxLimit: Int = 100) throws -> (ServiceBench, [ServiceEffect]) {
    var bench = try ServiceBench(outboxLimit: outboxLimit)
    bench.tell(.began(adopted: []))
    bench.add("h", kind: .handler)
    let effects = bench.move(toKilometre: 0)
    return (bench, effects)
  }

  private func ended(_ status: Int32) -> ServiceInput {
    .process(.ended(app: "h", .exited(status: status)))
  }

  //  event 1, release ──│── run announced ──│── start       never: ──│── start
  @Test("A run begins when it is stored that it does, however often its outbox is looked at")
  func announced() throws {
    var bench = try ServiceBench()
    bench.tell(.began(adopted: []))
    bench.add("h", kind: .handler)
    let user = bench.newClient()
    // Each of the two looks at the outbox.
    let effects = bench.tell(
      .gpsd(.fix(ServiceBench.fix(0), device: "/dev/gps")),
      .client(.message(user, .control("h", .release))), killAfter: { ![$0].runs.isEmpty })
    #expect(effects.runs == ["1"])
    #expect(bench.store.app(AppID(1))?.run == 1)
  }

  //  run 1 ─ ends well ─│─ (forget) k   next service: told of that end once more; event 2 waits
  @Test("The end of a run that is stored already settles no other event")
  func toldTwice() throws {
    var (bench, effects) = try first()
    #expect(effects.runs == ["1"])
    bench.tell(.process(.started(app: "h", pid: 2)))
    bench.wait(400)
    _ = bench.move(toKilometre: 2)
    #expect(bench.store.pending(of: AppID(1)).map(\.delivery.sequence) == [1, 2])
    bench.tell(ended(0), killAfter: { $0 == .forget("h") })
    #expect(bench.store.app(AppID(1))?.acknowledged == 1)

    var next = try bench.restarted()
    next.tell(ended(0))
    #expect(next.store.app(AppID(1))?.acknowledged == 1)
    effects = next.tell(.began(adopted: []))
    #expect(effects.runs == ["2"])
  }

  //  run 1 ─ ends well ─ (the disk is full) … k       the keeper still tells of it
  //                                         … │ ─ forget
  @Test("A keeper forgets an end when it is stored, and not while the disk is full")
  func fullDisk() throws {
    var (bench, _) = try first()
    bench.tell(.process(.started(app: "h", pid: 2)))
    bench.storeTrouble = "the disk is full"
    #expect(bench.tell(ended(0)).forgotten == [])
    var killed = try bench.restarted()
    killed.tell(ended(0))
    #expect(killed.tell(.began(adopted: [])).runs == [])

    bench.storeTrouble = nil
    #expect(bench.user(.control("h", .release)).forgotten == ["h"])
    #expect(bench.store.app(AppID(1))?.acknowledged == 1)
  }

  //  1 and 2 are given up; both are sent again as 3 and 4 into an outbox for one: 3 is dropped
  @Test("What goes for an event that is sent again is gone in the store as well")
  func resent() throws {
    var bench = try ServiceBench(outboxLimit: 1, retriesFor: 0)
    bench.tell(.began(adopted: []))
    bench.add("h", kind: .handler)
    for kilometre in [0.0, 2] {
      _ = bench.move(toKilometre: kilometre)
      bench.tell(.process(.started(app: "h", pid: 2)))
      bench.tell(ended(1))
      bench.wait(400)
    }
    #expect(bench.store.dead(of: AppID(1)).map(\.pending.delivery.sequence) == [1, 2])
    let effects = bench.user(.resend("h", nil))
    #expect(effects.runs == ["4"])
    #expect(bench.store.pending(of: AppID(1)).map(\.delivery.sequence) == [4])
  }

  //  1 ×1 s×2 s×4 s×8 s× given up    2, which waited meanwhile: the same
  @Test(
    "Each event has its own time for being tried again, also one that waited behind a failing one")
  func queued() throws {
    // 1 + 2 + 4 + 8 s of pauses are 15 s; with the next one, 16 s, they would be 31.
    var bench = try ServiceBench(retriesFor: 16)
    bench.tell(.began(adopted: []))
    bench.add("h", kind: .handler)
    _ = bench.move(toKilometre: 0)
    bench.wait(400)
    _ = bench.move(toKilometre: 2)
    for number in 1...2 {
      for pause in [1, 2, 4, 8, nil] as [Double?] {
        bench.tell(.process(.started(app: "h", pid: 2)))
        bench.tell(ended(1))
        let dead = bench.store.dead(of: AppID(1)).map(\.pending)
        #expect(dead.count == (pause == nil ? number : number - 1), "event \(number)")
        guard let pause else { continue }
        bench.wait(pause)
        #expect(bench.tell(.timePassed).runs == ["\(number)"], "event \(number)")
      }
    }
    #expect(bench.store.dead(of: AppID(1)).map(\.pending.failures) == [5, 5])
  }

  //  1 ─ handled ─ k ─ list: the time of 1
  @Test("The last delivery is known to the next service too, whether it waits or was taken")
  func lastDelivery() throws {
    for isTaken in [false, true] {
      var (bench, _) = try first()
      if isTaken {
        bench.tell(.process(.started(app: "h", pid: 2)))
        bench.tell(ended(0))
      }
      let before = try #require(bench.apps["h"]?["last_delivery"]?.string)
      var next = try bench.restarted()
      next.tell(.began(adopted: []))
      #expect(next.apps["h"]?["last_delivery"]?.string == before)
      next.wait(1)
      next.user(.forget(Forgetting(app: "h")))
      #expect(next.apps["h"]?["last_delivery"] == .null)
    }
  }

  //  1 2 3: full ── worked off ── 4 5 6: full
  @Test("An outbox that is full again is reported again, once what waited was worked off")
  func fullAgain() throws {
    var (bench, _) = try first(outboxLimit: 2)
    func reports() -> Int {
      bench.store.log(of: AppID(1), count: 1000).count { $0.kind == "lost" }
    }
    for round in 1...2 {
      for step in 1...3 {
        bench.wait(400)
        _ = bench.move(toKilometre: Double(round * 10 + step * 2))
      }
      #expect(reports() == round, "told once, however many go")
      while !bench.store.pending(of: AppID(1)).isEmpty {
        bench.tell(.process(.started(app: "h", pid: 2)))
        bench.tell(ended(0))
      }
    }
  }

  @Test("What was given up and taken back while the disk was full waits for it no longer")
  func carried() {
    var change = StoreChange()
    let delivery = Delivery(
      sequence: 5, service: .significant, fix: ServiceBench.fix(0), isCached: false, moved: nil,
      since: nil)
    let instant = UTCInstant(microseconds: 0)
    change.dead = [
      DeadDelivery(
        pending: .init(app: AppID(1), delivery: delivery, received: instant), at: instant,
        reason: "no")
    ]
    change.revived = [.init(AppID(1), 5), .init(AppID(1), 3)]
    let carried = change.carriedOver { _, _ in false }
    #expect(carried.dead == [])
    // That one had been given up before, and is stored.
    #expect(carried.revived == [.init(AppID(1), 3)])
  }
}
