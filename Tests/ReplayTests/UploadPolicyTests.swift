// SPDX-License-Identifier: Apache-2.0

import FixFormats
import LocationEngine
import LocationModel
import RadioPower
import Testing

@testable import Replay

@Suite("Upload policies")
struct UploadPolicyTests {
  // MARK: The outbox alone

  private func at(_ seconds: Double) -> EngineInstant {
    EngineInstant.zero.advanced(bySeconds: seconds)
  }

  /// Deliveries at these seconds to an app that always runs; returns the times and sizes of transfers, and the number
  /// of items that wait at the end.
  private func sent(
    _ deliveries: [Double], _ policy: UploadPolicy, tail: Double = 10, until end: Double
  ) -> (transfers: [(Double, Int)], waiting: Int) {
    var outbox = UploadQueue(policy, openFor: tail)
    var transfers: [(Double, Int)] = []
    func pass(to time: Double) {
      while let due = outbox.due, due.seconds <= time {
        transfers.append((due.seconds, outbox.send(at: due)))
      }
    }
    for delivery in deliveries {
      pass(to: delivery)
      if outbox.addItem(at: at(delivery)) {
        transfers.append((delivery, outbox.send(at: at(delivery))))
      }
    }
    pass(to: end)
    return (transfers, outbox.count)
  }

  private func expect(
    _ actual: (transfers: [(Double, Int)], waiting: Int), _ times: [Double], _ items: [Int],
    waiting: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(actual.transfers.map(\.0) == times, sourceLocation: sourceLocation)
    #expect(actual.transfers.map(\.1) == items, sourceLocation: sourceLocation)
    #expect(actual.waiting == waiting, sourceLocation: sourceLocation)
  }

  // deliveries  0   5        62 65     100                 200
  private let deliveries = [0.0, 5, 62, 65, 100, 200]

  @Test("None sends nothing, and nothing waits")
  func none() {
    expect(sent(deliveries, .none, until: 300), [], [], waiting: 0)
  }

  @Test("Each sends every delivery at once")
  func each() {
    expect(
      sent(deliveries, .each, until: 300), deliveries, [1, 1, 1, 1, 1, 1], waiting: 0)
  }

  @Test("By time: all that waits goes when the first of it has waited long enough")
  func seconds() {
    // 0 waits until 60 and takes 5 along; 62 until 122 with 65 and 100; 200 until 260.
    expect(
      sent(deliveries, .everySeconds(60), until: 300), [60, 122, 260], [2, 3, 1], waiting: 0)
    expect(
      sent(deliveries, .everySeconds(60), until: 250), [60, 122], [2, 3], waiting: 1)
  }

  @Test("By count: the last one brings all of them along, the rest waits")
  func count() {
    expect(sent(deliveries, .everyCount(4), until: 300), [65], [4], waiting: 2)
    expect(
      sent(deliveries, .everyCount(1), until: 300), deliveries, [1, 1, 1, 1, 1, 1], waiting: 0)
  }

  @Test("Piggy-backed: what comes within the tail of a forced transfer goes at once")
  func piggyback() {
    // 60 is forced, its tail is open until 70: 62 and 65 ride along. 100 is forced at 160, 200 at 260.
    expect(
      sent(deliveries, .piggyback(maxDelay: 60), until: 300), [60, 62, 65, 160, 260],
      [2, 1, 1, 1, 1], waiting: 0)
  }

  @Test("A stream does not keep the tail open for ever")
  func piggybackOnAStream() {
    // One a second: 0 is forced at 20; 20 to 29 ride; 30 waits until 50; 50 to 59 ride; and so on.
    let result = sent((0..<90).map(Double.init), .piggyback(maxDelay: 20), until: 89)
    #expect(result.transfers.filter { $0.1 > 1 }.map(\.0) == [20, 50, 80])
    #expect(result.transfers.count == 3 + 3 * 10)
  }

  @Test("By time nothing waits longer than said, and more delay never needs more transfers")
  func fewerTransfers() {
    var random = SplitMix64(seed: 11)
    for _ in 0..<200 {
      var now = 0.0
      let deliveries = (0..<60).map { _ in
        now += Double.random(in: 0...40, using: &random)
        return now
      }
      var before = Int.max
      for delay in [1.0, 5, 12, 20, 33, 60, 90, 200, 500, 3_000] {
        let result = sent(deliveries, .everySeconds(delay), until: now + delay + 1)
        #expect(result.waiting == 0)
        #expect(result.transfers.reduce(0) { $0 + $1.1 } == deliveries.count)
        #expect(result.transfers.count <= before)
        before = result.transfers.count
      }
    }
  }

  @Test(
    "A policy is read back from its own text",
    arguments: [
      ("none", UploadPolicy.none), ("each", .each), ("seconds=300", .everySeconds(300)),
      ("seconds=0.5", .everySeconds(0.5)), ("count=10", .everyCount(10)),
      ("piggyback=600", .piggyback(maxDelay: 600)),
    ])
  func text(_ text: String, _ policy: UploadPolicy) {
    #expect(UploadPolicy(text) == policy)
    #expect(policy.description == text)
  }

