// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import JSONText
import LocationModel
import RadioPower
import ServiceContract
import ServiceCore
import ServiceSimulation
import Testing

// Time runs to the right; `│` is a try, `×` one that fails.

@Suite("When a sink's events go, and what follows from an answer")
struct UplinkTests {
  private static let app = AppID(1)

  static func manifest(
    _ name: String = "s", _ keys: [JSONValue.Member] = [], url: String = "https://server.example/in"
  ) -> AppManifest {
    var declaration = AppDeclaration()
    declaration.authorization = .always
    let table: [JSONValue.Member] = [
      .init("kind", .string("webhook")), .init("url", .string(url)),
    ]
    return AppManifest(
      name: name, kind: .sink, command: [], directory: "/opt", declaration: declaration,
      service: .significant, sink: SinkSettings(.object(table + keys)))
  }

  private static func bench(
    _ manifests: [AppManifest], network: String? = nil
  ) throws -> ServiceBench {
    var bench = try ServiceBench(network: network)
    bench.tell(.began(adopted: []))
    for manifest in manifests {
      bench.tell(.manifest(bench.newClient(), .read(manifest, missingProgram: nil), id: nil))
    }
    return bench
  }

  static let patient: [JSONValue.Member] = [
    .init("urgent", .bool(false)), .init("max_delay_s", .number(1000)),
  ]

  private func took(_ number: UInt64, of app: UInt32 = 1, bytes: Int = 700) -> ServiceInput {
    .sink(.took(AppID(app), upTo: number, traffic: SinkTraffic(up: bytes, down: 100)))
  }

  private func failed(
    _ number: UInt64, _ fault: SinkFault, passed: UInt64? = nil
  ) -> ServiceInput {
    .sink(
      .failed(Self.app, upTo: number, reason: "HTTP 4xx", fault: fault, passed: passed))
  }

