// SPDX-License-Identifier: Apache-2.0

package import JSONText

// Theory
// ======
//
// Unknown: the numbers x ≥ 0 of a profile. Known: the joules b of each window and the cost of one unit of each number
// in it, A. Windows differ in length, and measurement noise adds up like a random walk, so each equation is divided by
// the root of its seconds. Then NonNegativeLeastSquares.
//
// Not every number follows from every recording. In this order a number keeps the value of the base:
//
// 1. never active: its column is 0;
// 2. not separable: the part of its column that others leave is less than a hundredth of it (squared; a variance
//    inflation of 100, [ours]: textbooks begin to worry at 10). The floor comes first, and stands for all that is
//    always on; then the most expensive by the base. A receiver that ran with an awake processor all the time leaves
//    one number for both;
// 3. too coarse: x ± 2·s (below) holds the base's value and is wider than the base's own range. Among several the cheapest
//    by the base goes first, and the rest are fitted anew.
//
// A kept number is subtracted with its nominal value. Its range propagates into the numbers fitted beside it: if h is
// wrong by δ, x is wrong by −δ·(AᵀA)⁻¹Aᵀa.
//
// Interval. x ± (2·s ± the effect of the ranges of kept numbers), where s is the standard error of least squares with
// the residuals' own spread; about 95 % if they were independent. Residuals of neighbouring windows resemble each other
// (a model that is wrong is wrong for a while), which makes n windows worth n·(1 − r)/(1 + r) of them, r being the
// correlation of neighbours; s grows accordingly.

/// The result of fitting the numbers of a profile to a measurement.
package struct Calibration: Sendable, Equatable {
  /// A number determined by the measurement.
  package struct Fitted: Sendable, Equatable {
    package let key: ProfileKey
    package let unit: String
    package let value: Quantity
    /// In the unit of the number.
    package let standardError: Double
    /// The base profile's value.
    package let base: Quantity
    /// This number's share of the windows' joules, 0 to 1.
    package let share: Double
    package let isOfNetwork: Bool
    /// Numbers that are always on together with it, and are contained in it except for the base's values.
    package var includes: [ProfileKey] = []
  }

  /// A number that keeps the base profile's value.
  package struct Kept: Sendable, Equatable {
    package let key: ProfileKey
    package let unit: String
    package let base: Quantity
    package let reason: Reason
  }

  package enum Reason: Sendable, Equatable {
    case neverActive
    /// Always together with these fitted numbers.
    case together([ProfileKey])
    /// The measurement leaves this range, wider than the base's.
    case coarse(low: Double, high: Double)
  }

  /// In the order of the profile.
  package let fitted: [Fitted]
  package let kept: [Kept]
  /// The number of equations solved.
  package let windows: Int
  package let leftOut: Int
  package let seconds: Double
  /// Share of the variance of the windows' power that the fitted profile explains, at most 1.
  package let determination: Double
  /// Root mean square of the windows' residual power, mW.
  package let residual: Double
  /// Mean power of the windows, mW.
  package let meanPower: Double
  /// The greatest amplification of a data error in a number, at least 1.
  package let condition: Double

  /// The least surplus of equations over numbers for a spread [ours].
  static let spare = 10
  /// The least remaining part of a column, squared.
  static let separation = 0.01

  package init(_ equations: CalibrationEquations) throws(InputError) {
    let count = equations.windows.count
    guard count > Self.spare else {
      throw InputError(
        "trace and log have \(count) whole windows in common, too few to fit anything "
          + "(at least \(Self.spare + 1)); record for longer, take a shorter --window, or say with "
          + "--offset how the clocks differ")
    }
    let system = WeightedEquations(equations)
    var together: [Int: [Int]] = [:]
    var chosen = system.separable(&together)
    var coarse: [Int: (low: Double, high: Double)] = [:]
    var fit = system.fit(chosen)
    // One at a time, the cheapest first: without it the others are often clear.
    while chosen.count > 1,
      let worst = chosen.indices
        .filter({ fit.isCoarse($0, system.numbers[chosen[$0]].value) })
        .min(by: { system.baseCost(chosen[$0]) < system.baseCost(chosen[$1]) })
    {
      coarse[chosen[worst]] = fit.interval(worst)
      chosen.remove(at: worst)
      fit = system.fit(chosen)
    }
    let isActive = system.isActive
    (fitted, kept) = (
      Self.fitted(system, chosen, fit, together),
      system.numbers.indices.filter { !chosen.contains($0) }.map { index in
        let number = system.numbers[index]
        let reason: Reason =
          if !isActive[index] {
            .neverActive
          } else if let range = coarse[index] {
            .coarse(low: range.low, high: range.high)
          } else {
            .together((together[index] ?? []).map { system.numbers[$0].key })
          }
        return Kept(key: number.key, unit: number.unit, base: number.value, reason: reason)
      }
    )
    windows = count
    leftOut = equations.leftOut
    seconds = system.seconds
    determination = fit.determination
    residual = fit.residual
    meanPower = system.meanPower
    condition = fit.condition
  }

  private static func fitted(
    _ system: WeightedEquations, _ chosen: [Int], _ fit: WeightedEquations.Fit,
    _ together: [Int: [Int]]
  ) -> [Fitted] {
    let active = ProfileKey("soc", "active", "power")
    // An impulse's joules were fitted at the base's active power; its seconds follow from the final one.
    let activeNow = chosen.firstIndex { system.numbers[$0].key == active }.map { fit.values[$0] }
    return chosen.enumerated().map { place, index in
      let number = system.numbers[index]
      var scale = 1.0
      if number.key.component == "soc", number.key.quantity == "duration",
        let activeNow, activeNow > 0
      {
        scale = system.activePower / activeNow
      }
      let (low, high) = fit.interval(place)
      return Fitted(
        key: number.key, unit: number.unit,
        value: Quantity(
          nominal: fit.values[place] * scale, low: low * scale, high: high * scale),
        standardError: fit.standardErrors[place] * scale, base: number.value,
        share: system.joules > 0 ? fit.values[place] * system.total(index) / system.joules : 0,
        isOfNetwork: system.isOfNetwork[index],
        includes: together.filter { $0.value == [index] }.keys.sorted().map {
          system.numbers[$0].key
        })
    }
  }
}
