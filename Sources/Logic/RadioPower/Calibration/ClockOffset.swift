// SPDX-License-Identifier: Apache-2.0

internal import LocationModel

// Theory
// ======
//
// An analyser begins to count on command, the device when it boots. The power that the base profile predicts has its
// steps at the same places as the measured one, even if its powers are wrong. So the two are compared at every offset
// within ten minutes, in steps of 1 s, then of 0.1 s around the best; the offset with the highest correlation (Pearson)
// counts. At least half of the shorter must overlap, for a short overlap is easily alike by chance.
//
//     drawn      ▁▁▁▁▁████▁▁▁▁██▁▁▁▁▁▁▁▁▁▁████
//     by log     ▁▁████▁▁▁▁██▁▁▁▁▁▁▁▁▁▁████
//                ▔▔▔ +3 s                          offset −3 s: to be added to the trace's times

/// The difference between the clocks of a power trace and an activity log.
package struct ClockOffset: Sendable, Equatable {
  /// The seconds to add to the trace's times to get the log's, in steps of 0.1 s.
  package let seconds: Double
  /// −1 to 1, by seconds from −10 to 10 min; `nil` if too little overlaps.
  private let coarse: [Double?]
  private let best: Double
  /// The offset at which both begin together.
  private let start: Double

  /// The search range to either side, seconds.
  static let reach = 600
  /// Less is no match [ours].
  static let leastCorrelation = 0.3
  /// The greatest number of compared steps: ten hours, or one hour of tenths.
  private static let longest = 36_000
  /// The least difference of correlation at which one offset clearly fits better [ours].
  private static let clear = 0.1

  /// `nil` if no offset makes them match.
  package init?(
    _ trace: PowerTrace, _ activities: [Activity], device: DeviceProfile, network: NetworkProfile?
  ) {
    guard let first = activities.first?.at else { return nil }
    let begin = EngineInstant.seconds(from: .zero, to: first)
    let model = Self.watts(activities, device, network, every: 1)
    let drawn = Array(trace.watts(every: 1).prefix(Self.longest))
    // A lag of n seconds adds n to the trace's times, counted from their common start.
    let lags = -Self.reach...Self.reach
    let coarse = lags.map { Self.correlation(model, drawn, lag: $0) }
    guard
      let top = lags.max(by: { (coarse[$0 + Self.reach] ?? -1) < (coarse[$1 + Self.reach] ?? -1) }),
      let likeness = coarse[top + Self.reach], likeness >= Self.leastCorrelation
    else { return nil }
    // The first hour is enough for tenths.
    let fineModel = Self.watts(activities, device, network, every: 0.1)
    let fineDrawn = Array(trace.watts(every: 0.1).prefix(Self.longest))
    let fine = (10 * top - 15)...(10 * top + 15)
    let likenesses = fine.map { Self.correlation(fineModel, fineDrawn, lag: $0) ?? -1 }
    let place = likenesses.indices.max { likenesses[$0] < likenesses[$1] } ?? 15
    let lag = Double(10 * top - 15 + place) / 10
    seconds = ((begin - trace.start + lag) * 10).rounded() / 10
    start = begin - trace.start
    best = likeness
    self.coarse = coarse
  }

  /// Whether this offset fits trace and log much better than another one.
  package func isClearlyBetter(than other: Double) -> Bool {
    let lag = Int((other - start).rounded())
    guard coarse.indices.contains(lag + Self.reach), let likeness = coarse[lag + Self.reach] else {
      return true
    }
    return best > likeness + Self.clear
  }

  /// What the base profiles make of the log, watts in steps from its first record on.
  private static func watts(
    _ activities: [Activity], _ device: DeviceProfile, _ network: NetworkProfile?,
    every step: Double
  ) -> [Double?] {
    guard let first = activities.first?.at, let last = activities.last?.at else { return [] }
    var meter = EnergyMeter(device: device, network: network)
    let count = Int(EngineInstant.seconds(from: first, to: last) / step)
    var next = 0
    var before = 0.0
    return (0..<max(0, min(count, Self.longest))).map { index in
      let until = first.advanced(bySeconds: Double(index + 1) * step)
      while next < activities.count, activities[next].at < until {
        meter.record(activities[next])
        next += 1
      }
      meter.finish(at: until)
      let joules =
        meter.formula.joules(meter.usage, meter.formula.nominal, withBaseline: true)
      defer { before = joules }
      return (joules - before) / step
    }
  }

  /// Pearson's correlation of the overlap with the second moved to the right by `lag` steps; `nil` if less than half of
  /// the shorter overlaps, or one of them does not vary.
  static func correlation(_ a: [Double?], _ b: [Double?], lag: Int) -> Double? {
    let begin = max(0, lag)
    let end = min(a.count, b.count + lag)
    guard end > begin, 2 * (end - begin) >= min(a.count, b.count) else { return nil }
    var (count, sumA, sumB, squareA, squareB, product) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for index in begin..<end {
      guard let x = a[index], let y = b[index - lag] else { continue }
      count += 1
      sumA += x
      sumB += y
      squareA += x * x
      squareB += y * y
      product += x * y
    }
    let spread = (count * squareA - sumA * sumA) * (count * squareB - sumB * sumB)
    guard count > 1, spread > 0 else { return nil }
    return (count * product - sumA * sumB) / spread.squareRoot()
  }
}
