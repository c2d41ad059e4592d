// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Glibc
import JSONText
import LocationModel
import ServiceContract
import Synchronization
import Testing

@testable import Sinks

/// Deliveries, and sinks from a table as in a file of settings.
enum TestSinks {
  /// 2026-11-22T12:00:00Z (date -u -d @1795348800).
  static let noon: Int64 = 1_795_348_800

  static func delivery(
    _ number: UInt64, after seconds: Int64 = 0, service: Service = .significant,
    event: PlaceEvent? = nil, accuracy: Double? = 12.4, speed: Double? = nil,
    dated error: Int64 = 0
  ) -> PendingDelivery {
    let received = UTCInstant(microseconds: (noon + seconds) * 1_000_000)
    let time = received.advanced(bySeconds: Double(error))
    return PendingDelivery(
      app: AppID(1),
      delivery: Delivery(
        sequence: number, service: service,
        fix: Fix(
          time: time, coordinate: Coordinate(clampingLatitude: 48.5, wrappingLongitude: 11.25),
          horizontalAccuracy: accuracy, speed: speed),
        isCached: false, moved: 612, since: 300, event: event), received: received)
  }

  static func sink(
    _ kind: String, _ members: [(String, JSONValue)], directory: String = "/"
  ) throws -> any Sink {
    let table = [JSONValue.Member("kind", .string(kind))] + members.map { .init($0.0, $0.1) }
    return try SinkKind.sink(
      SinkSettings(.object(table)), file: "m.yaml", directory: directory)
  }

  /// The problems of a table.
  static func problems(_ kind: String, _ members: [(String, JSONValue)]) -> [String] {
    do {
      _ = try sink(kind, members)
      return []
    } catch let error as SettingsError {
      return error.problems.map(\.text)
    } catch {
      return ["\(error)"]
    }
  }

  /// The members of a line of JSON that a subscriber received.
  static func json(_ line: Substring) throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
  }
}
