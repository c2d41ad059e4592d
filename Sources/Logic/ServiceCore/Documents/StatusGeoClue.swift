// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import LocationModel

extension StatusDocument {
  /// Programs that ask GeoClue, if Milepost answers in its place.
  package struct GeoClue: JSONObject, Equatable {
    /// The kind of positions for a program.
    package enum Asks: String, Sendable, JSONWord {
      /// Positions that others needed; the receiver is never on for it.
      case follows
      case significant
      case standard
    }

    package struct Program: JSONObject, Equatable {
      /// The name that it gives itself.
      package var name: String
      /// `country`, `city`, `neighborhood`, `street`, `exact`.
      package var level: String
      package var asks: Asks
      /// Its thresholds, metres and seconds.
      package var distance: Int
      package var time: Int
      /// The number of its clients that ask now.
      package var clients: Int
      package var deliveries: Int
      package var lastDelivery: UTCInstant?
      /// Its share of the energy, joules above the baseline, since this daemon's start.
      package var energy: Double

      package static let empty = Self(
        name: "", level: "", asks: .follows, distance: 0, time: 0, clients: 0, deliveries: 0,
        lastDelivery: nil, energy: 0)
      package static let table = JSONTable<Self> { program in
        program.field("name", \.name)
        program.field("level", \.level)
        program.field("asks", \.asks)
        program.field("distance_m", \.distance, .whole(in: 0...4_294_967_295))
        program.field("time_s", \.time, .whole(in: 0...4_294_967_295))
        program.field("clients", \.clients)
        program.field("deliveries", \.deliveries)
        program.field("last_delivery", \.lastDelivery)
        program.field("energy_j", \.energy, .number(in: 0...1e15))
      }
    }

    package var isAnswering: Bool
    /// That it answers, or the reason why not.
    package var text: String
    package var programs: [Program]

    package static let empty = Self(isAnswering: false, text: "", programs: [])
    package static let table = JSONTable<Self> { part in
      part.field("answers", \.isAnswering)
      part.field("text", \.text)
      part.field("programs", \.programs)
    }
  }
}
