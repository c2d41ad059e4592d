// SPDX-License-Identifier: Apache-2.0

// Stands in for the NMEA folder, which another hand writes; dropped at merge.

package struct NMEADecoder: TraceDecoder {
  package private(set) var ledger = TraceLedger(unit: .lines)

  package init(options: DecodingOptions) {}

  package mutating func decode(
    _ bytes: borrowing Span<UInt8>, into events: inout [TraceEvent]
  ) throws(TraceError) {}

  package mutating func finish(into events: inout [TraceEvent]) throws(TraceError) {}
}

package struct NMEAWriter: Sendable {
  package static let loses: [String] = []

  package init() {}

  package mutating func write(_ event: TraceEvent, into bytes: inout [UInt8]) {}
}

package enum NMEASniffer {
  package static func recognises(_ prefix: borrowing Span<UInt8>) -> Bool {
    for index in 0..<prefix.count where prefix[index] == UInt8(ascii: "$") {
      if index + 2 < prefix.count, prefix[index + 1] == UInt8(ascii: "G") { return true }
    }
    return false
  }
}

package enum BinaryProtocol: String {
  case sirf = "SiRF binary"
  case ubx = "UBX"

  package static func recognise(_ prefix: borrowing Span<UInt8>) -> BinaryProtocol? {
    guard prefix.count >= 2 else { return nil }
    for index in 0..<(prefix.count - 1) {
      if prefix[index] == 0xA0, prefix[index + 1] == 0xA2 { return .sirf }
      if prefix[index] == 0xB5, prefix[index + 1] == 0x62 { return .ubx }
    }
    return nil
  }

  package var refusal: TraceError {
    TraceError(.binary, "this is \(rawValue); play it through gpsd and record that with gpspipe -w")
  }
}