  //  1 ─────────── 2 ─────── 1000 s after 1: │ 1 2
  @Test("What is not urgent goes together, when the oldest has waited for max_delay_s")
  func batches() throws {
    var bench = try Self.bench([Self.manifest("s", Self.patient)])
    #expect(bench.move(toKilometre: 0).passed == [])
    bench.wait(400)
    #expect(bench.move(toKilometre: 2).passed == [])
    let row = try #require(bench.sinks["s"])
    #expect(row["state"]?.string == "gathering")
    #expect(row["pending"]?.number == 2)
    #expect(
      row["text"]?.string
        == "not urgent: it goes in 10 min at the latest, or when the radio is on for another sink")
    bench.wait(599)
    #expect(bench.tell(.timePassed).passed == [])
    bench.wait(1)
    #expect(bench.tell(.timePassed).passed == [[1, 2]])
  }

  //  s is urgent, r may wait; both hear 1: s opens the radio and r goes along
  @Test(
    "What may wait rides along when another sink opens the radio; where rides = false it does not")
  func rides() throws {
    let still = Self.patient + [.init("rides", .bool(false))]
    var bench = try Self.bench([
      Self.manifest("r", Self.patient), Self.manifest("s"), Self.manifest("t", still),
    ])
    let batches = bench.move(toKilometre: 0).batches
    #expect(batches.map(\.app.number) == [2, 1])
  }

  @Test("A file and a server on this machine open no radio")
  func localSinks() throws {
    let local = Self.manifest("s", url: "http://127.0.0.1:8080/in")
    var bench = try Self.bench([Self.manifest("r", Self.patient), local])
    #expect(bench.move(toKilometre: 0).batches.map(\.app.number) == [2])
  }

  //  1 × 503 with Retry-After: 3600
  @Test("The other side's Retry-After is kept, for a day at most")
  func retryAfter() throws {
    var bench = try Self.bench([Self.manifest()])
    #expect(bench.move(toKilometre: 0).passed == [[1]])
    bench.tell(failed(1, .later(after: 3600)))
    bench.wait(3599)
    #expect(bench.tell(.timePassed).passed == [])
    bench.wait(1)
    #expect(bench.tell(.timePassed).passed == [[1]])
    bench.tell(failed(1, .later(after: 1e9)))
    bench.wait(86_401)
    #expect(bench.tell(.timePassed).passed == [[1]])
  }

  @Test("Not let in: nothing is lost, and it is tried about every half hour")
  func refused() throws {
    var bench = try Self.bench([Self.manifest()])
    _ = bench.move(toKilometre: 0)
    for _ in 0..<5 {
      bench.tell(failed(1, .refused))
      bench.wait(1800 * 0.79)
      #expect(bench.tell(.timePassed).passed == [])
      bench.wait(1800 * 0.42)
      #expect(bench.tell(.timePassed).passed == [[1]])
    }
    #expect(
      bench.journal.contains(
        "warning: s: its sink takes nothing: HTTP 4xx; its events wait until somebody mends that, and are "
          + "tried every half hour"))
    #expect(bench.store.pending(of: Self.app).count == 1)
  }

  //  1 2 3 wait: │ 1 2 3 × bad after 1; │ 2 × │ 2 × set aside; │ 3
  @Test("A message that the other side cannot use goes alone, three times, and is then set aside")
  func poison() throws {
    var bench = try Self.bench([Self.manifest("s", Self.patient)])
    for kilometre in [0, 2, 4] as [Double] {
      _ = bench.move(toKilometre: kilometre)
      bench.wait(310)
    }
    bench.wait(100)
    #expect(bench.tell(.timePassed).passed == [[1, 2, 3]])
    bench.tell(failed(3, .badMessage, passed: 1))
    #expect(bench.store.app(Self.app)?.acknowledged == 1)
    for _ in 0..<2 {
      bench.wait(2000)
      #expect(bench.tell(.timePassed).passed == [[2]])
      bench.tell(failed(2, .badMessage))
    }
    #expect(bench.store.dead(of: Self.app).map(\.pending.delivery.sequence) == [2])
    #expect(bench.store.dead(of: Self.app).map(\.reason) == ["HTTP 4xx"])
    bench.wait(2000)
    let rest = bench.tell(.timePassed).passed
    #expect(rest == [] && bench.lastPassed == [3], "it went at once, when 2 was out of the way")
    bench.tell(took(3))
    #expect(bench.sinks["s"]?["given_up"]?.number == 1)
  }

  //  no network: nothing is tried; back: │
  @Test("Without a network nothing is tried; when it is back what waits goes at once")
  func network() throws {
    var bench = try Self.bench([Self.manifest()])
    bench.tell(.machine(.network(NetworkReading(isUp: false))))
    #expect(bench.move(toKilometre: 0).passed == [])
    #expect(bench.sinks["s"]?["text"]?.string == "there is no network")
    #expect(
      bench.tell(.machine(.network(NetworkReading(isUp: true, isMetered: true)))).passed == [[1]])
    bench.tell(failed(1, .later(after: nil)))
    bench.tell(.machine(.network(NetworkReading(isUp: false))))
    bench.wait(3000)
    #expect(bench.tell(.timePassed).passed == [])
    #expect(bench.tell(.machine(.network(NetworkReading(isUp: true)))).passed == [[1]])
  }

  @Test("A server on the local network needs no way out of it")
  func local() throws {
    var bench = try Self.bench([Self.manifest(url: "http://192.168.1.2:8080/in")])
    bench.tell(.machine(.network(NetworkReading(isUp: false))))
    #expect(bench.move(toKilometre: 0).passed == [[1]])
  }

  @Test("A sink that spares a metered connection waits for another one")
  func metered() throws {
    let sparing = Self.manifest("s", [.init("on_metered", .string("wait"))])
    var bench = try Self.bench([sparing])
    bench.tell(.machine(.network(NetworkReading(isUp: true, isMetered: true))))
    #expect(bench.move(toKilometre: 0).passed == [])
    #expect(
      bench.sinks["s"]?["text"]?.string == "the network is metered, and on_metered says wait")
    #expect(
      bench.tell(.machine(.network(NetworkReading(isUp: true, isMetered: false)))).passed == [[1]])
  }

  @Test(
    "A sink that keeps the last event sends that alone after an outage, and calls the others no loss"
  )
  func keepsLast() throws {
    var bench = try Self.bench([Self.manifest("s", [.init("keep", .string("last"))])])
    bench.tell(.machine(.network(NetworkReading(isUp: false))))
    for kilometre in [0, 2, 4] as [Double] {
      _ = bench.move(toKilometre: kilometre)
      bench.wait(310)
    }
    #expect(bench.tell(.machine(.network(NetworkReading(isUp: true)))).passed == [[3]])
    #expect(bench.store.pending(of: Self.app).map(\.delivery.sequence) == [3])
    #expect(!bench.journal.contains { $0.contains("outbox is full") })
  }

  @Test("The other side may ask for the present position, also in its answer to a batch")
  func asks() throws {
    var bench = try Self.bench([Self.manifest()])
    _ = bench.move(toKilometre: 0)
    bench.tell(.sink(.asks(Self.app, .reportLocation)), took(1))
    #expect(bench.state == "active")
    bench.wait(5)
    #expect(bench.move(toKilometre: 0.01).passed == [[2]])
    #expect(bench.state == "background", "it has what it asked for, whenever that is taken")
  }

  @Test("A side that asks in each of its answers is told once, and again after a minute")
  func asksForEver() throws {
    var bench = try Self.bench([Self.manifest()])
    _ = bench.move(toKilometre: 0)
    bench.tell(.sink(.asks(Self.app, .reportLocation)), took(1))
    bench.wait(5)
    #expect(bench.move(toKilometre: 0.01).passed == [[2]])
    bench.tell(.sink(.asks(Self.app, .reportLocation)), took(2))
    bench.wait(5)
    #expect(bench.move(toKilometre: 0.02).passed == [], "it has it")
    bench.wait(60)
    bench.tell(.sink(.asks(Self.app, .reportLocation)))
    #expect(bench.move(toKilometre: 0.03).passed == [[3]])
  }

  //  r is patient; s passes, and is removed
  @Test("A sink that is removed while its batch is on the way leaves no radio on")
  func removed() throws {
    var bench = try Self.bench([Self.manifest("s")])
    #expect(bench.move(toKilometre: 0).passed == [[1]])
    bench.user(.remove("s"))
    bench.wait(400)
    bench.tell(
      .manifest(
        bench.newClient(), .read(Self.manifest("r", Self.patient), missingProgram: nil), id: nil))
    #expect(bench.move(toKilometre: 2).passed == [])
  }

  @Test("Nothing rides in the tail of a batch that sent nothing")
  func nothingSent() throws {
    var bench = try Self.bench([Self.manifest("s")], network: "lte-2012-huang")
    _ = bench.move(toKilometre: 0)
    bench.tell(.sink(.failed(Self.app, upTo: 1, reason: "there is no password", fault: .refused)))
    bench.wait(1)
    bench.tell(
      .manifest(
        bench.newClient(), .read(Self.manifest("r", Self.patient), missingProgram: nil), id: nil))
    #expect(bench.move(toKilometre: 2).passed == [])
    #expect(bench.sinks["s"]?["transfers"]?.number == 0)
  }

  //  keep = last: │ 1, 2 takes its place, × bad; │ 2 ×  │ 2 ×  │ 2 × set aside
  @Test("A message that came while a bad one was on the way has its own three tries")
  func innocent() throws {
    var bench = try Self.bench([Self.manifest("s", [.init("keep", .string("last"))])])
    #expect(bench.move(toKilometre: 0).passed == [[1]])
    bench.wait(400)
    #expect(bench.move(toKilometre: 2).passed == [])
    bench.tell(failed(1, .badMessage))
    for _ in 0..<3 {
      #expect(bench.store.dead(of: Self.app) == [])
      bench.wait(2000)
      #expect(bench.tell(.timePassed).passed == [[2]])
      bench.tell(failed(2, .badMessage))
    }
    #expect(bench.store.dead(of: Self.app).map(\.pending.delivery.sequence) == [2])
  }

  @Test("Who tries a sink that is removed meanwhile hears that")
  func trialOfRemoved() throws {
    var bench = try Self.bench([Self.manifest()])
    guard case .sink(.probe(let batch, let client, let id))? = bench.user(.trySink("s")).first
    else {
      Issue.record("no probe")
      return
    }
    bench.user(.remove("s"))
    #expect(
      bench.tell(.sink(.tried(batch.app, .reached("yes"), for: client, id: id))).messages
        == [.error(code: .unknownApp, "the sink was removed while it was tried")])
  }

  @Test("A trial's answer goes to who asked; of a name that is no sink that is said")
  func trial() throws {
    var bench = try Self.bench([Self.manifest()])
    let effects = bench.user(.trySink("s"))
    guard case .sink(.probe(let batch, let client, let id))? = effects.first else {
      Issue.record("no probe: \(effects)")
      return
    }
    #expect(batch.deliveries.isEmpty)
    let answer = bench.tell(.sink(.tried(batch.app, .failed("HTTP 401"), for: client, id: id)))
    guard case .document(let json)? = answer.messages.first else {
      Issue.record("no answer: \(answer)")
      return
    }
    #expect(
      json
        == #"{"class":"SINK_TRIAL","schema":"milepost.sink-trial/1","name":"s","reached":false,"text":"HTTP 401"}"#
    )
    #expect(
      bench.user(.trySink("x")).messages
        == [.error(code: .unknownApp, "there is no sink 'x'; known: s")])
  }

  //  1 2 on their way ─ denied: recalled ─ 1 had left, 2 waits ─ always: 2
  @Test("A denial recalls the batch on its way; what had not left waits for a yes")
  func recalled() throws {
    var bench = try Self.bench([Self.manifest()])
    _ = bench.move(toKilometre: 0)
    bench.tell(failed(1, .later(after: 500)))
    bench.wait(400)
    #expect(bench.move(toKilometre: 2).passed == [])
    bench.wait(400)
    #expect(bench.tell(.timePassed).passed == [[1, 2]])
    #expect(bench.user(.authorize("s", .whenInUse)).contains(.sink(.recall(Self.app))) == false)
    #expect(bench.user(.authorize("s", .denied)).contains(.sink(.recall(Self.app))))
    #expect(bench.tell(failed(2, .recalled, passed: 1)).passed == [])
    #expect(bench.store.pending(of: Self.app).map(\.delivery.sequence) == [2])
    bench.wait(3_600)
    #expect(bench.tell(.timePassed).passed == [])
    #expect(bench.user(.authorize("s", .always)).passed == [[2]])
    #expect(!bench.journal.contains { $0.contains("recalled") })
  }

  // LTE of Huang (2012) as `lte` has it: 0.26 s of promotion at 1,210.7 mW; data at 1,288 mW; a tail of 11.6 s at
  // 1,060 mW. Two transfers together cost one promotion and one tail less than two apart.
  @Test("What a transfer adds is metered, and the second of two in one tail is cheap")
  func energy() throws {
    var bench = try Self.bench([Self.manifest("r"), Self.manifest("s")], network: "lte-2012-huang")
    #expect(bench.move(toKilometre: 0).batches.count == 2)
    bench.tell(took(1), took(1, of: 2))
    let first = try #require(bench.sinks["r"]?["energy_j"]?.number)
    let second = try #require(bench.sinks["s"]?["energy_j"]?.number)
    #expect((11.0...15.0).contains(first), "\(first)")
    #expect(second < 1, "\(second)")
    bench.wait(7200)
    #expect(
      bench.sinks["r"]?["energy_j_per_day"]?.number.map { abs($0 - first * 12) < 0.1 } == true)
  }
}

extension ServiceBench {
  /// The first app's state in its document.
  fileprivate var state: String? {
    mutating get {
      guard case .document(let json)? = user(.user(.app("s"))).messages.first else { return nil }
      return try? JSONValue.parse(Array(json.utf8).span)["state"]?.string
    }
  }
}
