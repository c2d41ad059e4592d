// SPDX-License-Identifier: Apache-2.0

/// The cell on which a modem camps, as reported by ModemManager.
package struct CellIdentity: Sendable, Hashable, Codable {
  /// Mobile country code, 1 to 999.
  package var country: UInt16
  /// Mobile network code, 0 to 999. ModemManager drops its leading zeros, so 01 and 001 are one.
  package var network: UInt16
  /// Location area code (GSM, UMTS); 0 is unknown, as it is on LTE.
  package var area: UInt16
  /// Cell identity: 16 bits on GSM, 28 on UMTS and LTE.
  package var cell: UInt32
  /// Tracking area code (LTE, 5G); 0 is unknown.
  package var trackingArea: UInt32

  package init(country: UInt16, network: UInt16, area: UInt16, cell: UInt32, trackingArea: UInt32) {
    self.country = country
    self.network = network
    self.area = area
    self.cell = cell
    self.trackingArea = trackingArea
  }

  /// Reads `MCC,MNC,LAC,CI,TAC`: the first two decimal, the others hexadecimal (ModemManager's
  /// introspection/org.freedesktop.ModemManager1.Modem.Location.xml, property Location). The bounds are
  /// those of libmm-glib (mm-location-3gpp.c): 3, 3, 4, 8 and 8 digits. Before ModemManager 1.10 there is
  /// no tracking area, and four fields.
  ///
  /// `nil` if the text is anything else, or names no cell.
  package init?(locationText text: String) {
    // The longest valid text has 30 bytes.
    guard text.utf8.count <= 30 else { return nil }
    let fields = text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard fields.count == 4 || fields.count == 5,
      let country = Self.number(fields[0], digits: 3, radix: 10), country > 0,
      let network = Self.number(fields[1], digits: 3, radix: 10),
      let area = Self.number(fields[2], digits: 4, radix: 16),
      let cell = Self.number(fields[3], digits: 8, radix: 16), cell > 0,
      let tracking = fields.count == 5 ? Self.number(fields[4], digits: 8, radix: 16) : 0
    else { return nil }
    self.init(
      country: UInt16(country), network: UInt16(network), area: UInt16(area), cell: cell,
      trackingArea: tracking)
  }

  /// The identity as one number, the same in every process: FNV-1a over the fields, 64 bits. Two cells
  /// of one place share a number with a probability of some 1 in 10^19.
  package var number: UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for field in [UInt32(country), UInt32(network), UInt32(area), cell, trackingArea] {
      for shift in [0, 8, 16, 24] as [UInt32] {
        hash = (hash ^ UInt64(field >> shift & 0xFF)) &* 0x100_0000_01B3
      }
    }
    return hash
  }

  private static func number(
    _ field: Substring.UTF8View, digits: Int, radix: UInt32
  ) -> UInt32? {
    guard (1...digits).contains(field.count) else { return nil }
    var number: UInt32 = 0
    for byte in field {
      let digit: UInt32
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = UInt32(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = UInt32(byte - UInt8(ascii: "A")) + 10
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = UInt32(byte - UInt8(ascii: "a")) + 10
      default: return nil
      }
      guard digit < radix else { return nil }
      number = number * radix + digit
    }
    return number
  }
}
