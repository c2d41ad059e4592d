// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import LocationModel
package import RadioPower

extension StatusDocument {
  /// Modelled energy above the baseline, as metered by this daemon, and by earlier ones.
  package struct Energy: JSONObject, Equatable {
    /// The energy of one component.
    package struct Component: JSONObject, Equatable {
      /// `gnss`, `cell`, `wifi`, `soc`, `sensor`, `flash`.
      package var name: String
      package var energy = EnergyRange.zero

      package static let empty = Self(name: "")
      package static let table = JSONTable<Self> { part in
        part.field("component", \.name)
        part.include(\.energy, EnergyRange.table)
      }
    }

    /// The energy used for one mode of location: at each instant the most demanding one.
    package struct Mode: JSONObject, Equatable {
      /// `nil`: before any request.
      package var mode: Service?
      package var energy = EnergyRange.zero

      package static let empty = Self()
      package static let table = JSONTable<Self> { part in
        part.option("mode", \.mode, Service.json)
        part.include(\.energy, EnergyRange.table)
      }
    }

    /// The start of metering, UTC of the host, and its duration in seconds.
    package var since: UTCInstant
    package var metered: Double
    package var components: [Component]
    /// The energy that the device takes anyway over the same time; shown separately.
    package var baseline: Component
    /// A full battery by the device profile, joules; `nil` if the device has none.
    package var battery: Double?
    /// The energy that earlier daemons of this store metered above the baseline, joules, central value; `total` does
    /// not contain it. 0 if there was none.
    package var earlier: Double
    /// What a receiver that always tracks and a processor that never sleeps would have taken above the
    /// baseline over the same seconds, without the work of any app: the least cost of continuous updates.
    package var continuous: Component?
    /// The components' energy once more, by the mode that used it; they add up to the total.
    package var modes: [Mode] = []

    /// All components together.
    package var total: Component {
      components.reduce(into: Component(name: "total")) { $0.energy += $1.energy }
    }

    package static let empty = Self(
      since: .epoch, metered: 0, components: [], baseline: Component.empty, battery: nil, earlier: 0
    )
    package static let table = JSONTable<Self> { energy in
      energy.field("since", \.since)
      energy.field("metered_s", \.metered, .number(in: 0...1e15))
      energy.field("components", \.components)
      energy.value("total", \.total)
      energy.field("baseline", \.baseline)
      energy.field("battery_j", \.battery, .number(in: 0...1e15))
      energy.field("earlier_j", \.earlier, .number(in: 0...1e15))
      energy.option("continuous", \.continuous, Component.json)
      energy.option("modes", \.modes, .array(of: Mode.json)) { !$0.modes.isEmpty }
    }
  }
}

extension EnergyRange {
  fileprivate static let table = JSONTable<Self> { energy in
    energy.field("energy_j", \.nominal, .number(in: 0...1e15))
    energy.field("energy_low_j", \.low, .number(in: 0...1e15))
    energy.field("energy_high_j", \.high, .number(in: 0...1e15))
  }
}
