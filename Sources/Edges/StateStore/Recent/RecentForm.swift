// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Foundation
import Geodesy
import LocationEngine
import LocationModel
import ServiceContract

/// A change as one record of the recent file: consecutive parts, each with a type byte.
///
/// A fix that goes to many apps is written once.
enum RecentForm {
  private enum Part: UInt8 {
    case fix = 1
    case delivery, event, acknowledged, failure, dropped, run, log, history, engine, moment, energy,
      engineChange, tally
  }

  /// The engine's state has the database's form; `base` is the previous one, if this file has it.
  static func encoded(
    _ change: StoreChange, engine: Data?, after base: Data? = nil
  ) throws -> [UInt8] {
    var writer = RecentWriter()
    var fix: Fix?
    for pending in change.deliveries { try encode(pending: pending, &fix, to: &writer) }
    for key in change.acknowledged { encode(part: .acknowledged, key, to: &writer) }
    for failure in change.failures {
      encode(part: .failure, DeliveryKey(failure.app, failure.number), to: &writer)
      writer.whole(UInt64(clamping: failure.count))
    }
    for key in change.dropped { encode(part: .dropped, key, to: &writer) }
    for run in change.runs { encode(part: .run, run, to: &writer) }
    for row in change.tallies {
      writer.byte(Part.tally.rawValue)
      writer.whole(UInt64(row.app.number))
      writer.blob(try SnapshotForm.encoded(row.tally))
    }
    for row in change.log {
      writer.byte(Part.log.rawValue)
      writer.whole(row.app.map { UInt64($0.number) + 1 } ?? 0)
      writer.signed(row.at.microseconds)
      writer.text(row.kind)
      writer.text(String(row.text.prefix(StoreChange.textLimit)))
    }
    if let engine, let base, max(engine.count, base.count) <= BlobChange.limit {
      writer.byte(Part.engineChange.rawValue)
      BlobChange.encode(blob: engine, after: base, to: &writer)
    } else if let engine {
      writer.byte(Part.engine.rawValue)
      writer.blob(engine)
    }
    if let moment = change.moment {
      writer.byte(Part.moment.rawValue)
      for value in [moment.engine.microseconds, moment.utc.microseconds, moment.bootClock] {
        writer.signed(value)
      }
      writer.text(moment.boot)
    }
    if let energy = change.energy {
      writer.byte(Part.energy.rawValue)
      writer.whole(UInt64(energy.count))
      for (component, joules) in energy {
        writer.text(component)
        writer.number(joules, unit: 1_000)
      }
    }
    if !change.history.isEmpty {
      writer.byte(Part.history.rawValue)
      writer.whole(UInt64(change.history.count))
      for entry in change.history { encode(entry: entry, to: &writer) }
    }
    return writer.bytes
  }

  /// Adds a record to `recent`; throws if it is malformed, and then has added nothing.
  static func read(record: ArraySlice<UInt8>, into recent: inout RecentChanges) throws {
    var change = StoreChange()
    var engine: Data?
    var reader = RecentReader(record)
    var fix: Fix?
    while !reader.isAtEnd {
      guard let part = Part(rawValue: try reader.byte()) else { throw RecentReader.Malformed() }
      switch part {
      case .fix: fix = try readFix(&reader)
      case .delivery:
        guard let fix else { throw RecentReader.Malformed() }
        change.deliveries.append(try readDelivery(&reader, fix))
      case .event:
        let app = try readApp(&reader)
        let (received, failures) = (try reader.signed(), Int(clamping: try reader.whole()))
        change.deliveries.append(
          PendingDelivery(
            app: app, delivery: try SnapshotForm.delivery(Data(try reader.blob())),
            received: UTCInstant(microseconds: received), failures: failures))
      case .acknowledged: change.acknowledged.append(try readKey(&reader))
      case .failure:
        let key = try readKey(&reader)
        change.failures.append(
          HandlerFailure(key.app, key.number, Int(clamping: try reader.whole())))
      case .dropped: change.dropped.append(try readKey(&reader))
      case .run: change.runs.append(try readKey(&reader))
      case .tally:
        let app = try readApp(&reader)
        change.tallies.append(
          SinkTally(app, try SnapshotForm.tally(Data(try reader.blob()))))
      case .log: change.log.append(try readRow(&reader))
      case .engine: engine = Data(try reader.blob())
      case .engineChange:
        guard let base = recent.engine else { throw RecentReader.Malformed() }
        engine = try BlobChange.readBlob(&reader, after: base)
      case .moment:
        let (engine, utc) = (try reader.signed(), try reader.signed())
        let bootClock = try reader.signed()
        change.moment = StoredMoment(
          engine: EngineInstant(microseconds: engine), utc: UTCInstant(microseconds: utc),
          boot: try reader.text(), bootClock: bootClock)
      case .energy:
        var energy: [String: Double] = [:]
        for _ in 0..<(try reader.whole()) {
          energy[try reader.text()] = try reader.number(unit: 1_000)
        }
        change.energy = energy
      case .history:
        for _ in 0..<(try reader.whole()) { change.history.append(try readEntry(&reader)) }
      }
    }
    recent.merge(change, engine: engine)
  }

