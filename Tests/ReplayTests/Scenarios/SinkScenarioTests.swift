// SPDX-License-Identifier: Apache-2.0

import ServiceContract
import Testing

@testable import Replay

/// What it sends is among the goldens of shipped scenarios (`van`).
@Suite("A sink in a scenario")
struct SinkScenarioTests {
  private static let usual = "kind: overland, url: 'https://timeline.example'"

  @Test(
    "Faults of its table are found here, too",
    arguments: [
      (
        "{kind: overland}",
        "sink.url: missing; say where it sends, as in 'https://timeline.example'"
      ),
      (
        "{kind: overland, url: 'https://t.example', hearbeat_s: 60}",
        "sink.hearbeat_s: unknown; did you mean 'heartbeat_s'?"
      ),
      (
        "{kind: overland, url: 'https://t.example', heartbeat_s: 5}",
        "sink.heartbeat_s: 5 is too often"
      ),
      ("overland", "sink: 'overland' where a table was expected"),
    ])
  func faults(sink: String, words: String) throws {
    let found = try problems("apps: [{name: van, sink: \(sink)}]")
    #expect(found.contains(words), "\(found)")
  }

  @Test("A sink has no code, and what its server alone needs is of no matter")
  func keys() throws {
    let found = try problems(
      "apps: [{name: van, sink: {\(Self.usual)}, on launch: start significant}]")
    #expect(found.contains("on launch"), "\(found)")
    let scenario = try read(
      "apps: [{name: van, sink: {\(Self.usual), device: van, token_file: /etc/token}, expect: silent for at most 65 min}]"
    )
    #expect(scenario.apps[0].sink?.sink?.kind == "overland")
    #expect(scenario.expectations.map(\.claim) == [.silence(atMost: 3_900)])
  }
}
