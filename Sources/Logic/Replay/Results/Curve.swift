// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// A curve is for the eye: at most `limit` values on a grid of even steps from the start of the engine's axis. When time
// outgrows the grid the step doubles and neighbours merge, so memory stays the same for an hour and for a year. A place
// of the grid without known values stays `nil`: a gap is drawn as a gap. Totals are never taken from a curve.

/// A quantity over time, as finely as a picture needs.
package struct Curve: Sendable, Equatable {
  /// The value that stands for a step with several.
  package enum Keeping: Sendable {
    /// The one at its start: a growing sum.
    case first
    /// The greatest: a distance whose peaks matter.
    case greatest
  }

  /// The number of steps kept.
  package static let limit = 1_024

  /// Microseconds.
  package private(set) var step: Int64
  /// One value per step from the start on; `nil` if unknown.
  package private(set) var values: [Double?] = []
  private let keeping: Keeping

  /// A curve whose steps are fine enough for `seconds`; it grows beyond them.
  package init(_ keeping: Keeping, expecting seconds: Double = 0) {
    self.keeping = keeping
    step = 1_000_000
    while Double(step) * Double(Self.limit) < seconds * 1e6, step < .max / 4 { step *= 2 }
  }

  /// Seconds from the start to the beginning of the step at `index`.
  package func seconds(at index: Int) -> Double { Double(step) / 1e6 * Double(index) }

  /// Whether an instant lies in a step without a value yet: expensive values are computed only then.
  func isOpen(at instant: EngineInstant) -> Bool {
    let index = Int(instant.microseconds / step)
    return index >= values.count || values[index] == nil
  }

  /// Takes a value; instants lie at or after the start and do not run backwards.
  mutating func addValue(_ value: Double, at instant: EngineInstant) {
    while instant.microseconds / step >= Self.limit { coarsen() }
    let index = Int(instant.microseconds / step)
    while values.count <= index { values.append(nil) }
    values[index] = merged(values[index], value)
  }

  private mutating func coarsen() {
    step *= 2
    var half: [Double?] = []
    for index in stride(from: 0, to: values.count, by: 2) {
      half.append(merged(values[index], index + 1 < values.count ? values[index + 1] : nil))
    }
    values = half
  }

  private func merged(_ a: Double?, _ b: Double?) -> Double? {
    guard let a else { return b }
    guard let b else { return a }
    return switch keeping {
    case .first: a
    case .greatest: max(a, b)
    }
  }
}
