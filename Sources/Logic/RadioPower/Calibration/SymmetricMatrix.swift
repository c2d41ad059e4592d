// SPDX-License-Identifier: Apache-2.0

/// A small symmetric matrix, as the normal equations of a fit have it.
struct SymmetricMatrix: Sendable, Equatable {
  let size: Int
  private var values: [Double]

  init(size: Int) {
    self.size = size
    values = Array(repeating: 0, count: size * size)
  }

  subscript(row: Int, column: Int) -> Double {
    get { values[row * size + column] }
    set {
      values[row * size + column] = newValue
      values[column * size + row] = newValue
    }
  }

  /// The rows and columns of these indices.
  func part(_ indices: [Int]) -> Self {
    var part = Self(size: indices.count)
    for (row, from) in indices.enumerated() {
      for column in 0...row { part[row, column] = self[from, indices[column]] }
    }
    return part
  }

  /// The matrix times a vector.
  func times(_ vector: [Double]) -> [Double] {
    (0..<size).map { row in (0..<size).reduce(0) { $0 + self[row, $1] * vector[$1] } }
  }

  /// The Cholesky factor (lower triangle, by rows); `nil` if the matrix is not positive definite.
  private func factor() -> [Double]? {
    var factor = Array(repeating: 0.0, count: size * size)
    for row in 0..<size {
      for column in 0...row {
        var sum = self[row, column]
        for index in 0..<column {
          sum -= factor[row * size + index] * factor[column * size + index]
        }
        if row == column {
          guard sum > 1e-13 * self[row, row], sum > 0 else { return nil }
          factor[row * size + row] = sum.squareRoot()
        } else {
          factor[row * size + column] = sum / factor[column * size + column]
        }
      }
    }
    return factor
  }

  /// Solves `self · x = right`; `nil` if the matrix is not positive definite.
  func solve(_ right: [Double]) -> [Double]? {
    guard let factor = factor() else { return nil }
    var x = right
    for row in 0..<size {
      for column in 0..<row { x[row] -= factor[row * size + column] * x[column] }
      x[row] /= factor[row * size + row]
    }
    for row in (0..<size).reversed() {
      for column in row + 1..<size { x[row] -= factor[column * size + row] * x[column] }
      x[row] /= factor[row * size + row]
    }
    return x
  }

  /// The diagonal of the inverse; `nil` if the matrix is not positive definite.
  func inverseDiagonal() -> [Double]? {
    var diagonal: [Double] = []
    for index in 0..<size {
      var unit = Array(repeating: 0.0, count: size)
      unit[index] = 1
      guard let column = solve(unit) else { return nil }
      diagonal.append(column[index])
    }
    return diagonal
  }

  /// The ratio of the largest to the smallest singular value of the equations behind this matrix, with
  /// each column scaled to length 1: the greatest amplification of a data error in a number. At least 1.
  ///
  /// Eigenvalues by Jacobi's rotations (Golub & Van Loan, *Matrix Computations*, 8.5).
  func condition() -> Double {
    guard size > 1 else { return 1 }
    var matrix = self
    for row in 0..<size {
      for column in 0..<row {
        matrix[row, column] /= (self[row, row] * self[column, column]).squareRoot()
      }
    }
    for index in 0..<size { matrix[index, index] = 1 }
    for _ in 0..<30 {
      var off = 0.0
      for row in 1..<size {
        for column in 0..<row {
          off += matrix[row, column] * matrix[row, column]
          matrix.rotate(row, column)
        }
      }
      if off < 1e-24 { break }
    }
    let eigenvalues = (0..<size).map { matrix[$0, $0] }
    let least = eigenvalues.min() ?? 1
    let most = eigenvalues.max() ?? 1
    return least > 0 ? (most / least).squareRoot() : .infinity
  }

  /// Makes the element (p, q) zero by one of Jacobi's rotations.
  private mutating func rotate(_ p: Int, _ q: Int) {
    let element = self[p, q]
    guard element != 0 else { return }
    let theta = (self[q, q] - self[p, p]) / (2 * element)
    let tangent =
      (theta >= 0 ? 1.0 : -1.0) / (theta.magnitude + (theta * theta + 1).squareRoot())
    let cosine = 1 / (tangent * tangent + 1).squareRoot()
    let sine = tangent * cosine
    let (pp, qq) = (self[p, p], self[q, q])
    for index in 0..<size where index != p && index != q {
      let (ip, iq) = (self[index, p], self[index, q])
      self[index, p] = cosine * ip - sine * iq
      self[index, q] = sine * ip + cosine * iq
    }
    self[p, p] = pp - tangent * element
    self[q, q] = qq + tangent * element
    self[p, q] = 0
  }
}
