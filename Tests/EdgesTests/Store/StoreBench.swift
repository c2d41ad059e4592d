// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import LocationModel
import ServiceContract
import StateStore

/// A separate directory for one test, removed with it.
final class StoreBench {
  let directory: URL

  init() {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent(
      "milepost-store-\(UUID().uuidString)")
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  var path: String { directory.appendingPathComponent("state.db").path }

  func open() throws -> StateStore { try StateStore(path: path) }

  func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
  }

  /// Copies the database, the recent file and its journal, these cut to a number of bytes, into a directory beside
  /// them.
  func copy(recentBytes: Int = .max, journalBytes: Int = .max) throws -> String {
    let place = directory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
    let copy = place.appendingPathComponent("state.db").path
    // As in `StateStore.read`: the recent file first.
    try bytes(of: "-recent").prefix(recentBytes).write(to: URL(fileURLWithPath: copy + "-recent"))
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    try bytes(of: "-wal").prefix(journalBytes).write(to: URL(fileURLWithPath: copy + "-wal"))
    return copy
  }

  /// The content of a file beside the database.
  func bytes(of ending: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path + ending))
  }

  static func app(_ number: UInt32, name: String = "tracker") -> StoredApp {
    StoredApp(
      id: AppID(number), name: name, manifestJSON: #"{"command":["true"]}"#, authorization: .always)
  }

  static func pending(
    _ app: UInt32, _ sequence: UInt64, failures: Int = 0, occasion: Delivery.Occasion? = nil
  ) -> PendingDelivery {
    let fix = Fix(
      time: UTCInstant(microseconds: 1_700_000_000_000_000),
      coordinate: Coordinate(clampingLatitude: 55.123_456_7, wrappingLongitude: -12.5),
      horizontalAccuracy: 4.5, speed: 0.1)
    return PendingDelivery(
      app: AppID(app),
      delivery: Delivery(
        sequence: sequence, service: .significant, fix: fix, isCached: false, moved: 512.25,
        since: 301, occasion: occasion),
      received: UTCInstant(microseconds: 1_700_000_000_500_000), failures: failures)
  }

  static func row(_ app: UInt32?, _ text: String, at microseconds: Int64 = 5) -> LogRow {
    LogRow(
      app: app.map { AppID($0) }, at: UTCInstant(microseconds: microseconds), kind: "delivered",
      text: text)
  }
}
