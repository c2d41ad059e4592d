// SPDX-License-Identifier: Apache-2.0

// Theory
// ======
//
// Wanted: min |A·x − b|² with x ≥ 0. A fitted power must not come out negative, and to cut a negative one off at 0
// afterwards would leave the others wrong.
//
// Lawson & Hanson (*Solving Least Squares Problems*, 1974, chapter 23). The indices are split into a free
// set F and a set Z that is held at 0. At the solution the gradient w = Aᵀ(b − A·x) is 0 on F and nowhere
// above 0 on Z (Kuhn–Tucker). So:
//
//     Z = all, x = 0
//     while some w on Z is above 0:
//       move the index of the largest w from Z to F
//       z = least squares over F alone
//       while some z is not above 0:
//         go from x towards z as far as x ≥ 0 holds; whatever became 0 goes back to Z; z anew
//       x = z
//
// Each round lowers |A·x − b|, so no F comes twice and it ends. Only AᵀA and Aᵀb are needed (Bro & de Jong, *A fast
// non-negativity-constrained least squares algorithm*, 1997), which costs half of the digits: so the columns are scaled
// to length 1, and the caller keeps out those that hardly differ from others (`Calibration`).

/// The x ≥ 0 that solves a set of equations best.
enum NonNegativeLeastSquares {
  /// `squares` is AᵀA, `products` Aᵀb. An index whose column is 0 stays 0.
  static func solve(_ squares: SymmetricMatrix, _ products: [Double]) -> [Double] {
    let size = squares.size
    let lengths = (0..<size).map { squares[$0, $0].squareRoot() }
    var scaled = SymmetricMatrix(size: size)
    var right = products
    for row in 0..<size where lengths[row] > 0 {
      for column in 0...row where lengths[column] > 0 {
        scaled[row, column] = squares[row, column] / (lengths[row] * lengths[column])
      }
      right[row] = products[row] / lengths[row]
    }
    let tolerance = 1e-12 * (right.map(\.magnitude).max() ?? 0)
    var x = Array(repeating: 0.0, count: size)
    var free: [Int] = []
    // One just found dependent on the free ones is not tried again until these change.
    var refused: Set<Int> = []
    // Bounded, although the theory guarantees an end: rounding may break it.
    for _ in 0..<(30 * max(1, size)) {
      let slope = zip(right, scaled.times(x)).map { $0 - $1 }
      let candidates = (0..<size).filter {
        lengths[$0] > 0 && !free.contains($0) && !refused.contains($0) && slope[$0] > tolerance
      }
      guard let next = candidates.max(by: { slope[$0] < slope[$1] }) else { break }
      free.append(next)
      if settle(&x, &free, scaled, right) {
        refused = []
      } else {
        free.removeAll { $0 == next }
        refused.insert(next)
      }
    }
    return zip(x, lengths).map { $1 > 0 ? $0 / $1 : 0 }
  }

  /// Solves over the free indices and returns those that would be negative; `false` if their columns are dependent.
  private static func settle(
    _ x: inout [Double], _ free: inout [Int], _ squares: SymmetricMatrix, _ right: [Double]
  ) -> Bool {
    while !free.isEmpty {
      guard let z = squares.part(free).solve(free.map { right[$0] }) else { return false }
      if z.allSatisfy({ $0 > 0 }) {
        for (index, value) in zip(free, z) { x[index] = value }
        return true
      }
      var step = 1.0
      var blocking = -1
      for (index, value) in zip(free, z) where value <= 0 {
        let share = x[index] > 0 ? x[index] / (x[index] - value) : 0
        if blocking < 0 || share < step { (step, blocking) = (share, index) }
      }
      for (index, value) in zip(free, z) { x[index] += step * (value - x[index]) }
      let zeros = zip(free, z).filter { $0 == blocking || x[$0] <= 0 && $1 <= 0 }.map(\.0)
      for index in zeros { x[index] = 0 }
      free.removeAll { zeros.contains($0) }
    }
    return true
  }
}
