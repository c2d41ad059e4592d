// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel
import ServiceContract
import ServiceCore
import ServiceSimulation
import Testing

/// Several consecutive messages that a server calls bad. For a single one see `UplinkTests`.
@Suite("A server that calls all events bad")
struct BadMessageTests {
  private static let app = AppID(1)

  private static var manifest: AppManifest {
    var declaration = AppDeclaration()
    declaration.authorization = .always
    let table: [JSONValue.Member] = [
      .init("kind", "owntracks"), .init("url", "https://server.example:5144/"),
    ]
    return AppManifest(
      name: "s", kind: .sink, command: [], directory: "/opt", declaration: declaration,
      service: .significant, sink: SinkSettings(.object(table)))
  }

  /// A service whose sink has five waiting events under way.
  private static func bench() throws -> ServiceBench {
    var bench = try ServiceBench()
    bench.tell(.began(adopted: []))
    bench.tell(.manifest(bench.newClient(), .read(manifest, missingProgram: nil), id: nil))
    bench.tell(.machine(.network(NetworkReading(isUp: false))))
    for kilometre in [0, 2, 4, 6, 8] as [Double] {
      _ = bench.move(toKilometre: kilometre)
      bench.wait(310)
    }
    bench.tell(.machine(.network(NetworkReading(isUp: true))))
    #expect(bench.lastPassed == [1, 2, 3, 4, 5])
    return bench
  }

  /// Reports the batch under way as bad, `times` times, once per attempt.
  private static func callBad(_ bench: inout ServiceBench, times: Int) {
    for _ in 0..<times {
      bench.tell(
        .sink(
          .failed(
            app, upTo: bench.lastPassed.last ?? 0, reason: "HTTP 400", fault: .badMessage,
            passed: nil)))
      // Longer than each pause: 30 min and a fifth.
      bench.wait(2_200)
      bench.tell(.timePassed)
    }
  }

  private static func took(_ bench: inout ServiceBench) {
    bench.tell(
      .sink(
        .took(
          app, upTo: bench.lastPassed.last ?? 0, traffic: SinkTraffic(up: 700, down: 100))))
  }

  //  1 2 3 4 5: 1 × × × aside, 2 × × × aside, 3 × × × aside, 4 × × × × kept, │ 4 5
  @Test("Three in a row are set aside; then everything is kept, and said, until one is taken")
  func all() throws {
    var bench = try Self.bench()
    Self.callBad(&bench, times: 9)
    #expect(bench.store.dead(of: Self.app).map(\.pending.delivery.sequence) == [1, 2, 3])
    Self.callBad(&bench, times: 4)
    #expect(bench.store.dead(of: Self.app).count == 3)
    // A restart does not reset it either.
    var next = try bench.restarted()
    next.tell(.began(adopted: []))
    Self.callBad(&next, times: 4)
    #expect(next.store.dead(of: Self.app).count == 3)
    #expect(bench.store.pending(of: Self.app).map(\.delivery.sequence) == [4, 5])
    #expect(
      bench.journal.last
        == "warning: s: its sink takes nothing: HTTP 400; it has said so of 3 others in a row, so that something "
        + "else is wrong; its events wait until somebody mends that, and are tried every half hour")
    Self.took(&bench)
    #expect(bench.store.pending(of: Self.app).isEmpty)
  }

  //  1 2 3 4 5: 1 2 aside, │ 3 taken, 4 5 aside
  @Test("One that is taken in between shows that it is the messages")
  func between() throws {
    var bench = try Self.bench()
    Self.callBad(&bench, times: 6)
    bench.tell(
      .sink(
        .failed(
          Self.app, upTo: bench.lastPassed.last ?? 0, reason: "HTTP 400", fault: .badMessage,
          passed: 3)))
    bench.wait(2_200)
    bench.tell(.timePassed)
    Self.callBad(&bench, times: 5)
    #expect(bench.store.dead(of: Self.app).map(\.pending.delivery.sequence) == [1, 2, 4, 5])
    #expect(bench.store.pending(of: Self.app).isEmpty)
  }

  //  1 × 30 s × 60 s × aside
  @Test("A server on this machine is given the same time to be mended as one far away")
  func here() throws {
    var bench = try ServiceBench()
    bench.tell(.began(adopted: []))
    let manifest = UplinkTests.manifest(url: "http://127.0.0.1:8080/in")
    bench.tell(.manifest(bench.newClient(), .read(manifest, missingProgram: nil), id: nil))
    #expect(bench.move(toKilometre: 0).passed == [[1]])
    for pause in [30, 60] as [Double] {
      bench.tell(.sink(.failed(Self.app, upTo: 1, reason: "HTTP 400", fault: .badMessage)))
      bench.wait(pause * 0.79)
      #expect(bench.tell(.timePassed).passed == [], "within \(pause) s")
      bench.wait(pause * 0.42)
      #expect(bench.tell(.timePassed).passed == [[1]], "after \(pause) s")
    }
    bench.tell(.sink(.failed(Self.app, upTo: 1, reason: "HTTP 400", fault: .badMessage)))
    #expect(bench.store.dead(of: Self.app).count == 1)
  }
}
