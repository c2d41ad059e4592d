// SPDX-License-Identifier: Apache-2.0

/// The equations of a calibration, each divided by the root of its seconds, with their sums.
struct WeightedEquations: Sendable {
  let numbers: [ProfileNumber]
  let isOfNetwork: [Bool]
  /// The base's active power, mW, at which an impulse's seconds are counted.
  let activePower: Double
  let seconds: Double
  /// Joules measured, less the given ones.
  let joules: Double
  private let rows: [CalibrationEquations.Window]
  /// AᵀA and Aᵀb over all numbers.
  private let squares: SymmetricMatrix
  private let products: [Double]

  init(_ equations: CalibrationEquations) {
    numbers = equations.terms.numbers
    isOfNetwork = equations.terms.isOfNetwork
    activePower = equations.device.values["soc", "active", "power"].nominal
    rows = equations.windows
    seconds = rows.reduce(0) { $0 + $1.seconds }
    joules = rows.reduce(0) { $0 + $1.joules }
    var squares = SymmetricMatrix(size: numbers.count)
    var products = Array(repeating: 0.0, count: numbers.count)
    for row in rows {
      for first in numbers.indices where row.amounts[first] != 0 {
        products[first] += row.amounts[first] * row.joules / row.seconds
        for second in 0...first where row.amounts[second] != 0 {
          squares[first, second] += row.amounts[first] * row.amounts[second] / row.seconds
        }
      }
    }
    self.squares = squares
    self.products = products
  }

  /// mW.
  var meanPower: Double { seconds > 0 ? joules / seconds * 1e3 : 0 }

  /// Whether each number was demanded at all.
  var isActive: [Bool] { numbers.indices.map { squares[$0, $0] > 0 } }

  /// Joules that one unit of a number cost over all windows.
  func total(_ index: Int) -> Double { rows.reduce(0) { $0 + $1.amounts[index] } }

  /// The cost of a number over all windows, joules, by the base.
  func baseCost(_ index: Int) -> Double { numbers[index].value.nominal * total(index) }

  /// The separable numbers, in the order of the profile. `together` names, for each other active one, the numbers
  /// beside which it cannot be seen.
  func separable(_ together: inout [Int: [Int]]) -> [Int] {
    // The floor before all others: everything that is always on is the sleeping device.
    let floor = ProfileKey("floor", "suspended", "power")
    let cost = numbers.indices.map { numbers[$0].key == floor ? .infinity : baseCost($0) }
    let order = numbers.indices.filter { squares[$0, $0] > 0 }
      .sorted { cost[$0] != cost[$1] ? cost[$0] > cost[$1] : $0 < $1 }
    var chosen: [Int] = []
    for index in order {
      let along = chosen.map { squares[$0, index] }
      let weights = squares.part(chosen).solve(along) ?? []
      let explained = zip(weights, along).reduce(0) { $0 + $1.0 * $1.1 }
      let left = squares[index, index] - explained
      if left > Calibration.separation * squares[index, index] {
        chosen.append(index)
      } else {
        // Those that make up a tenth of it and more.
        let length = squares[index, index].squareRoot()
        together[index] = zip(chosen, weights).filter {
          ($1 * squares[$0, $0].squareRoot()).magnitude > 0.1 * length
        }.map(\.0).sorted()
      }
    }
    return chosen.sorted()
  }

  /// The values of the chosen numbers while all others keep the base's.
  func fit(_ chosen: [Int]) -> Fit {
    let kept = numbers.indices.filter { !chosen.contains($0) && squares[$0, $0] > 0 }
    let matrix = squares.part(chosen)
    let right = chosen.map { index in
      kept.reduce(products[index]) { $0 - squares[index, $1] * numbers[$1].value.nominal }
    }
    let values = NonNegativeLeastSquares.solve(matrix, right)
    let left = rows.map { row in
      var joules = row.joules
      for index in kept { joules -= row.amounts[index] * numbers[index].value.nominal }
      for (index, value) in zip(chosen, values) { joules -= row.amounts[index] * value }
      return joules / row.seconds.squareRoot()
    }
    let sum = left.reduce(0) { $0 + $1 * $1 }
    let mean = joules / seconds
    let spread = rows.reduce(0) {
      let difference = $1.joules / $1.seconds - mean
      return $0 + difference * difference * $1.seconds
    }
    let neighbours = zip(left, left.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 }
    let correlation = sum > 0 ? min(0.95, max(0, neighbours / sum)) : 0
    let variance =
      sum / Double(max(1, rows.count - chosen.count)) * (1 + correlation) / (1 - correlation)
    let errors = (matrix.inverseDiagonal() ?? chosen.map { _ in .infinity }).map {
      (variance * $0).squareRoot()
    }
    var inherited = chosen.map { _ in (below: 0.0, above: 0.0) }
    for index in kept {
      guard let slopes = matrix.solve(chosen.map { squares[$0, index] }) else { continue }
      let range = numbers[index].value
      for place in chosen.indices {
        // More of the kept number is less of this one.
        let (up, down) = (range.high - range.nominal, range.nominal - range.low)
        inherited[place].below += slopes[place] > 0 ? slopes[place] * up : -slopes[place] * down
        inherited[place].above += slopes[place] > 0 ? slopes[place] * down : -slopes[place] * up
      }
    }
    return Fit(
      values: values, standardErrors: errors, inherited: inherited,
      determination: spread > 0 ? 1 - sum / spread : 0,
      residual: (sum / seconds).squareRoot() * 1e3, condition: matrix.condition())
  }

  struct Fit: Sendable {
    let values: [Double]
    let standardErrors: [Double]
    /// The effect that the ranges of kept numbers may have on each.
    let inherited: [(below: Double, above: Double)]
    let determination: Double
    /// mW.
    let residual: Double
    let condition: Double

    func interval(_ place: Int) -> (low: Double, high: Double) {
      let value = values[place]
      let error = 2 * standardErrors[place]
      return (
        max(0, value - error - inherited[place].below), value + error + inherited[place].above
      )
    }

    /// Whether the measurement says less about a number than the base does.
    func isCoarse(_ place: Int, _ base: Quantity) -> Bool {
      let error = 2 * standardErrors[place]
      return (values[place] - base.nominal).magnitude <= error
        && min(values[place], error) + error > base.high - base.low
    }
  }
}
