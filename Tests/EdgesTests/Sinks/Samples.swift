// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import JSONText
import LocationModel
import ServiceContract

@testable import Sinks

/// Deliveries and folders for the tests of sinks.
enum Samples {
  /// 2026-11-22T23:59:59Z (date -u -d @1795391999).
  static let moment = UTCInstant(microseconds: 1_795_391_999_000_000)

  static let fix = Fix(
    time: moment, coordinate: Coordinate(clampingLatitude: 48.5, wrappingLongitude: 11.25),
    horizontalAccuracy: 4.6, altitude: 512.4, verticalAccuracy: 7.5, speed: 12.5, course: 359.6)

  /// A delivery of app 3, decided three seconds after the position.
  static func delivery(
    _ number: UInt64 = 7, _ service: Service = .significant, fix: Fix = fix,
    isCached: Bool = false, event: PlaceEvent? = nil, received: UTCInstant? = nil,
    since: Double = 300, occasion: Delivery.Occasion? = nil
  ) -> PendingDelivery {
    PendingDelivery(
      app: AppID(3),
      delivery: Delivery(
        sequence: number, service: service, fix: fix, isCached: isCached, moved: 612, since: since,
        event: event, occasion: occasion),
      received: received ?? moment.advanced(bySeconds: 3))
  }

  /// A new folder, which is deleted afterwards.
  static func withFolder<Answer>(_ body: (String) async throws -> Answer) async throws -> Answer {
    let folder = FileManager.default.temporaryDirectory.path + "/sink-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try await body(folder)
  }

  /// Makes a file with these permissions; returns its path.
  @discardableResult
  static func file(_ name: String, in folder: String, _ text: String, mode: Int = 0o600) throws
    -> String
  {
    let path = folder + "/" + name
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return path
  }

  /// The problems that reading a sink's table finds.
  static func problems(_ members: [JSONValue.Member]) -> [String] {
    do throws(SettingsError) {
      _ = try SinkKind.sink(SinkSettings(.object(members)), file: "m.yaml", directory: "/opt")
      return []
    } catch {
      return error.problems.map(\.text)
    }
  }

  static func sink(_ members: [JSONValue.Member], in folder: String = "/") throws -> any Sink {
    try SinkKind.sink(SinkSettings(.object(members)), file: "m.yaml", directory: folder)
  }
}