  // MARK: Deliveries

  private static func encode(
    pending: PendingDelivery, _ fix: inout Fix?, to writer: inout RecentWriter
  ) throws {
    let delivery = pending.delivery
    guard delivery.event == nil, delivery.occasion == nil, pending.failures == 0 else {
      writer.byte(Part.event.rawValue)
      writer.whole(UInt64(pending.app.number))
      writer.signed(pending.received.microseconds)
      writer.whole(UInt64(clamping: pending.failures))
      return writer.blob(try SnapshotForm.encoded(delivery))
    }
    if fix != delivery.fix {
      encode(fix: delivery.fix, to: &writer)
      fix = delivery.fix
    }
    writer.byte(Part.delivery.rawValue)
    writer.whole(UInt64(pending.app.number))
    writer.whole(delivery.sequence)
    let service = UInt8(Service.allCases.firstIndex(of: delivery.service) ?? 0)
    writer.byte(
      service | (delivery.isCached ? 4 : 0) | (delivery.moved != nil ? 8 : 0)
        | (delivery.since != nil ? 16 : 0))
    if let moved = delivery.moved { writer.number(moved, unit: 1_000) }
    if let since = delivery.since { writer.number(since, unit: 1_000_000) }
    writer.signed(pending.received.microseconds &- (delivery.fix.time?.microseconds ?? 0))
  }

  private static func readDelivery(
    _ reader: inout RecentReader, _ fix: Fix
  ) throws -> PendingDelivery {
    let (app, sequence) = (try readApp(&reader), try reader.whole())
    let flags = try reader.byte()
    guard Int(flags & 3) < Service.allCases.count else { throw RecentReader.Malformed() }
    let moved = flags & 8 != 0 ? try reader.number(unit: 1_000) : nil
    let since = flags & 16 != 0 ? try reader.number(unit: 1_000_000) : nil
    let received = try reader.signed() &+ (fix.time?.microseconds ?? 0)
    return PendingDelivery(
      app: app,
      delivery: Delivery(
        sequence: sequence, service: Service.allCases[Int(flags & 3)], fix: fix,
        isCached: flags & 4 != 0, moved: moved, since: since),
      received: UTCInstant(microseconds: received))
  }

  private static let degrees = 1e9

  private static func encode(fix: Fix, to writer: inout RecentWriter) {
    let optional = numbers(of: fix)
    var mask = UInt64(0)
    for (place, value) in optional.enumerated() where value != nil { mask |= 1 << UInt64(place) }
    if fix.time != nil { mask |= 1 << 8 }
    if fix.satellites != nil { mask |= 1 << 9 }
    if fix.speedAccuracy != nil { mask |= 1 << 10 }
    if fix.courseAccuracy != nil { mask |= 1 << 11 }
    writer.byte(Part.fix.rawValue)
    writer.whole(mask)
    writer.byte(fix.source.rawValue)
    writer.number(fix.coordinate.latitude, unit: degrees)
    writer.number(fix.coordinate.longitude, unit: degrees)
    for value in optional.compactMap(\.self) { writer.number(value, unit: 1_000) }
    if let time = fix.time { writer.signed(time.microseconds) }
    if let satellites = fix.satellites { writer.signed(Int64(satellites)) }
    if let accuracy = fix.speedAccuracy { writer.number(accuracy, unit: 1_000) }
    if let accuracy = fix.courseAccuracy { writer.number(accuracy, unit: 1_000) }
  }

  private static func numbers(of fix: Fix) -> [Double?] {
    [
      fix.horizontalAccuracy, fix.altitude, fix.ellipsoidalHeight, fix.verticalAccuracy, fix.speed,
      fix.course, fix.hdop,
    ]
  }

