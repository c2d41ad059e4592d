// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@testable import RadioPower

@Suite("Non-negative least squares")
struct NonNegativeLeastSquaresTests {
  private func solve(_ rows: [[Double]], _ right: [Double]) -> [Double] {
    let size = rows.first?.count ?? 0
    var squares = SymmetricMatrix(size: size)
    var products = Array(repeating: 0.0, count: size)
    for (row, value) in zip(rows, right) {
      for first in 0..<size {
        products[first] += row[first] * value
        for second in 0...first { squares[first, second] += row[first] * row[second] }
      }
    }
    return NonNegativeLeastSquares.solve(squares, products)
  }

  private func expect(
    _ values: [Double], _ expected: [Double], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for (value, expected) in zip(values, expected) {
      #expect((value - expected).magnitude < 1e-9, sourceLocation: sourceLocation)
    }
    #expect(values.count == expected.count, sourceLocation: sourceLocation)
  }

  @Test("The example of MATLAB's lsqnonneg; digits beyond the printed four from scipy 1.17")
  func matlab() {
    let rows = [[0.0372, 0.2868], [0.6861, 0.7071], [0.6233, 0.6245], [0.6344, 0.6170]]
    let values = solve(rows, [0.8587, 0.1781, 0.0747, 0.8405])
    #expect(values[0] == 0)
    #expect((values[1] - 0.69290031).magnitude < 1e-7)
  }

  @Test("Nine equations, five unknowns, two of which would be negative: scipy.optimize.nnls 1.17")
  func scipy() {
    let rows: [[Double]] = [
      [5, 5, 8, 4, 7], [0, 5, 3, 0, 6], [4, 0, 2, 8, 0], [8, 8, 0, 1, 8], [0, 1, 8, 6, 5],
      [1, 2, 6, 2, 9], [4, 9, 3, 6, 1], [1, 8, 3, 7, 2], [0, 9, 9, 2, 8],
    ]
    expect(
      solve(rows, [40, 19, 8, 45, 16, 42, 12, 6, 38]),
      [1.8142386491901066, 0, 0.22739521768647974, 0, 3.939985755519734])
  }

  @Test("A column of nothing stays 0, and of two that are the same one suffices")
  func degenerate() {
    expect(solve([[1, 0], [2, 0]], [2, 4]), [2, 0])
    let twins = solve([[1, 1], [2, 2], [3, 3]], [2, 4, 6])
    #expect((twins[0] + twins[1] - 2).magnitude < 1e-9)
    expect(solve([[1], [2]], [-1, -3]), [0])
  }

  @Test(
    "At the solution no gradient points to where less would be left (Kuhn and Tucker)",
    arguments: 0..<40)
  func conditions(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let width = Int.random(in: 1...8, using: &random)
    let rows = (0..<20).map { _ in
      (0..<width).map { _ in Double.random(in: 0...100, using: &random) }
    }
    let right = rows.map { _ in Double.random(in: -50...200, using: &random) }
    let values = solve(rows, right)
    let left = zip(rows, right).map { row, b in b - zip(row, values).reduce(0) { $0 + $1.0 * $1.1 }
    }
    for index in 0..<width {
      let slope = zip(rows, left).reduce(0) { $0 + $1.0[index] * $1.1 }
      #expect(values[index] >= 0)
      #expect(values[index] > 0 ? slope.magnitude < 1e-5 : slope < 1e-5, "seed \(seed)")
    }
  }

  @Test("The condition of a matrix: 1 for columns at right angles, √3 for an angle of 60°")
  func condition() {
    var matrix = SymmetricMatrix(size: 2)
    matrix[0, 0] = 4
    matrix[1, 1] = 25
    #expect(matrix.condition() == 1)
    // Eigenvalues 1 ± cos 60° = 1.5 and 0.5; the root of their ratio is √3.
    matrix[0, 1] = 0.5 * 2 * 5
    #expect((matrix.condition() - 3.0.squareRoot()).magnitude < 1e-12)
  }
}
