// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import JSONText
import LocationModel
import ServiceContract
import ServiceCore
import ServiceSimulation
import Testing

// Time runs to the right; `k` is a kill, `│` a commit.

@Suite("What goes into a sink, over its failures and the service's")
struct SinkTests {
  private static let app = AppID(1)

  private static var manifest: AppManifest {
    var declaration = AppDeclaration()
    declaration.authorization = .always
    return AppManifest(
      name: "s", kind: .sink, command: [], directory: "/opt", declaration: declaration,
      service: .significant, sink: SinkSettings(kind: "file"))
  }

  private static func add(_ bench: inout ServiceBench) {
    bench.tell(.began(adopted: []))
    bench.tell(.manifest(bench.newClient(), .read(manifest, missingProgram: nil), id: nil))
  }

  private func took(_ number: UInt64) -> ServiceInput { .sink(.took(Self.app, upTo: number)) }

  private func failed(_ number: UInt64) -> ServiceInput {
    .sink(.failed(Self.app, upTo: number, reason: "nobody answers"))
  }

  //  1 ──│── passed ── taken ──│   2 ──│── passed
  @Test("An event is stored before it goes out, and goes when it is said to be safe")
  func takes() throws {
    var bench = try ServiceBench()
    Self.add(&bench)
    let effects = bench.move(toKilometre: 0)
    #expect(effects.passed == [[1]])
    #expect(bench.store.pending(of: Self.app).map(\.delivery.sequence) == [1])
    #expect(bench.tell(took(1)).passed == [])
    #expect(bench.store.app(Self.app)?.acknowledged == 1)
    bench.wait(400)
    #expect(bench.move(toKilometre: 2).passed == [[2]])
    // One that was confirmed already, and one that was never sent.
    bench.tell(took(1), took(9))
    #expect(bench.store.app(Self.app)?.acknowledged == 1)
  }

  //  1 ──│── passed ── k      next service: passed again, with 2 behind it
  @Test("A kill brings again what was not said to be safe, and nothing else")
  func killed() throws {
    var bench = try ServiceBench()
    Self.add(&bench)
    #expect(bench.move(toKilometre: 0).passed == [[1]])
    bench.wait(400)
    #expect(bench.move(toKilometre: 2).passed == [])
    var next = try bench.restarted()
    #expect(next.tell(.began(adopted: [])).passed == [[1, 2]])
    next.tell(took(2))
    #expect(try next.restarted().tellBegun().passed == [])
  }

  //  1 ──│── passed ── taken ──│── 2, 3 passed ── 2 is there ──│── k      next service: 3
  @Test("What a sink says within its batch is stored, so that a kill brings the rest alone")
  func killedWithin() throws {
    var bench = try ServiceBench()
    Self.add(&bench)
    _ = bench.move(toKilometre: 0)
    for kilometre in [2, 4] as [Double] {
      bench.wait(400)
      _ = bench.move(toKilometre: kilometre)
    }
    #expect(bench.tell(took(1)).passed == [[2, 3]])
    // One of the batch before says nothing.
    bench.tell(.sink(.passed(Self.app, upTo: 3, of: 1)))
    #expect(bench.store.app(Self.app)?.acknowledged == 1)
    bench.tell(.sink(.passed(Self.app, upTo: 2, of: 3)))
    #expect(bench.store.app(Self.app)?.acknowledged == 2)
    #expect(bench.store.app(Self.app)?.tally?.taken == 2)
    var next = try bench.restarted()
    #expect(next.tell(.began(adopted: [])).passed == [[3]])
    bench.tell(took(3))
    #expect(bench.store.app(Self.app)?.acknowledged == 3)
    #expect(bench.store.app(Self.app)?.tally?.taken == 3)
  }

  //  1 fails ─ 1 s ─ fails ─ 2 s ─ fails … 1,800 s;  2 joins it;  all are taken at last
  @Test("What a sink does not take waits, is tried again ever more rarely, and is never given up")
  func outage() throws {
    var bench = try ServiceBench(retriesFor: 0)
    Self.add(&bench)
    _ = bench.move(toKilometre: 0)
    bench.tell(failed(1))
    // A fifth sooner or later.
    for pause in [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1800, 1800] as [Double] {
      bench.wait(pause * 0.79)
      #expect(bench.tell(.timePassed).passed == [], "within \(pause) s")
      bench.wait(pause * 0.42)
      #expect(bench.tell(.timePassed).passed == [[1]], "after \(pause) s")
      bench.tell(failed(1))
    }
    #expect(
      bench.journal.filter { $0.contains("takes nothing") && $0.hasPrefix("warning") }
        == [
          "warning: s: its sink takes nothing: nobody answers; its events wait, and are tried again until "
            + "it does"
        ])
    #expect(bench.move(toKilometre: 2).passed == [])
    let text = try #require(bench.document(.explain("s"))["text"]?.string)
    #expect(
      text.hasPrefix("its sink takes nothing (nobody answers); 2 events wait, and it is tried"))
    #expect(bench.document(.user(.app("s")))["trouble"]?.string == "nobody answers")
    #expect(bench.user(.control("s", .release)).passed == [[1, 2]])
    bench.tell(took(2))
    #expect(bench.document(.user(.app("s")))["trouble"] == .null)
    #expect(bench.journal.contains("info: s: its sink takes events again, after 14 attempts"))
    #expect(bench.store.dead(of: Self.app) == [])
  }

  @Test("A sink shows in its app's document; its name is taken, and nobody can be it")
  func shown() throws {
    var bench = try ServiceBench()
    Self.add(&bench)
    let app = bench.document(.user(.app("s")))
    #expect(app["kind"]?.string == "sink" && app["sink"]?.string == "file")
    let again = bench.tell(
      .manifest(bench.newClient(), .read(Self.manifest, missingProgram: nil), id: nil))
    #expect(
      again.messages == [
        .error(
          code: .duplicateApp,
          "there is an app 's' already; give it this manifest, and keep its events: `milepost apps update "
            + "MANIFEST`")
      ])
    #expect(
      bench.user(.hello(.init(app: "s"))).messages
        == [.error(code: .notPossible, "'s' is a sink; sinks do not connect")])
  }

  //  1 ──│── passed … stop … taken ──│── over          a sink that was removed: closed, its answer ignored
  @Test("A service that stops waits for what is on its way; a sink that is removed is closed")
  func ends() throws {
    var bench = try ServiceBench()
    Self.add(&bench)
    _ = bench.move(toKilometre: 0)
    var removed = bench
    #expect(removed.user(.remove("s")).contains(.sink(.close(Self.app))))
    removed.tell(took(1))
    bench.tell(.stop)
    #expect(!bench.service.isOver)
    bench.tell(took(1))
    #expect(bench.service.isOver && bench.store.app(Self.app)?.acknowledged == 1)
  }
}

extension ServiceBench {
  mutating func document(_ message: ClientMessage) -> JSONValue {
    for case .document(let json) in user(message).messages {
      return (try? JSONValue.parse(Array(json.utf8).span)) ?? .null
    }
    return .null
  }

  fileprivate func tellBegun() -> [ServiceEffect] {
    var copy = self
    return copy.tell(.began(adopted: []))
  }
}
