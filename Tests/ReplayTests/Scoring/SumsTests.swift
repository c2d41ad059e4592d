// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import Testing

@testable import Replay

/// Values that are gathered into sums and restored from them.
@Suite("What sums keep of a value")
struct SumsTests {
  private func sums(of distribution: Distribution) -> ExactSums {
    var (walk, copy) = (SumWalk(), distribution)
    copy.walkSums(&walk)
    return walk.sums
  }

  private func restored(_ sums: ExactSums) -> Distribution {
    var (walk, distribution) = (SumWalk(restoring: sums), Distribution())
    distribution.walkSums(&walk)
    return distribution
  }

  @Test(
    "Quantiles above 1 are within 6 % of those of all values, however these were divided",
    arguments: 1...20
  )
  func quantiles(seed: UInt64) throws {
    var draws = SplitMix64(seed: seed)
    var all: [Double] = []
    var sum: ExactSums?
    for _ in 0..<20 {
      var part = Distribution()
      for _ in 0..<(draws.next() % 300) {
        // From 1 to 200,000 s, each octave alike.
        let value = exponential(Double(draws.next() % 10_000) / 10_000 * 12.2)
        part.include(value)
        all.append(value)
      }
      let more = sums(of: part)
      if sum == nil { sum = more } else { sum? += more }
    }
    let distribution = restored(try #require(sum))
    #expect(distribution.count == all.count)
    all.sort()
    for share in [0.05, 0.5, 0.95] {
      let exact = all[Int(share * Double(all.count - 1))]
      let told = try #require(distribution.quantile(share))
      #expect(abs(told - exact) <= 0.06 * exact, "\(told), not \(exact)")
    }
  }

  @Test("What is known at once stays known at once, and nothing stays nothing")
  func zero() {
    var distribution = Distribution()
    #expect(restored(sums(of: distribution)) == distribution)
    for _ in 0..<10 { distribution.include(0) }
    #expect(restored(sums(of: distribution)).quantile(1) == 0)
  }

  @Test("What is late by less than a second is so when it is read again, and is not at once")
  func belowASecond() throws {
    var distribution = Distribution()
    for value in [0.01, 0.2, 0.6, 0.98] { distribution.include(value) }
    for value in [1.0, 1.5] { distribution.include(value) }
    let again = restored(sums(of: distribution))
    for share in [0, 0.3, 0.6] {
      let told = try #require(again.quantile(share))
      #expect(told > 0 && told < 1, "\(told)")
    }
    #expect(abs(try #require(again.quantile(1)) - 1.5) <= 0.06 * 1.5)
  }

  @Test(
    "The distances of a way are within 5 %, from 4 m on, and the greatest is exact",
    arguments: 1...20)
  func distances(seed: UInt64) throws {
    var draws = SplitMix64(seed: seed)
    var (walk, histogram) = (SumWalk(), WeightedHistogram())
    var all: [Double] = []
    for _ in 0..<5_000 {
      let value = 4 * exponential(Double(draws.next() % 10_000) / 10_000 * 9)
      histogram.include(value, for: 2)
      all.append(value)
    }
    histogram.walkSums(&walk)
    var (back, copy) = (SumWalk(restoring: walk.sums), WeightedHistogram())
    copy.walkSums(&back)
    all.sort()
    for share in [0.05, 0.5, 0.95] {
      let exact = all[Int(share * 5_000)]
      let told = try #require(copy.quantile(share))
      #expect(abs(told - exact) <= 0.05 * exact, "\(told), not \(exact)")
    }
    #expect(copy.greatest == all.last)
    #expect(abs(copy.weight - 10_000) < 1)
  }

  @Test(
    "A wait without an end stays without one, and one list that is not spaced makes all of them so")
  func scores() {
    var (first, second) = (Score(), Score())
    first.longestWait = .infinity
    first.crossings = 3
    second.crossings = 4
    second.isSpaced = false
    var (one, other) = (SumWalk(), SumWalk())
    first.walkSums(&one)
    second.walkSums(&other)
    var sums = one.sums
    sums += other.sums
    var (walk, total) = (SumWalk(restoring: sums), Score())
    total.walkSums(&walk)
    #expect(total.crossings == 7 && total.longestWait == .infinity && !total.isSpaced)
  }
}
