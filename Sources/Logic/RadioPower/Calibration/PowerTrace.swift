// SPDX-License-Identifier: Apache-2.0

/// The power drawn by a device, as recorded by a power analyser.
///
/// Samples hold until the next one (as analysers average) and are added up in bins of 10 ms [ours: an analyser's
/// 100,000 samples a second would not fit into memory, and no state here is shorter].
package struct PowerTrace: Sendable, Equatable {
  /// Bins a second.
  static let rate = 100.0
  /// More is refused: 10⁷ bins are 27.8 h.
  static let binLimit = 10_000_000

  /// Seconds on the analyser's clock at which the first bin begins.
  package let start: Double
  /// Joules from the start to the beginning of each bin, and to the end of the last.
  private(set) var energy: [Double] = [0]
  /// Seconds measured up to there: shorter than the elapsed time if samples are missing.
  private(set) var measured: [Double] = [0]
  /// The number of samples added.
  package private(set) var samples = 0

  /// Seconds on the analyser's clock at which the last bin ends.
  package var end: Double { start + Double(energy.count - 1) / Self.rate }

  /// Seconds with samples.
  package var measuredSeconds: Double { measured[measured.count - 1] }

  /// Adds a sample of `watts` that held from `time` to `next` (seconds, in the order of time); `false` if the trace is
  /// longer than can be kept.
  mutating func add(watts: Double, from time: Double, to next: Double) -> Bool {
    samples += 1
    guard next > time else { return true }
    guard (next - start) * Self.rate <= Double(Self.binLimit) else { return false }
    var from = time - start
    let to = next - start
    var bin = max(0, Int(from * Self.rate))
    while from < to {
      grow(to: bin)
      let edge = Double(bin + 1) / Self.rate
      let span = min(to, edge) - from
      if span > 0 {
        energy[bin + 1] += watts * span
        measured[bin + 1] += span
      }
      from = max(from, min(to, edge))
      bin += 1
    }
    return true
  }

  private mutating func grow(to bin: Int) {
    while energy.count <= bin + 1 {
      energy.append(energy[energy.count - 1])
      measured.append(measured[measured.count - 1])
    }
  }

  /// Joules between two instants of the analyser's clock; `nil` if a sample is missing in between.
  func joules(from begin: Double, to end: Double) -> Double? {
    guard begin >= start, end <= self.end + 1e-9, begin < end else { return nil }
    let known = Self.value(measured, at: end - start) - Self.value(measured, at: begin - start)
    // The edges of bins and samples differ: a thousandth of a window of seconds may be missing.
    guard known >= (end - begin) * 0.999 else { return nil }
    return Self.value(energy, at: end - start) - Self.value(energy, at: begin - start)
  }

  /// Watts in steps of `step` seconds from the start on; `nil` if samples are missing.
  func watts(every step: Double) -> [Double?] {
    let count = Int((end - start) / step)
    return (0..<max(0, count)).map { index in
      let begin = start + Double(index) * step
      return joules(from: begin, to: begin + step).map { $0 / step }
    }
  }

  private static func value(_ sums: [Double], at seconds: Double) -> Double {
    let place = min(max(0, seconds * rate), Double(sums.count - 1))
    let bin = min(Int(place), sums.count - 2)
    guard bin >= 0 else { return 0 }
    return sums[bin] + (sums[bin + 1] - sums[bin]) * (place - Double(bin))
  }
}
