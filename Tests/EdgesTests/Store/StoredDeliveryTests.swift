// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import LocationModel
import ServiceContract
import Testing

@testable import StateStore

@Suite("Stored deliveries")
struct StoredDeliveryTests {
  private func delivery(_ number: UInt64, _ fix: Fix, moved: Double?, since: Double?) -> Delivery {
    Delivery(
      sequence: number, service: .significant, fix: fix, isCached: number == 2, moved: moved,
      since: since)
  }

  @Test("Whatever a delivery holds, what is read is what was written")
  func roundTrip() throws {
    let here = Fix(
      time: UTCInstant(microseconds: 1_777_878_489_500_000),
      coordinate: try #require(Coordinate(latitude: 45.523_1, longitude: 13.568)),
      horizontalAccuracy: 4.5, speed: 1e-7, course: 359.999_999_999)
    let there = Fix(
      time: nil, coordinate: try #require(Coordinate(latitude: -90, longitude: -180)))
    let all = [
      delivery(1, here, moved: nil, since: nil), delivery(2, here, moved: 0.1 + 0.2, since: 1e-9),
      delivery(.max, there, moved: 512.25, since: 300), delivery(4, here, moved: 1e21, since: 0),
      delivery(5, here, moved: .infinity, since: 1),
      Delivery(
        sequence: 6, service: .significant, fix: here, isCached: false, moved: nil, since: nil,
        event: .exited("a \"home\"")),
      Delivery(
        sequence: 7, service: .significant, fix: here, isCached: false, moved: nil, since: nil,
        event: .departed(
          Visit(
            coordinate: here.coordinate, horizontalAccuracy: nil, arrival: here.time,
            departure: here.time))),
      Delivery(
        sequence: 8, service: .standard, fix: here, isCached: false, moved: nil, since: nil,
        occasion: .request),
    ]
    for delivery in all {
      #expect(try SnapshotForm.delivery(SnapshotForm.encoded(delivery)) == delivery)
    }
  }
}