  @Test(
    "What is no policy is refused",
    arguments: [
      "", "all", "each=1", "seconds", "seconds=", "seconds=0", "seconds=-1", "seconds=nan",
      "count=0", "count=1.5", "piggyback=inf", "seconds=1=2",
    ])
  func noText(_ text: String) { #expect(UploadPolicy(text) == nil) }

  // MARK: In a run

  private func run(
    _ plan: RunPlan, over events: [TraceEvent], _ policy: UploadPolicy,
    network: String? = nil, bytes: Int = 100
  ) throws -> RunResult {
    let device = try #require(try ProfileLibrary.device(named: "phone-2021-lte"))
    var options = ReplayOptions(
      device: device, network: try ProfileLibrary.network(named: network ?? device.network))
    options.drawsAcquisition = false
    options.uploads = policy
    options.itemBytes = bytes
    options.overheadBytes = 0
    var comparison = Comparison([plan], options: options, summary: Drawn.summary(events))
    comparison.feed(events)
    return comparison.finishTrace().runs[0]
  }

  private let drive = Drawn.trace([(3_600, 10)])
  private let significant = RunPlan(.significant, .pocket, policy: .ios)
  private let continuous = RunPlan(.continuous, .pocket)

  private func uplink(_ run: RunResult) -> Double {
    run.energy.components.filter { $0.component == "cell" }.reduce(0) { $0 + $1.energy.nominal }
  }

  @Test("A running app sends by time: every minute of an hour, the last minute waits")
  func continuousByTime() throws {
    let run = try run(continuous, over: drive, .everySeconds(60))
    // First delivery at 34 s; forced at 94, 154 (the item of 94 waits for the next) and so on: those of
    // 94 + 61 k or 94 + 60 k, between 58 and 59 in the remaining 3,506 s.
    #expect((57...59).contains(run.counters.uploads))
    #expect(run.counters.longestUploadDelay == 60)
    #expect(
      run.counters.uploadedDeliveries + run.counters.unsent
        == run.counters.deliveries)
    #expect((1...61).contains(run.counters.unsent))
    // Each is promotion, set-up and tail: 2.279 J, and nothing else of the run changes.
    let each = uplink(run) / Double(run.counters.uploads)
    #expect(abs(each - 2.279) < 0.03)
    let silent = try self.run(continuous, over: drive, .none)
    #expect(silent.counters.deliveries == run.counters.deliveries)
    #expect(uplink(silent) == 0)
  }

  @Test("A suspended app sends what fell due when it is next woken, with the item that woke it")
  func suspended() throws {
    let each = try run(significant, over: drive, .each)
    let late = try run(significant, over: drive, .everySeconds(200))
    // It wakes every five minutes and runs for seconds: each wake sends the item of the previous one and its own, which
    // halves the transfers.
    #expect(late.counters.deliveries == each.counters.deliveries)
    #expect(late.counters.wakes == each.counters.wakes)
    #expect(late.counters.launches == each.counters.launches)
    #expect(late.counters.uploads == late.counters.deliveries / 2)
    #expect(late.counters.unsent == late.counters.deliveries % 2)
    #expect(late.counters.longestUploadDelay >= 300)
  }

  @Test("Counted batches carry so many deliveries, and the rest is reported")
  func counted() throws {
    let run = try run(continuous, over: drive, .everyCount(100))
    #expect(run.counters.uploads == run.counters.deliveries / 100)
    #expect(run.counters.unsent == run.counters.deliveries % 100)
  }

  @Test("What falls due within a gap goes behind it, and is metered")
  func gap() throws {
    let before = Drawn.trace([(600, 10)])
    let after = (0...600).map {
      Drawn.fix(at: 600 + 5_000 + Double($0), east: 12_000 + 10 * Double($0))
    }
    // Nothing is due before the gap: 1,000 s after the first delivery (34 s) lies within it.
    let run = try run(continuous, over: before + after, .everySeconds(1_000))
    #expect(run.counters.uploads == 1)
    #expect(run.counters.longestUploadDelay > 5_000)
    #expect(abs(uplink(run) - 2.279) < 0.05)
  }

  @Test(
    "More delay never costs more uplink energy, from promotion and tail upwards",
    arguments: ["lte-2021-verizon", "lte-2012-huang", "3g-2010-att", "ltem-nrf9160"])
  func moreDelay(_ network: String) throws {
    // Stop and go: deliveries of significant change come in bursts, those of continuous every second.
    let trace = Drawn.trace([
      (900, 15), (400, 0), (1_200, 25), (700, 1), (1_500, 12), (300, 0), (900, 30),
    ])
    for plan in [continuous, significant] {
      let one = try run(plan, over: trace, .everyCount(1), network: network)
      #expect(one.counters.uploads == one.counters.deliveries)
      // A tail that the end cuts off for one delay and not for another: at most one transfer's worth.
      let whole = try #require(try ProfileLibrary.network(named: network)).tailDuration
      var before = uplink(one)
      for delay in [whole, 30, 120, 600, 2_400] {
        let run = try run(plan, over: trace, .everySeconds(delay), network: network)
        let cut = uplink(run) / Double(max(1, run.counters.uploads))
        #expect(uplink(run) <= before + cut, "\(delay) s on \(network)")
        before = uplink(run)
      }
    }
  }
}
