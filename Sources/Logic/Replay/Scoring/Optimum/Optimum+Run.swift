// SPDX-License-Identifier: Apache-2.0

package import LocationModel

extension Optimum {
  /// The optimum over a path for a replay's costs, from the first delivery on.
  package init?(
    over path: TruthPath, from start: EngineInstant, options: ReplayOptions,
    scenario: RunPlan.Scenario, means: DeliveryMeans, delay: Double? = nil,
    isSpaced: Bool = true
  ) {
    let rules = options.scoring
    let most = path.seconds / max(1, rules.interval) + Double(path.segmentCount) + 8
    let costs = EventCosts(
      options, scenario: scenario, means: means, judged: path.seconds,
      draws: Int(min(100_000, most)))
    self.init(over: path, from: start, rules: rules, delay: delay, costs: costs, isSpaced: isSpaced)
  }
}

extension RunResult {
  /// Computes the optimum of this run: the same first delivery, the same means.
  mutating func reckonOptimum(over path: TruthPath, _ options: ReplayOptions) {
    guard plan.mode == .significant, let start = sums.score.anchoredAt else { return }
    optimum = Optimum(
      over: path, from: start, options: options, scenario: plan.scenario,
      means: DeliveryMeans(of: plan), isSpaced: sums.score.isSpaced)
  }
}
