// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import RadioPower
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

  // The device lies still. The receiver has its first position after the network is lost, so three events wait for it:
  //
  //     lost at 40 min ·· position ·· arrived ·· heartbeat ·· back at 170 min: all three │ a heartbeat at 180 min
  //
  // The profile wifi-2012-huang: a promotion of 79.1 ms at 124.4 mW is 9.840 mJ, a tail of 238.1 ms at 119.3 mW 28.405 mJ,
  // and at 10 Mbit/s the radio takes 132.86 + 10 × 283.17 = 2,964.56 mW. A transfer is 700 B and 200 B for each position:
  // 1,300 B are 1.04 ms, 3.083 mJ, and 900 B are 0.72 ms, 2.134 mJ. So both take 2 × 38.245 + 3.083 + 2.134 = 81.708 mJ.
  @Test("What a sink sends is metered as transfers: one for each batch, with its positions' bytes")
  func metered() throws {
    let scenario = try read(
      """
      apps: [{name: timeline, sink: {\(Self.usual), heartbeat_s: 3600}}]
      then:
        - {at: 40 min, do: network lost}
        - {at: 170 min, do: network back}
      """)
    let trace = Drawn.trace([(11_400, 0)], every: 10)
    let device = try #require(try ProfileLibrary.device(named: "pi-zero-ublox7"))
    let options = ReplayOptions(
      device: device, network: try ProfileLibrary.network(named: "wifi-2012-huang"))
    let run = Run(
      scenario, tracking: RunPlan(.significant, .pocket, policy: .periodic(timeout: 60)),
      options: options,
      records: [.events])
    var comparison = Comparison(
      run, options: options, summary: Drawn.summary(trace), observed: nil)
    comparison.feed(trace)
    let result = try #require(comparison.finishTrace().runs.first)
    let sent = comparison.drainEvents(ofRun: 0).compactMap { event -> SinkTransfer? in
      if case .sent(let transfer) = event.kind { transfer } else { nil }
    }
    #expect(
      sent.map { $0.events.map(\.delivery.kindOfEvent) } == [
        ["position", "arrived", "heartbeat"], ["heartbeat"],
      ])
    #expect(sent.map(\.bytes) == [1_300, 900])
    let radio = result.energy.components.filter { $0.component == "cell" }
    let joules = radio.reduce(0) { $0 + $1.energy.nominal }
    #expect(abs(joules - 0.081_708) < 0.000_001, "\(joules) J")
  }
}
