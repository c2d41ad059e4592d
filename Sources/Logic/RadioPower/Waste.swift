// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// The wasted part of an energy. Its parts do not overlap, and each is contained in the report.
package struct Waste: Sendable, Equatable {
  package struct Part: Sendable, Equatable {
    /// The number of occurrences.
    package internal(set) var count = 0
    package internal(set) var seconds = 0.0
    /// Joules.
    package internal(set) var energy = EnergyRange.zero

    fileprivate mutating func walkSums(_ walk: inout SumWalk) {
      walk.count(&count, .energy)
      walk.quantity(&seconds, .energy)
      walk.quantity(&energy.nominal, .energy)
      walk.quantity(&energy.low, .energy)
      walk.quantity(&energy.high, .energy)
    }
  }

  /// Searches of the receiver that ended without a fix.
  package internal(set) var fixlessSearches = Part()
  /// Sessions of the receiver in which nothing was delivered, without those searches.
  package internal(set) var unheardSessions = Part()
  /// Radios that stayed up behind a transfer in case of another, and the receiver's lingering; the count is of
  /// transfers, each of which opens a tail or prolongs one.
  package internal(set) var tails = Part()

  /// Nothing wasted yet.
  package init() {}

  /// Joules of all parts.
  package var total: EnergyRange {
    var total = fixlessSearches.energy
    total += unheardSessions.energy
    total += tails.energy
    return total
  }

  package mutating func walkSums(_ walk: inout SumWalk) {
    fixlessSearches.walkSums(&walk)
    unheardSessions.walkSums(&walk)
    tails.walkSums(&walk)
  }
}

extension EnergyMeter {
  /// The waste up to the last `finish`.
  package var waste: Waste {
    var waste = Waste()
    let ledger = receiver.sessionsUpToNow
    waste.fixlessSearches = part(ledger.fixless, count: ledger.fixlessSearches)
    waste.unheardSessions = part(ledger.unheard, count: ledger.unheardSessions)
    waste.tails.count = Int(usage.links.reduce(0) { $0 + $1.count })
    let shapes = [("cell", network?.shape), ("wifi", .wifi)]
    for row in report().components {
      let isTail = shapes.contains { component, shape in
        component == row.component && shape?.tails.contains { $0.state == row.state } == true
      }
      guard isTail || (row.component == "gnss" && row.state == "linger") else { continue }
      waste.tails.seconds += row.seconds
      waste.tails.energy += row.energy
    }
    return waste
  }

  private func part(_ times: [Int64], count: Int) -> Waste.Part {
    var usage = EnergyUsage()
    usage.receiver = times.map { Double($0) * 1e-6 }
    let joules = Lane.allCases.map { formula.joules(usage, formula.parameters.values(of: $0)) }
    return Waste.Part(
      count: count, seconds: usage.receiver.reduce(0, +),
      energy: EnergyRange(nominal: joules[0], low: joules[1], high: joules[2]))
  }
}
