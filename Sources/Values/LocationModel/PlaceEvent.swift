// SPDX-License-Identifier: Apache-2.0

package import Geodesy

/// The event in a delivery, besides its position.
package enum PlaceEvent: Sendable, Equatable, Codable {
  /// The device entered the region of this identifier.
  case entered(String)
  case exited(String)
  case arrived(Visit)
  case departed(Visit)

  /// The region that was crossed; `nil` for a stay.
  package var region: String? {
    switch self {
    case .entered(let region), .exited(let region): region
    case .arrived, .departed: nil
    }
  }

  /// The stay that has begun or ended; `nil` for a region.
  package var visit: Visit? {
    switch self {
    case .arrived(let visit), .departed(let visit): visit
    case .entered, .exited: nil
    }
  }

  /// `entered`, `exited`, `arrived` or `departed`: its name in documents.
  package var name: String {
    switch self {
    case .entered: "entered"
    case .exited: "exited"
    case .arrived: "arrived"
    case .departed: "departed"
    }
  }
}

extension Delivery {
  /// The place that it tells of: a stay has its own.
  package var place: Coordinate { event?.visit?.coordinate ?? fix.coordinate }
}