  private static func readFix(_ reader: inout RecentReader) throws -> Fix {
    let mask = try reader.whole()
    guard let source = Fix.Source(rawValue: try reader.byte()) else {
      throw RecentReader.Malformed()
    }
    let (latitude, longitude) = (
      try reader.number(unit: degrees), try reader.number(unit: degrees)
    )
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
      throw RecentReader.Malformed()
    }
    var values: [Double?] = []
    for place in 0..<7 {
      values.append(mask & (1 << UInt64(place)) != 0 ? try reader.number(unit: 1_000) : nil)
    }
    let time = mask & (1 << 8) != 0 ? UTCInstant(microseconds: try reader.signed()) : nil
    let satellites = mask & (1 << 9) != 0 ? Int(clamping: try reader.signed()) : nil
    let speedAccuracy = mask & (1 << 10) != 0 ? try reader.number(unit: 1_000) : nil
    let courseAccuracy = mask & (1 << 11) != 0 ? try reader.number(unit: 1_000) : nil
    return Fix(
      time: time, coordinate: coordinate, horizontalAccuracy: values[0], altitude: values[1],
      ellipsoidalHeight: values[2], verticalAccuracy: values[3], speed: values[4],
      course: values[5], speedAccuracy: speedAccuracy, courseAccuracy: courseAccuracy,
      hdop: values[6], satellites: satellites, source: source)
  }

  // MARK: The rest

  private static func encode(part: Part, _ key: DeliveryKey, to writer: inout RecentWriter) {
    writer.byte(part.rawValue)
    writer.whole(UInt64(key.app.number))
    writer.whole(key.number)
  }

  private static func readKey(_ reader: inout RecentReader) throws -> DeliveryKey {
    DeliveryKey(try readApp(&reader), try reader.whole())
  }

  private static func readApp(_ reader: inout RecentReader) throws -> AppID {
    guard let number = UInt32(exactly: try reader.whole()) else { throw RecentReader.Malformed() }
    return AppID(number)
  }

  private static func readRow(_ reader: inout RecentReader) throws -> LogRow {
    let number = try reader.whole()
    guard number <= UInt64(UInt32.max) + 1 else { throw RecentReader.Malformed() }
    let app = number == 0 ? nil : AppID(UInt32(number - 1))
    let at = UTCInstant(microseconds: try reader.signed())
    return LogRow(app: app, at: at, kind: try reader.text(), text: try reader.text())
  }

  private static func encode(entry: HistoryDocument.Entry, to writer: inout RecentWriter) {
    let texts = [entry.app, entry.word, entry.text]
    let numbers = [entry.latitude, entry.longitude, entry.accuracy, entry.speed]
    var mask = UInt64(0)
    for (place, text) in texts.enumerated() where text != nil { mask |= 1 << UInt64(place) }
    for (place, value) in numbers.enumerated() where value != nil { mask |= 8 << UInt64(place) }
    if entry.since != nil { mask |= 128 }
    writer.text(entry.kind.rawValue)
    writer.whole(mask)
    writer.signed(entry.at.microseconds)
    for text in texts.compactMap(\.self) {
      writer.text(String(text.prefix(StoreChange.textLimit)))
    }
    for value in numbers.compactMap(\.self) { writer.number(value, unit: degrees) }
    if let since = entry.since { writer.signed(since.microseconds) }
  }

  private static func readEntry(_ reader: inout RecentReader) throws -> HistoryDocument.Entry {
    guard let kind = HistoryDocument.Entry.Kind(rawValue: try reader.text()) else {
      throw RecentReader.Malformed()
    }
    let mask = try reader.whole()
    var entry = HistoryDocument.Entry(
      at: UTCInstant(microseconds: try reader.signed()), kind: kind)
    if mask & 1 != 0 { entry.app = try reader.text() }
    if mask & 2 != 0 { entry.word = try reader.text() }
    if mask & 4 != 0 { entry.text = try reader.text() }
    if mask & 8 != 0 { entry.latitude = try reader.number(unit: degrees) }
    if mask & 16 != 0 { entry.longitude = try reader.number(unit: degrees) }
    if mask & 32 != 0 { entry.accuracy = try reader.number(unit: degrees) }
    if mask & 64 != 0 { entry.speed = try reader.number(unit: degrees) }
    if mask & 128 != 0 { entry.since = UTCInstant(microseconds: try reader.signed()) }
    return entry
  }
}
