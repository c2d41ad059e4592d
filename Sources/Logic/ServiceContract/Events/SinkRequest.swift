// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// What the other side of a sink may ask for.
package enum SinkRequest: Sendable, Equatable {
  /// The present position, now.
  case reportLocation
  /// Other regions to monitor, in this order.
  case changeRegions([RegionChange])
}

/// A change of the regions monitored for a sink's app.
package enum RegionChange: Sendable, Equatable, Codable {
  /// Replaces one of the same name, if there is one.
  case monitor(MonitoredRegion)
  /// The region of this name.
  case stop(String)
  /// All regions that the other side has named.
  case stopAll
}

extension SinkRequest: Codable {
  private enum Word: String, Codable {
    case reportLocation = "report_location"
  }

  private enum CodingKeys: CodingKey {
    case changeRegions
  }

  /// A request without data is a word, as in recordings from before there were others.
  package init(from decoder: any Decoder) throws {
    guard let values = try? decoder.container(keyedBy: CodingKeys.self) else {
      switch try decoder.singleValueContainer().decode(Word.self) {
      case .reportLocation: self = .reportLocation
      }
      return
    }
    self = .changeRegions(try values.decode([RegionChange].self, forKey: .changeRegions))
  }

  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .reportLocation:
      var container = encoder.singleValueContainer()
      try container.encode(Word.reportLocation)
    case .changeRegions(let changes):
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(changes, forKey: .changeRegions)
    }
  }
}
