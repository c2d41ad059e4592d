// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import LocationModel

/// `?FORGET`: the events, and the other memory of the device's places, to delete. A member that is left out does not
/// restrict; without any of the three the request is refused.
package struct Forgetting: JSONObject, Equatable, Codable {
  /// Those decided before, UTC of the host.
  package var before: UTCInstant?
  /// Those within this circle.
  package var within: Circle?
  /// Those of one app.
  package var app: String?
  /// Only counts what would be deleted.
  package var isTrial: Bool

  package struct Circle: JSONObject, Equatable, Codable {
    /// The allowed radii, metres [ours].
    package static let radii = 1.0...1_000_000.0

    package var latitude: Double
    package var longitude: Double
    /// Metres.
    package var radius: Double

    package init(latitude: Double, longitude: Double, radius: Double) {
      self.latitude = latitude
      self.longitude = longitude
      self.radius = radius
    }

    package static let empty = Self(latitude: 0, longitude: 0, radius: 0)
    package static let table = JSONTable<Self> { circle in
      circle.field("latitude", \.latitude, .number(in: -90...90))
      circle.field("longitude", \.longitude, .number(in: -180...180))
      circle.field("radius_m", \.radius, .number(in: radii))
    }
  }

  package init(
    before: UTCInstant? = nil, within: Circle? = nil, app: String? = nil, isTrial: Bool = false
  ) {
    self.before = before
    self.within = within
    self.app = app
    self.isTrial = isTrial
  }

  package static let empty = Self()
  package static let table = JSONTable<Self> { wish in
    wish.option("before", \.before, UTCInstant.json)
    wish.option("within", \.within, Circle.json)
    wish.option("app", \.app, .appName)
    wish.option("trial", \.isTrial, Bool.json) { $0.isTrial }
  }
}
