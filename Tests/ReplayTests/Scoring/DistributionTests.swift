// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Replay

@Suite("Quantiles in bounded memory")
struct DistributionTests {
  @Test("Quantiles are those of NumPy's default")
  func exact() {
    var distribution = Distribution()
    #expect(distribution.quantile(0.5) == nil)
    for value in [7.0, 1, 3, 10] { distribution.include(value) }
    // numpy.percentile([7, 1, 3, 10], [50, 95]) → 5.0 and 9.55
    #expect(distribution.quantile(0.5) == 5)
    #expect(distribution.quantile(0.95).map { abs($0 - 9.55) < 1e-12 } == true)
    #expect(distribution.quantile(0) == 1 && distribution.quantile(1) == 10)
  }

  @Test("Beyond the limit quantiles are within half a per cent")
  func binned() {
    var distribution = Distribution()
    for value in 1...20_000 { distribution.include(Double(value) / 10) }
    #expect(distribution.count == 20_000)
    for (probability, expected) in [(0.5, 1_000.0), (0.95, 1_900.0)] {
      let value = distribution.quantile(probability) ?? 0
      #expect(abs(value - expected) < expected * 0.006, "\(value), not \(expected)")
    }
  }

  @Test("Merging is including one by one, on either side of the limit")
  func merge() {
    var all = Distribution()
    var parts = Distribution()
    var part = Distribution()
    for value in 0..<9_000 {
      all.include(Double(value))
      part.include(Double(value))
      if value % 5_000 == 4_999 {
        parts.merge(part)
        part = Distribution()
      }
    }
    parts.merge(part)
    #expect(parts == all)
  }
}
