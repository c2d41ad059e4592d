// SPDX-License-Identifier: Apache-2.0

import Geodesy

/// `52.5163,13.3777,500`: degrees north and east, and metres.
enum CircleText {
  static func readCircle(_ text: Substring) -> (centre: Coordinate, radius: Double)? {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard numbers.count == 3, let latitude = numbers[0], let longitude = numbers[1],
      let radius = numbers[2],
      let centre = Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    return (centre, radius)
  }
}
