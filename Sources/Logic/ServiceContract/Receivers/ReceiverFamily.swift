// SPDX-License-Identifier: Apache-2.0

// The receivers whose sleep their makers document, and the bytes that they document. A receiver of another kind is never
// written to.

/// A family of receivers that go to sleep by the same command.
package enum ReceiverFamily: String, Sendable, CaseIterable, Codable {
  /// u-blox 6 and 7, and 8 and M8 with a protocol before version 18.
  case ublox7
  /// u-blox 8, M8 and M9, from protocol version 18 on: the command names what wakes it.
  case ubloxM8
  /// u-blox M10: as M8, and the force bit is needed, for it has no USB to be connected to.
  case ubloxM10
  /// MediaTek MT3333, MT3337, MT3339, as in Quectel's L76 and L80-R.
  case mediaTek
  /// CASIC AT6558 and its like, as in Quectel's L76K; not every module with one obeys.
  case casic
  /// Airoha AG333x, as in Quectel's LC76G and LC86G.
  case airoha

  /// How a sleeping receiver comes back.
  package enum Waking: Sendable, Equatable {
    /// By its own timer at the latest, and by a byte on its line before that.
    case byTimerOrByte
    /// By its own timer; that a byte does it is not documented.
    case byTimer
    /// Only by a byte.
    case byByte
  }

  package var waking: Waking {
    switch self {
    case .ublox7, .ubloxM8, .ubloxM10: .byTimerOrByte
    case .mediaTek: .byByte
    case .casic, .airoha: .byTimer
    }
  }

  /// What it is called for people.
  package var title: String {
    switch self {
    case .ublox7: "u-blox 6, 7 or 8"
    case .ubloxM8: "u-blox M8 or M9"
    case .ubloxM10: "u-blox M10"
    case .mediaTek: "MediaTek MT333x"
    case .casic: "CASIC AT6558"
    case .airoha: "Airoha AG333x"
    }
  }

  /// The command's name.
  package var command: String {
    switch self {
    case .ublox7, .ubloxM8, .ubloxM10: "UBX-RXM-PMREQ"
    case .mediaTek: "PMTK161"
    case .casic: "PCAS12"
    case .airoha: "PAIR650"
    }
  }

  /// The document and the section with the command.
  package var source: String {
    switch self {
    case .ublox7: "u-blox 7 receiver description GPS.G7-SW-12001, UBX-RXM-PMREQ (0x02 0x41)"
    case .ubloxM8:
      "u-blox 9 interface description UBX-18010854 5.15.2.2, u-blox 8/M8 UBX-13003221, UBX-RXM-PMREQ (0x02 0x41)"
    case .ubloxM10: "MAX-M10S integration manual UBX-20053088 2.7.3.2, software standby mode"
    case .mediaTek: "u-blox NMEA manual for MediaTek chips UBX-13003181 2.11, PMTK161"
    case .casic: "CASIC protocol specification V4.2.0.3 1.6, CAS12"
    case .airoha:
      "Quectel LC26G, LC76G and LC86G GNSS protocol specification 2.3.46, PAIR650: its RTC's mode for so many seconds"
    }
  }

  /// The greatest duration of a sleep, seconds: 12 days for u-blox (UBX-18010854 5.15.2), 65,535 s for CASIC; a day for
  /// Airoha [ours], whose document was not found to state one. A sleep without a timer has none.
  package var longest: Double {
    switch self {
    case .ublox7, .ubloxM8, .ubloxM10: 12 * 86_400
    case .mediaTek: .infinity
    case .casic: 65_535
    case .airoha: 86_400
    }
  }

  /// Seconds that its timer is set to for a rest; `nil` if it has none.
  ///
  /// A byte wakes most at the next look. Their timer is for the case that nobody sends one: so it has twice the time
  /// [ours], or all the time by which the look may be put off, for one that wakes before goes on at full power. One that
  /// only its timer wakes is up in time for the look that was foreseen.
  package func timer(for rest: RestSpan) -> Double? {
    switch waking {
    case .byTimerOrByte: min(max(2 * rest.seconds, rest.most ?? 0), longest)
    case .byTimer: min(rest.seconds, longest)
    case .byByte: nil
    }
  }

  /// The bytes that send it to sleep for so many seconds; one without a timer ignores them. CASIC and Airoha count whole
  /// seconds; 0 would be for ever there, too.
  ///
  /// A u-blox would take a duration of 0 for "for ever", so there is none.
  package func sleepCommand(for seconds: Double) -> [UInt8] {
    let seconds = min(seconds, longest, 4e6)
    let milliseconds = UInt32(max(1, (seconds * 1_000).rounded(.down)))
    let duration = (0..<4).map { UInt8(truncatingIfNeeded: milliseconds >> (8 * $0)) }
    switch self {
    // U4 duration, X4 flags: backup.
    case .ublox7: return Self.ubx(0x02, 0x41, duration + [0x02, 0, 0, 0])
    // U1 version 0, 3 reserved, U4 duration, X4 flags: backup, X4 wakeupSources: uartrx.
    case .ubloxM8:
      return Self.ubx(0x02, 0x41, [0, 0, 0, 0] + duration + [0x02, 0, 0, 0] + [0x08, 0, 0, 0])
    // The same with flags backup and force.
    case .ubloxM10:
      return Self.ubx(0x02, 0x41, [0, 0, 0, 0] + duration + [0x06, 0, 0, 0] + [0x08, 0, 0, 0])
    // Stop mode.
    case .mediaTek: return Self.sentence("PMTK161,0")
    case .casic: return Self.sentence("PCAS12,\(Int(max(1, seconds)))")
    case .airoha: return Self.sentence("PAIR650,\(Int(max(1, seconds)))")
    }
  }

  /// The poll of UBX-MON-VER, which asks a receiver for its hardware and firmware (UBX-13003221, 0x0A 0x04). gpsd sends it
  /// too; other makers' receivers pass it over.
  package static let question = ubx(0x0A, 0x04, [])

  /// The bytes that wake it: any edge on its line, or any byte, does.
  package var wake: [UInt8] {
    switch self {
    case .ublox7, .ubloxM8, .ubloxM10: [0xFF]
    case .mediaTek, .casic, .airoha: [0x0D, 0x0A]
    }
  }

  /// A UBX frame: sync characters, class, ID, length, payload, and the checksum of all but the sync characters (8-bit
  /// Fletcher; UBX-13003221 32.4).
  package static func ubx(_ messageClass: UInt8, _ id: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let length = [UInt8(truncatingIfNeeded: payload.count), UInt8(payload.count >> 8)]
    let body = [messageClass, id] + length + payload
    var (a, b): (UInt8, UInt8) = (0, 0)
    for byte in body {
      a &+= byte
      b &+= a
    }
    return [0xB5, 0x62] + body + [a, b]
  }

  /// An NMEA sentence with its checksum, the exclusive or of all between `$` and `*`.
  package static func sentence(_ text: String) -> [UInt8] {
    let sum = text.utf8.reduce(0, ^)
    let digits = Array("0123456789ABCDEF".utf8)
    return [UInt8(ascii: "$")] + Array(text.utf8)
      + [UInt8(ascii: "*"), digits[Int(sum >> 4)], digits[Int(sum & 15)], 0x0D, 0x0A]
  }
}
