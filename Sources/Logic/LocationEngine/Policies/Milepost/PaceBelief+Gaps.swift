// SPDX-License-Identifier: Apache-2.0

extension PaceBelief {
  /// The seconds between two events of the sensor, the shortest of which is its window: a profile that states 10 s for
  /// a sensor that takes 30 would make two thirds of a walk look like silence.
  struct Gaps: Sendable, Equatable, Codable {
    /// Longer ones are rests between movements.
    private static let longest = 60.0
    /// The shortest of this many counts: one event in ten is missing.
    private static let enough = 8

    let stated: Double
    private var shortest = longest
    private var count = 0

    init(stated: Double) { self.stated = stated }

    /// The window after another gap; `nil` if it stays.
    mutating func window(after gap: Double, now window: Double) -> Double? {
      guard gap <= Self.longest else { return nil }
      shortest = min(shortest, gap)
      count += 1
      guard count == Self.enough || gap < window else { return nil }
      defer { (shortest, count) = (Self.longest, 0) }
      return max(stated, shortest)
    }
  }
}
