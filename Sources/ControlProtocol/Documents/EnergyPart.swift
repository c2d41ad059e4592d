// SPDX-License-Identifier: Apache-2.0

import JSONText
package import LocationModel

extension StatusDocument {
  /// Modelled energy above the baseline, as this daemon metered it, and what earlier ones did.
  package struct Energy: Sendable, Equatable {
    /// Joules as the model's central value, with the range of the profile.
    package struct Component: Sendable, Equatable {
      /// `gnss`, `cell`, `wifi`, `soc`, `sensor`, `flash`.
      package var name: String
      package var low: Double
      package var central: Double
      package var high: Double

      package init(name: String, low: Double, central: Double, high: Double) {
        self.name = name
        self.low = low
        self.central = central
        self.high = high
      }
    }

    /// From when on it was metered, UTC of the host, and over how many seconds.
    package var since: UTCInstant
    package var metered: Double
    package var components: [Component]
    /// What the device takes anyway over the same time; shown apart.
    package var baseline: Component
    /// A full battery by the device profile, joules; `nil` where the device has none.
    package var battery: Double?
    /// What earlier daemons of this store metered above the baseline, joules, central value; `total`
    /// does not contain it. 0 where there was none.
    package var earlier: Double

    package init(
      since: UTCInstant, metered: Double, components: [Component], baseline: Component,
      battery: Double?, earlier: Double
    ) {
      self.since = since
      self.metered = metered
      self.components = components
      self.baseline = baseline
      self.battery = battery
      self.earlier = earlier
    }

    /// All components together.
    package var total: Component {
      components.reduce(into: Component(name: "total", low: 0, central: 0, high: 0)) {
        $0.low += $1.low
        $0.central += $1.central
        $0.high += $1.high
      }
    }

    init(_ object: ObjectReader) throws(ProtocolError) {
      since = try object.instant("since")
      metered = try object.number("metered_s", in: 0...1e15)
      components = try object.list("components", Component.init)
      baseline = try Component(try object.object("baseline"))
      battery = try object.optionalNumber("battery_j", in: 0...1e15)
      earlier = try object.number("earlier_j", in: 0...1e15)
    }

    func write(into json: inout JSONWriter) {
      json.member("since", since.rfc3339)
      json.exactMember("metered_s", metered)
      json.objects("components", components) { $0.write(into: &$1) }
      json.key("total")
      json.object { total.write(into: &$0) }
      json.key("baseline")
      json.object { baseline.write(into: &$0) }
      json.exactMember("battery_j", battery)
      json.exactMember("earlier_j", earlier)
    }
  }
}

extension StatusDocument.Energy.Component {
  init(_ object: ObjectReader) throws(ProtocolError) {
    self.init(
      name: try object.string("component"), low: try object.number("energy_low_j", in: 0...1e15),
      central: try object.number("energy_j", in: 0...1e15),
      high: try object.number("energy_high_j", in: 0...1e15))
  }

  func write(into json: inout JSONWriter) {
    json.member("component", name)
    json.exactMember("energy_j", central)
    json.exactMember("energy_low_j", low)
    json.exactMember("energy_high_j", high)
  }
}
