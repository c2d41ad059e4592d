// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import Replay
import ServiceContract

/// When one came to a place and left it, and when a mode told the app: letters on a map, and a table beside it.
struct StayList {
  /// Rows that fit beside a map [ours].
  private static let most = 10
  private static let letters = ["A", "B", "C", "D", "E", "F", "G", "H"]
  /// Metres within which two events are at one place: a device has left one that is twice a stay's radius away.
  private static let reach = 2 * ScoringRules.Stay.radius

  /// Where they are, each with its letter; only the first places have one.
  private(set) var places: [(letter: String, place: Coordinate)] = []
  private let stays: [CurveRecord.StayEvent]
  private let clock: LocalClock

  /// `nil` if no arrival and no departure was judged.
  init?(_ curves: CurveRecord, by clock: LocalClock) {
    guard !curves.stays.isEmpty else { return nil }
    stays = curves.stays
    self.clock = clock
    for stay in stays where places.count < Self.letters.count && letter(of: stay.place) == nil {
      places.append((Self.letters[places.count], stay.place))
    }
  }

  private func letter(of place: Coordinate) -> String? {
    places.first { LocalFrame(origin: $0.place).distance(to: place) < Self.reach }?.letter
  }

  /// The first ones, as `name` told of them.
  func table(of name: String) -> Table {
    var table = Table(
      "When one came and left, and when \(name) told of it", head: ["", "at", "told"])
    for stay in stays.prefix(Self.most) {
      let place = letter(of: stay.place) ?? "a place"
      table.row([
        stay.isArrival ? "came to \(place)" : "left \(place)",
        DateText.clock(clock.shown(at: stay.time)), stay.delay.map(Figures.late) ?? "missed",
      ])
    }
    return table
  }

  /// What the table leaves out; `nil` if nothing.
  var rest: String? {
    stays.count > Self.most ? "\(Figures.count(stays.count - Self.most)) more followed." : nil
  }
}
