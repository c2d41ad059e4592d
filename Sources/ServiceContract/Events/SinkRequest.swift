// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// A request of the other side of a sink.
package enum SinkRequest: Sendable, Equatable {
  /// The present position, now.
  case reportLocation
  /// Other regions are to be monitored, in this order.
  case changeRegions([RegionChange])
}

/// A change of the regions that are monitored for a sink's app.
package enum RegionChange: Sendable, Equatable, Codable {
  /// In place of one of the same name, where there is one.
  case monitor(MonitoredRegion)
  /// The region of this name.
  case stop(String)
  /// All that the other side has named.
  case stopAll
}

extension SinkRequest: Codable {
  private enum Word: String, Codable {
    case reportLocation = "report_location"
  }

  private enum CodingKeys: CodingKey {
    case changeRegions
  }

  /// A request that holds nothing is a word, as recordings had it before there was anything else.
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
