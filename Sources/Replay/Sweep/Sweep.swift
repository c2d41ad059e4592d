// SPDX-License-Identifier: Apache-2.0

package import RadioPower
package import Scoring

// Theory
// ======
//
// All configurations live through each trace in lock-step (`Comparison`), so they share their luck, and
// what they came to is added up over the traces. A configuration then is a point: energy a day, and
// *delay*, the 95th percentile of the seconds from a crossing to its delivery. A missed crossing was
// delivered never; it counts with the 30 min after which it was missed, so that one who misses more than
// one in twenty is as late as that. One that tells so often that no crossing falls due has no delay.
//
// The *corner* is the clairvoyant: the cheapest schedule that delivers every crossing within a second of
// it, with sessions of the receiver. No configuration gets there (`Optimum` says what it bounds).

// All worlds are pooled; what each of them says by itself shows whether the answer hangs on the draw.

/// What configurations come to over traces.
package struct Sweep: Sendable {
  package let configurations: [Configuration]
  /// Over all worlds together.
  package private(set) var points: [SweepPoint]
  /// By world.
  package private(set) var worlds: [[SweepPoint]]
  /// Seconds and metres of which the truth is known.
  package private(set) var judged = 0.0
  package private(set) var distance = 0.0
  package private(set) var gaps = 0
  /// Joules of the corner; `nil` where no trace had a delivery to begin with.
  package private(set) var corner: Double?
  private let options: ReplayOptions

  /// Seconds within which the corner's schedule delivers.
  package static let cornerDelay = 1.0

  package init(_ options: ReplayOptions, worlds count: Int = 1) {
    self.options = options
    configurations = Configuration.all(for: options.device, seed: options.seed)
    points = configurations.map { SweepPoint($0) }
    worlds = Array(repeating: points, count: max(1, count))
  }

  /// Seconds of which the truth is known, in all worlds together.
  package var lived: Double { judged * Double(worlds.count) }

  /// Adds a trace that was replayed with the plans of `configurations`; `path` is its truth, and `options`
  /// those of this trace.
  package mutating func add(
    _ result: ComparisonResult, path: TruthPath?, options: ReplayOptions
  ) {
    judged += result.judged
    distance += result.distance
    gaps += result.gaps
    for (world, runs) in zip(worlds.indices, result.worlds) {
      for (index, run) in zip(points.indices, runs) {
        points[index].add(run)
        worlds[world][index].add(run)
      }
    }
    let starts = result.runs.compactMap { $0.score.anchoredAt }
    guard let path, let start = starts.min(),
      let optimum = Optimum(
        over: path, from: start, options: options, scenario: .pocket, means: .receiver,
        delay: Self.cornerDelay)
    else { return }
    corner = (corner ?? 0) + optimum.energy
  }

  /// How sure the energies are: draws common to all configurations, numbered as in `points`.
  package func uncertainty() -> Uncertainty {
    Uncertainty(
      of: points.indices.map { index in worlds.map { $0[index].usage } }, device: options.device,
      network: options.network, seed: options.seed)
  }
}

/// What one configuration came to over all traces.
package struct SweepPoint: Sendable {
  package let configuration: Configuration
  /// Joules above the baseline.
  package private(set) var energy = 0.0
  package private(set) var usage = EnergyUsage()
  package private(set) var score = Score()
  package private(set) var deliveries = 0
  package private(set) var sessions = 0
  /// Seconds that the receiver was on.
  package private(set) var receiverOn = 0.0
  /// Seconds from each crossing to its delivery, missed ones with the time after which they were.
  package private(set) var delay = Distribution()

  init(_ configuration: Configuration) { self.configuration = configuration }

  mutating func add(_ run: RunResult) {
    energy += run.energy.total.nominal
    usage += run.usage
    score += run.score
    deliveries += run.counters.deliveries
    sessions += run.counters.sessions
    receiverOn += run.receiverOn
    delay.merge(run.score.latency)
    delay.include(ScoringRules().patience, times: run.score.missed)
  }
}
