// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationModel
import ServiceContract
import ServiceSimulation
import Testing

@testable import ServiceCore

@Suite("Crashes: pauses that double, then a hold")
struct CrashRecordTests {
  private func at(_ seconds: Double) -> EngineInstant {
    EngineInstant.zero.advanced(bySeconds: seconds)
  }

  @Test("1, 2, 4, 8 s, and held at the limit")
  func pauses() {
    var record = CrashRecord()
    var now = 100.0
    for pause in [1.0, 2, 4, 8] {
      let answer = record.crashed(at: at(now), limit: 5)
      #expect(answer == pause)
      now += pause + 1
    }
    let held = record.crashed(at: at(now), limit: 5)
    #expect(held == nil)
    record.release()
    #expect(record.crashes.isEmpty)
  }

  @Test("A crash in ten minutes' time counts from the start")
  func forgotten() {
    var record = CrashRecord()
    _ = record.crashed(at: at(0), limit: 3)
    _ = record.crashed(at: at(10), limit: 3)
    let answer = record.crashed(at: at(611), limit: 3)
    #expect(answer == 1)
  }

  @Test("A limit that is lowered holds from the next crash on; one that is raised gives more")
  func changedLimit() {
    var record = CrashRecord()
    for second in 0..<3 { _ = record.crashed(at: at(Double(second)), limit: 5) }
    let held = record.crashed(at: at(3), limit: 2)
    #expect(held == nil)
    var patient = CrashRecord()
    _ = patient.crashed(at: at(0), limit: 2)
    let answer = patient.crashed(at: at(1), limit: 3)
    #expect(answer == 2)
  }

  @Test("The longest pause is a minute")
  func longest() {
    var record = CrashRecord()
    var last: Double?
    for second in 0..<20 { last = record.crashed(at: at(Double(second)), limit: 100) }
    #expect(last == 60)
  }
}

@Suite("Crashes and restarts of the service")
struct CrashingAppTests {
  private static func crash(_ bench: inout ServiceBench) {
    bench.tell(.process(.started(app: "a", pid: 5)))
    bench.tell(.process(.ended(app: "a", .signalled(11))))
    // The longest pause before the fifth crash is 8 s.
    bench.wait(9)
    bench.tell(.timePassed)
  }

  private static func starts(_ effects: [ServiceEffect]) -> Bool {
    effects.contains { if case .start = $0 { true } else { false } }
  }

  //  crash ×3 ── restart ── crash ×2: held ── restart ×2 ── launched by its user ── restart
  @Test("A held app is launched by no restart, but by its user; earlier crashes count")
  func held() throws {
    var bench = try ServiceBench()
    bench.tell(.began(adopted: []))
    bench.add("a", kind: .connected)
    for _ in 0..<3 { Self.crash(&bench) }
    bench = try bench.restarted()
    #expect(Self.starts(bench.tell(.began(adopted: []))))
    for _ in 0..<2 { Self.crash(&bench) }
    for _ in 0..<2 {
      bench = try bench.restarted()
      #expect(!Self.starts(bench.tell(.began(adopted: []))))
      #expect(bench.user(.user(.app("a"))).isHeld)
    }
    #expect(Self.starts(bench.user(.control("a", .launch))))
    bench = try bench.restarted()
    #expect(Self.starts(bench.tell(.began(adopted: []))))
    Self.crash(&bench)
    #expect(!bench.user(.user(.app("a"))).isHeld)
  }

  //  suspended ── its service is killed ── its keeper kills it ── the next service: purged, launched anew
  @Test("A suspended app that its keeper or the kernel kills is purged, and has not crashed")
  func purged() throws {
    var bench = try ServiceBench()
    bench.tell(.began(adopted: []))
    bench.add("a", kind: .connected)
    bench.tell(.process(.started(app: "a", pid: 5)))
    bench.wait(6)
    #expect(bench.tell(.timePassed).contains(.freeze("a")))
    let killed = ServiceInput.process(.ended(app: "a", .signalled(9)))
    var next = try bench.restarted()
    next.tell(killed)
    #expect(Self.starts(next.tell(.began(adopted: []))), "as at each start of a service")
    bench.tell(killed)
    for bench in [bench, next] { #expect(bench.store.app(AppID(1))?.crashes == nil) }
    var log = next.store.log(of: AppID(1), count: 100).map(\.text)
    #expect(log.contains("suspended to not running: purged"))
    log = bench.store.log(of: AppID(1), count: 100).map(\.text)
    #expect(log.suffix(2) == ["ended by signal 9", "suspended to not running: purged"])
  }

  @Test("A running app that is killed has crashed, and one that ends while it is being frozen too")
  func killed() throws {
    for (seconds, ending) in [(0, .signalled(9)), (6, .exited(status: 1)), (6, .signalled(11))]
      as [(Double, ProcessEvent.Ending)]
    {
      var bench = try ServiceBench()
      bench.tell(.began(adopted: []))
      bench.add("a", kind: .connected)
      bench.tell(.process(.started(app: "a", pid: 5)))
      bench.wait(seconds)
      bench.tell(.timePassed)
      bench.tell(.process(.ended(app: "a", ending)))
      #expect(bench.store.app(AppID(1))?.crashes?.times.count == 1)
    }
  }
}

extension [ServiceEffect] {
  /// Whether the document of an app says that it is held.
  fileprivate var isHeld: Bool {
    messages.contains {
      if case .document(let json) = $0 {
        json.contains("\"held\":\"5 crashes within 10 min\"")
      } else {
        false
      }
    }
  }
}
