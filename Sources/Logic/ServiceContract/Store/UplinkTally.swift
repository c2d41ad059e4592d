// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// The totals of a sink's transfers since it was added, over all services.
package struct UplinkTally: Sendable, Equatable {
  /// The start of counting, on the engine's axis.
  package let since: EngineInstant
  package var transfers = 0
  /// Deliveries that are safe on the other side.
  package var taken = 0
  package var traffic = SinkTraffic(up: 0, down: 0)
  /// Joules that the transfers added, nominal: each above the power of the link without it. `nil` if none was metered.
  package var energy: Double?
  /// The last time that the other side took something, UTC of the host.
  package var lastTaken: UTCInstant?
  /// Events set aside since the other side last took something.
  package var setAsideInRow = 0
  /// The sink's notes that are reported only once; the newest few.
  package private(set) var told: [String] = []

  package init(since: EngineInstant) { self.since = since }

  package mutating func noteTold(_ words: String) {
    told.append(words)
    if told.count > 8 { told.removeFirst() }
  }

  /// The other side has taken so many deliveries.
  package mutating func took(_ count: Int, at utc: UTCInstant) {
    setAsideInRow = 0
    taken += count
    lastTaken = utc
  }

  /// Joules a day, including the time without a service; `nil` if nothing was metered, or for less than an hour,
  /// which is too short.
  package func energyPerDay(at now: EngineInstant) -> Double? {
    let seconds = EngineInstant.seconds(from: since, to: now)
    return seconds >= 3600 ? energy.map { $0 / seconds * 86_400 } : nil
  }
}

extension UplinkTally: Codable {
  private enum CodingKeys: CodingKey {
    case since, transfers, taken, traffic, energy, lastTaken, setAsideInRow, told
  }

  /// Throws for values that no service has written, so that later additions cannot overflow.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    since = try values.decode(EngineInstant.self, forKey: .since)
    transfers = try values.decode(Int.self, forKey: .transfers)
    taken = try values.decode(Int.self, forKey: .taken)
    traffic = try values.decode(SinkTraffic.self, forKey: .traffic)
    energy = try values.decodeIfPresent(Double.self, forKey: .energy)
    lastTaken = try values.decodeIfPresent(UTCInstant.self, forKey: .lastTaken)
    setAsideInRow = try values.decode(Int.self, forKey: .setAsideInRow)
    told = try values.decode([String].self, forKey: .told)
    let counts = [transfers, taken, traffic.up, traffic.down, setAsideInRow]
    guard counts.allSatisfy((0...1 << 60).contains), energy.map({ $0 >= 0 && $0.isFinite }) ?? true
    else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "counts that nothing counted"))
    }
  }
}
