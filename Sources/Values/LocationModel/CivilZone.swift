// SPDX-License-Identifier: Apache-2.0

/// A zone's offsets from UTC, as far as the holder of a time-zone database wrote them down.
package struct CivilZone: Sendable, Equatable, Codable {
  /// `Europe/Berlin`.
  package var name: String
  /// Each offset, seconds east of UTC, and the instant from which it holds, in order. The first one holds before,
  /// too; never empty.
  package private(set) var offsets: [Offset]

  package struct Offset: Sendable, Equatable, Codable {
    package var from: UTCInstant
    package var seconds: Int

    package init(from: UTCInstant, seconds: Int) {
      self.from = from
      self.seconds = seconds
    }
  }

  /// `nil` without an offset, or if they are not in order.
  package init?(name: String, offsets: [Offset]) {
    guard !offsets.isEmpty, zip(offsets, offsets.dropFirst()).allSatisfy({ $0.from < $1.from })
    else { return nil }
    self.name = name
    self.offsets = offsets
  }

  package static let utc = CivilZone(fixed: 0, name: "UTC")

  private init(fixed seconds: Int, name: String) {
    self.name = name
    offsets = [Offset(from: .epoch, seconds: seconds)]
  }

  /// Seconds east of UTC at an instant.
  package func offset(at instant: UTCInstant) -> Int {
    (offsets.last { $0.from <= instant } ?? offsets[0]).seconds
  }

  /// The instant that a clock of the zone shows as `civil` (its reading as if it were UTC).
  ///
  /// A reading that is skipped in spring is the one an hour later; a doubled one in autumn is the earlier one.
  package func instant(showing civil: UTCInstant) -> UTCInstant {
    let candidates = [-86_400.0, 86_400].map { offset(at: civil.advanced(bySeconds: $0)) }
    let instants = candidates.map { civil.advanced(bySeconds: -Double($0)) }
    let exact = zip(candidates, instants).filter { offset(at: $1) == $0 }.map(\.1)
    // Skipped: before the change the offset was the smaller one, which leads past the gap.
    return exact.min() ?? instants[0]
  }
}
