// SPDX-License-Identifier: Apache-2.0

import FixFormats
import LocationModel
import ServiceContract

/// Checks that libgps reads gpsd's lines as we do, on each connection, once for each new element.
///
/// The meaning of a line changes with gpsd's release, which is fixed for a connection. So libgps reads a line if that
/// states a field, a time or a mode that no earlier line on this connection did, and the two readings are compared in
/// full; a line without anything new is read once. The line is believed; a field that differs is reported once.
struct UnpackCheck: ~Copyable {
  private var unpacker = ReportUnpacker()
  /// The members that lines of this connection have stated, as bits.
  private var seen: UInt32 = 0
  /// Fields that were reported; the names are a closed list, so this stays small.
  private var told: Set<String> = []

  /// Begins a new connection: its gpsd may be another.
  mutating func beginConnection() { seen = 0 }

  mutating func compare(
    _ stated: GPSDPosition, _ line: [UInt8], into events: inout [GPSDEvent]
  ) {
    // Bits 0 to 13 are the numbers, 14 the time, 15 to 24 the modes, 25 to 27 the members of a sky.
    var bits: UInt32 = stated.time == nil ? 0 : 1 << 14
    bits |= 1 << UInt32(15 + (stated.mode ?? 0))
    bits |= UInt32(stated.fields.rawValue)
    guard isNew(bits) else { return }
    reportFields(UnpackComparison.differences(stated, unpacker.position(line)), into: &events)
  }

  mutating func compare(
    _ stated: GPSDSky, countsSatellites: Bool, _ line: [UInt8], into events: inout [GPSDEvent]
  ) {
    guard isNew(1 << (countsSatellites ? 25 : 26) | (stated.hdop == nil ? 0 : 1 << 27)) else {
      return
    }
    reportFields(
      UnpackComparison.differences(
        stated, countsSatellites: countsSatellites, unpacker.sky(line)), into: &events)
  }

  mutating func compare(
    _ stated: ReportUnpacker.Version, _ line: [UInt8], into events: inout [GPSDEvent]
  ) {
    reportFields(stated == unpacker.version(line) ? [] : ["VERSION"], into: &events)
  }

  private mutating func isNew(_ bits: UInt32) -> Bool {
    defer { seen |= bits }
    return bits & ~seen != 0
  }

  private mutating func reportFields(_ fields: [String], into events: inout [GPSDEvent]) {
    for field in fields where told.insert(field).inserted {
      events.append(.trouble(.unpackDiffers(field: field)))
    }
  }
}

/// Finds the fields in which libgps' reading of a line differs from the line itself.
///
/// Numbers agree within 1e-9 of their size (libgps reads decimals a few last bits off) and times within a
/// millisecond. `alt` is not compared: libgps calls its member undefined.
enum UnpackComparison {
  /// `unpacked` is `nil` if libgps could not read the line.
  static func differences(_ stated: GPSDPosition, _ unpacked: GPSDPosition?) -> [String] {
    guard let unpacked else { return ["TPV.class"] }
    var fields: [String] = []
    if stated.device != unpacked.device { fields.append("TPV.device") }
    // libgps cannot tell an absent mode from 0.
    if (stated.mode ?? 0) != unpacked.mode { fields.append("TPV.mode") }
    switch (stated.time, unpacked.time) {
    case (nil, nil): break
    case (let line?, let library?)
    where UTCInstant.seconds(from: line, to: library).magnitude <= 1e-3: break
    default: fields.append("TPV.time")
    }
    for field in GPSDPosition.Field.allCases
    where field != .alt && !agree(stated[field], unpacked[field]) {
      fields.append("TPV.\(field.rawValue)")
    }
    return fields
  }

  static func differences(
    _ stated: GPSDSky, countsSatellites: Bool, _ unpacked: ReportUnpacker.Sky?
  ) -> [String] {
    guard let unpacked else { return ["SKY.class"] }
    var fields = agree(stated.hdop, unpacked.hdop) ? [] : ["SKY.hdop"]
    // Without the list of satellites libgps 3.22 counts none, whatever `uSat` says.
    if countsSatellites, stated.used != unpacked.used { fields.append("SKY.satellites") }
    return fields
  }

  static func agree(_ a: Double?, _ b: Double?) -> Bool {
    guard let a, let b else { return a == nil && b == nil }
    return (a - b).magnitude <= 1e-9 * max(1, a.magnitude)
  }
}
