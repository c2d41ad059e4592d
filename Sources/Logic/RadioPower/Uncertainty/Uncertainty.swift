// SPDX-License-Identifier: Apache-2.0

internal import Geodesy

// The uncertainty of a result.
//
// Every number of a profile has a range. Each of 1,000 draws takes one value for each of them, and recomputes all runs
// with these same values: the runs share them in every draw, so the ratio of two runs has a separate interval, which is
// not the quotient of their intervals. (The nominal, low and high of a report are something else: all numbers at one
// end together.)
//
// The report gives the 5th, 50th and 95th percentile over the draws. The activity is given: it is that of one simulated
// world, or of several, over which the draws rotate, all runs together; the interval then covers the worlds and the
// numbers at once. Numbers are drawn independently of each other, even if two rows come from one measurement.
//
// The influence of a number: the squared correlation between its uniform variate (that is, its own logarithm) and the
// logarithm of the result. If logarithms add up, this is the share of the result's variance that the number
// explains: the squared standardised regression coefficient of Saltelli et al., "Global Sensitivity Analysis: The
// Primer", Wiley 2008, section 1.2.5. Shares below nine over the number of draws (three standard errors of a
// correlation of 0) are chance and are left out.

/// The 5th, 50th and 95th percentile of a quantity.
package struct Spread: Sendable, Equatable {
  package let p5: Double
  package let p50: Double
  package let p95: Double

  /// The quantile of values in any order, at least one; between two of them it is interpolated (Hyndman and Fan,
  /// 1996, type 7).
  init(of values: [Double]) {
    let sorted = values.sorted()
    func quantile(_ share: Double) -> Double {
      let place = share * Double(sorted.count - 1)
      let below = Int(place)
      let above = min(below + 1, sorted.count - 1)
      return sorted[below] + (place - Double(below)) * (sorted[above] - sorted[below])
    }
    p5 = quantile(0.05)
    p50 = quantile(0.5)
    p95 = quantile(0.95)
  }

  /// The 5th to the 95th percentile, extended to include the nominal value.
  package func range(including nominal: Double) -> Quantity {
    Quantity(nominal: nominal, low: min(nominal, p5), high: max(nominal, p95))
  }
}

/// A number on which a result depends.
package struct Driver: Sendable, Equatable {
  /// The number with its range, unit and source.
  package let number: ProfileNumber
  /// The share of the variance caused by the ranges; 0 to 1.
  package let share: Double
  /// Whether the result grows with it.
  package let rises: Bool
}

/// The energies of several runs on one device, computed with many drawn sets of its numbers.
package struct Uncertainty: Sendable {
  /// The default number of draws.
  package static let usualDraws = 1_000

  /// Joules by run and draw.
  private let joules: [[Double]]
  private let parameters: ParameterList
  private let draws: ParameterDraws

  /// Draws with a seed; the same seed gives the same result, whatever other runs there are. The usages are those of the
  /// same device and network, of each run one for each world, at least one and equally many for all runs; `draws` is at
  /// least 1.
  package init(
    of usages: [[EnergyUsage]], device: DeviceProfile, network: NetworkProfile?, seed: UInt64,
    draws count: Int = usualDraws
  ) {
    let formula = EnergyFormula(device: device, network: network)
    let draws = ParameterDraws(formula.parameters, seed: seed, count: max(1, count))
    parameters = formula.parameters
    self.draws = draws
    joules = usages.map { worlds in
      (0..<draws.count).map { draw in
        let numbers = NumberSet(draws.values, from: draw * draws.width)
        return formula.joules(
          formula.adapted(worlds[draw % worlds.count], to: numbers), numbers)
      }
    }
  }

  /// Joules of a run.
  package func energy(ofRun run: Int) -> Spread { Spread(of: joules[run]) }

  /// Joules of one run over those of another; `nil` if the other can be 0.
  package func ratio(ofRun run: Int, to other: Int) -> Spread? {
    ratios(run, other).map(Spread.init)
  }

  /// The numbers on which the joules of a run depend most, the strongest first.
  package func drivers(ofRun run: Int, limit: Int = 3) -> [Driver] {
    drivers(of: joules[run], limit: limit)
  }

  /// The numbers on which the ratio of two runs depends most, the strongest first; empty if there is no ratio.
  package func drivers(ofRatio run: Int, to other: Int, limit: Int = 3) -> [Driver] {
    ratios(run, other).map { drivers(of: $0, limit: limit) } ?? []
  }

  private func ratios(_ run: Int, _ other: Int) -> [Double]? {
    guard joules[other].allSatisfy({ $0 > 0 }) else { return nil }
    return zip(joules[run], joules[other]).map { $0 / $1 }
  }

  private func drivers(of results: [Double], limit: Int) -> [Driver] {
    // A result that may be 0 has no logarithm; it is taken as it is.
    let hasLogarithm = results.allSatisfy { $0 > 0 }
    let scaled = hasLogarithm ? results.map(logarithm) : results
    let mean = scaled.reduce(0, +) / Double(scaled.count)
    let deviations = scaled.map { $0 - mean }
    let spread = deviations.reduce(0) { $0 + $1 * $1 }
    // Rounding alone is no variance.
    guard spread > 1e-20 * Double(scaled.count) * max(1, mean * mean) else { return [] }
    var drivers: [Driver] = []
    for (slot, number) in parameters.numbers.enumerated() {
      guard let number, number.value.low < number.value.high else { continue }
      let correlation = correlation(slot, deviations, spread)
      let share = correlation * correlation
      guard share > 9 / Double(draws.count) else { continue }
      drivers.append(Driver(number: number, share: share, rises: correlation > 0))
    }
    drivers.sort { $0.share > $1.share }
    return Array(drivers.prefix(limit))
  }

  private func correlation(_ slot: Int, _ deviations: [Double], _ spread: Double) -> Double {
    var sum = 0.0
    var squares = 0.0
    var products = 0.0
    for (draw, deviation) in deviations.enumerated() {
      let uniform = draws.uniforms[draw * draws.width + slot]
      sum += uniform
      squares += uniform * uniform
      products += uniform * deviation
    }
    let variance = squares - sum * sum / Double(deviations.count)
    return variance > 0 ? products / (variance * spread).squareRoot() : 0
  }
}
