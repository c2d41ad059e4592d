// SPDX-License-Identifier: Apache-2.0

/// The cost of one link's transfers with any set of values; TrafficTally.swift states its accuracy.
/// Without idle, which is baseline.
struct LinkCost: Sendable {
  private struct Phase: Sendable {
    /// Slots; `extra` is added to the power.
    var power = 0
    var extra = 0
    var duration = 0
  }

  private let promotion: Phase
  private let tails: [(phase: Phase, promotion: Phase)]
  private let transfer: LinkShape.Transfer
  /// Power of the data without their rate; for a frame, its power.
  private let base: Int
  private let perMbpsUp: Int
  private let perMbpsDown: Int
  private let setup: Int
  private let fixedEnergy: Int
  private let energyPerKB: Int

  init(
    _ shape: LinkShape, component: String, _ numbers: ProfileNumbers, _ list: inout ParameterList
  ) {
    func slot(_ state: String?, _ quantity: String) -> Int {
      list.slot(numbers, component, state, quantity)
    }
    func phase(_ state: String?, extra: String? = nil) -> Phase {
      Phase(
        power: slot(state, "power"), extra: slot(extra, "power"), duration: slot(state, "duration")
      )
    }
    transfer = shape.transfer
    promotion = phase(shape.promotion)
    tails = shape.tails.map { (phase($0.state, extra: $0.extra), phase($0.promotion)) }
    base = slot(shape.active, transfer == .byFrame ? "power" : "base")
    setup = slot(shape.active, "setup")
    perMbpsUp = slot(shape.active, "per_mbps_up")
    perMbpsDown = slot(shape.active, "per_mbps_down")
    fixedEnergy = slot(shape.active, "energy")
    energyPerKB = slot(shape.active, "per_kb")
  }

  /// One phase with its values: watts and seconds.
  private struct Stage {
    let power: Double
    let duration: Double
    let promotion: (power: Double, duration: Double)
  }

  /// Joules of all transfers, with the values that begin at `offset`.
  func joules(_ traffic: TrafficTally, _ values: [Double], _ offset: Int) -> Double {
    guard traffic.count > 0 else { return 0 }
    func value(_ slot: Int) -> Double { values[offset + slot] }
    func watts(_ phase: Phase) -> Double { (value(phase.power) + value(phase.extra)) * 1e-3 }
    let idle = (power: watts(promotion), duration: value(promotion.duration))
    let stages = tails.map { tail in
      Stage(
        power: watts(tail.phase), duration: value(tail.phase.duration),
        promotion: (watts(tail.promotion), value(tail.promotion.duration)))
    }
    let dataPower = value(base) * 1e-3
    let perTransfer = transfer == .byRate ? value(setup) : 0

    var joules = 0.0
    var busy = 0.0
    for cell in traffic.cells {
      let data = perTransfer + cell.data / cell.count
      let before =
        cell.key.before == TrafficTally.Key.first ? nil : cell.before / cell.count
      let after = cell.after / cell.count
      // If promotions alternate (one makes the next gap too short for another), half of each.
      let (one, other) = Self.promotions(before: before, data: data, stages, idle)
      for needed in [one, other] {
        busy += (needed.duration + data) * cell.count / 2
        let left = after - needed.duration - data
        var each = needed.power * needed.duration
        if left >= 0 {
          each += Self.tails(left, stages)
        } else if cell.key.isLast {
          // The metering ends within promotion or data: the part beyond was not used.
          each -= dataPower * min(data, -left) + needed.power * max(0, -left - data)
        }
        joules += each * cell.count / 2
      }
    }
    joules += dataJoules(traffic, value, perTransfer)
    // An overloaded link has not carried everything at the end.
    return busy > traffic.span && transfer != .byEnergy ? joules * traffic.span / busy : joules
  }

  private func dataJoules(
    _ traffic: TrafficTally, _ value: (Int) -> Double, _ perTransfer: Double
  ) -> Double {
    switch transfer {
    case .byRate:
      (value(base) * (perTransfer * traffic.count + traffic.load.seconds)
        + value(perMbpsUp) * traffic.load.megabitsUp
        + value(perMbpsDown) * traffic.load.megabitsDown) * 1e-3
    case .byEnergy:
      value(fixedEnergy) * traffic.count + value(energyPerKB) * traffic.load.kilobytes
    case .byFrame:
      value(base) * traffic.load.seconds * 1e-3
    }
  }

  /// The promotions of a transfer that comes `before` seconds after the last request: after one that
  /// needed none, and after one that needed that. They are the same except near the end of a tail.
  private static func promotions(
    before: Double?, data: Double, _ stages: [Stage],
    _ idle: (power: Double, duration: Double)
  ) -> ((power: Double, duration: Double), (power: Double, duration: Double)) {
    guard let before else { return (idle, idle) }
    let first = promotion(after: before - data, stages, idle)
    let second = promotion(after: before - data - first.duration, stages, idle)
    // They alternate only if the second lets the next one be like the first.
    let third = promotion(after: before - data - second.duration, stages, idle)
    return third == first ? (first, second) : (second, third)
  }

  private static func promotion(
    after gap: Double, _ stages: [Stage], _ idle: (power: Double, duration: Double)
  ) -> (power: Double, duration: Double) {
    guard gap >= 0 else { return (0, 0) }
    var left = gap
    for stage in stages {
      if left < stage.duration { return stage.promotion }
      left -= stage.duration
    }
    return idle
  }

  /// Joules of the tails in the `seconds` after the data.
  private static func tails(_ seconds: Double, _ stages: [Stage]) -> Double {
    var joules = 0.0
    var left = seconds
    for stage in stages where left > 0 {
      joules += stage.power * min(left, stage.duration)
      left -= stage.duration
    }
    return joules
  }
}
