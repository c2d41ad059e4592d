// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import LocationEngine
import LocationModel
import RadioPower
import ServiceCore
import Testing

@testable import Replay

/// Rides, walks, stops, turns and now and then a gap, for two to three hours.
private func randomTrace(seed: UInt64) -> [TraceEvent] {
  var random = SplitMix64(seed: seed)
  var events: [TraceEvent] = []
  var (at, east, north) = (0.0, 0.0, 0.0)
  for _ in 0..<24 {
    let speeds: [Double] = [0, 0, 1.4, 5, 14, 30]
    let speed = speeds.randomElement(using: &random) ?? 0
    let heading = Double.random(in: 0..<(2 * .pi), using: &random)
    for _ in 0..<Int.random(in: 100...600, using: &random) {
      events.append(Drawn.fix(at: at, east: east, north: north, line: events.count + 1))
      at += 1
      east += speed * cosine(heading)
      north += speed * sine(heading)
    }
    if Int.random(in: 0..<12, using: &random) == 0 { at += 900 }
  }
  return events
}

@Suite("No run that misses nothing and is never late is cheaper than the clairvoyant's bound")
struct OptimumBoundTests {
  /// All existing policies, and frequent sessions, which are seldom late.
  private static func plans(_ device: DeviceProfile, _ options: ReplayOptions) throws -> [RunPlan] {
    let names = [
      "receiver=1", "receiver=15", "receiver=60", "receiver=300", "periodic=15", "periodic=300",
      "elastic", "ios", "ios-field", "owntracks-significant", "milepost",
    ]
    return try names.map { name in
      let policy = try #require(
        SignificantPolicy.named(
          name, for: device, seed: options.seed, receiverHold: options.receiverHold))
      return RunPlan(.significant, .pocket, policy: policy)
    }
  }

  @Test(
    "Over random traces, with drawn and with mean times to first fix",
    arguments: zip(["phone-2021-lte", "tracker-lora-m10", "pi-zero-ublox7"], [0, 1, 0]))
  func bound(profile: String, parity: UInt64) throws {
    let device = try #require(try ProfileLibrary.device(named: profile))
    var options = ReplayOptions(
      device: device, network: try ProfileLibrary.network(named: device.network))
    options.cellSpacing = 300
    options.networkError = 20
    options.environment = .open
    // On a device without senses the causal bound counts only crossings on the way.
    let hears = device.hasMotionSensor || device.cellEvents != .none
    var (bounded, least) = (0, 0)
    for seed in 1...3 as ClosedRange<UInt64> {
      options.seed = seed
      // Nine of the eighteen combinations, in which every pair occurs: of device, of drawn or mean times, and of trace
      // with hold and uploads. Bound and run add the same costs per session, wake and transfer; a term missing in the
      // bound shows wherever its one cause occurs.
      options.drawsAcquisition = (seed + parity) % 2 == 0
      options.receiverHold = seed == 3 ? 60 : 0
      options.uploads = seed % 2 == 0 ? .each : .none
      let trace = randomTrace(seed: seed)
      var comparison = Comparison(
        try Self.plans(device, options), options: options, summary: Drawn.summary(trace),
        reckonsOptimum: true)
      comparison.feed(trace)
      for run in comparison.finishTrace().runs {
        guard let optimum = run.optimum else { continue }
        let used = run.energy.total.nominal
        #expect(optimum.boundEnergy <= optimum.energy + 1e-9)
        let causal = run.score.causal
        #expect(causal.excessLatency.quantile(0) ?? 0 >= 0)
        #expect(
          causal.latency.quantile(0.95) ?? 0 <= run.score.latency.quantile(0.95) ?? .infinity
            || run.score.missed > 0 || !hears)
        guard run.score.missed == 0, run.score.latency.quantile(1) ?? 0 <= optimum.delay,
          run.score.unjudged == 0 || run.score.crossings > 0
        else { continue }
        bounded += 1
        #expect(
          optimum.boundEnergy <= used, "seed \(seed), \(run.plan): \(used) J, \(optimum)")
        #expect(optimum.boundEvents <= run.score.deliveries)
        if run.score.early + run.score.spurious == 0, run.score.isSpaced,
          run.score.longestWait <= optimum.delay
        {
          least += 1
          #expect(optimum.energy <= used, "seed \(seed), \(run.plan): \(used) J, \(optimum)")
        }
      }
    }
    // The property is meaningful only if it is not vacuous.
    #expect(bounded >= 3 && least >= 1, "\(bounded), \(least)")
  }

  @Test(
    "A run's costs are the optimum's: the one that polls at once is near it on a straight drive")
  func near() throws {
    let device = try #require(try ProfileLibrary.device(named: "phone-2021-lte"))
    var options = ReplayOptions(device: device, network: nil)
    options.drawsAcquisition = false
    let drive = Drawn.trace([(3_600, 10)])
    let plan = RunPlan(.significant, .pocket, policy: .ios)
    var comparison = Comparison(
      [plan], options: options, summary: Drawn.summary(drive), reckonsOptimum: true)
    comparison.feed(drive)
    let run = comparison.finishTrace().runs[0]
    let optimum = try #require(run.optimum)
    // 65 s awake at 105.82 mW; 11 positions of the network at 0.49999 J; 11 deliveries of 20 ms at
    // 240.389 mW; 10 wakes of 0.1 s of the same and 2 s awake; 245 mW more in the 85 s awake, for it moves.
    let expected = 6.87830 + 11 * (0.49999 + 0.00481) + 10 * (0.02404 + 0.21164) + 85 * 0.245
    #expect(optimum.events == 11)
    #expect(abs(optimum.energy - expected) < 0.001, "\(optimum.energy), not \(expected)")
    #expect(optimum.energy <= run.energy.total.nominal)
  }
}
