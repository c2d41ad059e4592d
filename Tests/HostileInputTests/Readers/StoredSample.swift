// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Foundation
import Geodesy
import LocationEngine
import LocationModel
import RadioPower
import ServiceContract
import ServiceCore
import Settings

@testable import StateStore

/// A sound database with a row in each table, and the service that begins with it.
enum StoredSample {
  static let time = ServiceTime(
    at: EngineInstant(microseconds: 1_000_000_000),
    utc: UTCInstant(microseconds: 1_790_000_000_000_000))

  /// The columns that a line of `stored-rows` may set, by table.
  static let tables: [String: Set<String>] = [
    "app": [
      "id", "name", "manifest", "authorization", "last_sequence", "acknowledged", "run", "tally",
    ],
    "engine": ["version", "snapshot"],
    "pending": ["app", "sequence", "delivery", "received_us", "failures"],
    "dead": ["app", "sequence", "delivery", "received_us", "failures", "at_us", "reason"],
    "log": ["app", "number", "at_us", "kind", "text"],
    "energy": ["component", "joules"],
    "moment": ["engine_us", "utc_us", "boot", "boot_clock_us"],
    "history": [
      "number", "at_us", "kind", "app", "word", "text", "since_us", "latitude", "longitude",
      "accuracy_m", "speed_mps",
    ],
  ]

  /// Whether a word is one value of SQL: NULL, a number, `'a text'` or `x'00FF'`.
  static func isLiteral(_ word: Substring) -> Bool {
    if word == "NULL" { return true }
    if word.first == "'" {
      return word.count > 1 && word.last == "'" && !word.dropFirst().dropLast().contains("'")
        && !word.contains("\0")
    }
    if word.hasPrefix("x'") {
      let digits = word.dropFirst(2).dropLast()
      return word.last == "'" && digits.count % 2 == 0 && digits.allSatisfy(\.isHexDigit)
        && digits.allSatisfy(\.isASCII)
    }
    return word.utf8.allSatisfy { "0123456789.e+-".utf8.contains($0) } && Double(word) != nil
  }

  /// Its bytes; empty if there can be none.
  static var bytes: [UInt8] { files.database }

  /// The file of recent changes beside it, with only its head.
  static var recent: [UInt8] { files.recent }

  /// Made together: a database begins with a random turn, and the head of the other file names it.
  private static let files: (database: [UInt8], recent: [UInt8]) = (try? made()) ?? ([], [])

  private static func made() throws -> (database: [UInt8], recent: [UInt8]) {
    let folder = try Scratch()
    try fill(StateStore(path: folder.path("state.db")))
    let files = try ["", RecentFile.ending].map {
      [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("state.db" + $0))))
    }
    return (files[0], files[1])
  }

  private static func fill(_ store: StateStore) throws {
    let app = AppID(1)
    let fix = Fix(
      time: time.utc, coordinate: Coordinate(clampingLatitude: 55.1, wrappingLongitude: -12.5),
      horizontalAccuracy: 4.5)
    func pending(_ number: UInt64) -> PendingDelivery {
      PendingDelivery(
        app: app,
        delivery: Delivery(
          sequence: number, service: .significant, fix: fix, isCached: false,
          moved: nil, since: nil),
        received: time.utc)
    }
    let manifest = AppManifest(
      name: "tracker", kind: .handler, command: ["true"], directory: "/",
      declaration: AppDeclaration(), service: .significant)
    var change = StoreChange()
    change.addedApps = [
      StoredApp(
        id: app, name: "tracker", manifestJSON: manifest.json.text, authorization: .always,
        lastSequence: 2)
    ]
    change.deliveries = [pending(1), pending(2)]
    change.dead = [DeadDelivery(pending: pending(1), at: time.utc, reason: "it failed")]
    change.log = [LogRow(app: app, at: time.utc, kind: "delivered", text: "x")]
    change.engine = LocationEngine(rules: EngineRules(), policy: .ios).snapshot
    change.moment = StoredMoment(
      engine: time.at, utc: time.utc, boot: "another boot", bootClock: 1_000_000)
    change.energy = ["gnss": 12.5]
    change.history = [HistoryDocument.Entry(at: time.utc, kind: .delivery)]
    try store.commit(change)
  }

  /// A service that finds `stored`.
  static func service(with stored: StoredState) throws -> LocationService? {
    guard let device = try ProfileLibrary.device(named: "pi-zero-ublox7") else { return nil }
    let settings = ServiceSettings(
      release: "0", rules: EngineRules(), policy: .ios, device: device, network: nil)
    let host = ServiceHost(
      pid: 1, boot: "this boot", socketPath: "/run/socket", storePath: "/state.db",
      hasStore: true,
      freezer: "signals")
    return LocationService(
      ServiceBeginning(
        settings: settings, host: host,
        clock: EngineClock(
          continuing: stored.moment, boot: host.boot, bootClock: time.at.microseconds,
          utc: time.utc),
        stored: stored),
      at: time)
  }
}
