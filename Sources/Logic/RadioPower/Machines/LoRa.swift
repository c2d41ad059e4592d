// SPDX-License-Identifier: Apache-2.0

// LoRa: no connection, no waiting.
//
//      off ──message──▶ tx (frame 1) ──▶ tx (frame 2) … ──▶ off
//
// A message takes as many frames as its bytes need, and one for none. The time on the air of a frame
// (Semtech AN1200.13; SX1276 datasheet, section 4.1.1.7):
//
//      symbol    T = 2^SF / bandwidth
//      preamble  (8 + 4.25) · T
//      the rest  (8 + ⌈(8·PL − 4·SF + 28 + 16) / (4·(SF − 2·DE))⌉ · (4 + CR)) · T
//
// - PL: bytes of header and payload. 28 + 16: an explicit header and a checksum, as LoRaWAN's uplinks
//   have them. A preamble has 8 symbols in every region.
// - DE: 1 if a symbol is longer than 16 ms, for which the datasheet demands it; else 0.
// - CR: bits of parity for each four of data, 1 to 4.
//
// At SF12 and 125 kHz a full frame of 51 bytes is 2.793 s on the air, one of 4 bytes 1.319 s.
//
// The law allows only a share of the time (in Europe 1 % of most sub-bands, ETSI EN 300 220). A sending device must
// wait for it; the meter takes a log as it is. Receive windows are not modelled.

extension LinkShape {
  static let loRa = Self(
    model: "lora", idle: nil, promotion: nil, active: "tx", transfer: .byFrame, tails: [],
    isCellular: false)
}

/// The capacity of one LoRa frame, and its time on the air.
package struct LoRaFrame: Sendable, Equatable {
  /// The greatest number of message bytes in one frame; at least 1.
  package let payload: Int
  /// The sender's allowed share of the time on the air, 0.000001 to 1.
  package let dutyCycle: Double

  /// Overhead of each frame, bytes.
  private let header: Int
  /// Bits of a symbol, 6 to 12.
  private let spreadingFactor: Int
  /// Seconds of a symbol.
  private let symbol: Double
  private let parity: Int

  static let quantities = [
    "spreading_factor", "bandwidth", "parity", "header", "payload", "duty_cycle",
  ]
  /// The allowed values of these two.
  static let ranges = ["spreading_factor": 6.0...12, "parity": 1.0...4]
  private static let preamble = 8 + 4.25

  /// The nominal numbers of a link: a modulation has no range.
  init(_ numbers: ProfileNumbers, component: String) {
    func value(_ quantity: String) -> Double {
      numbers[component, LinkShape.loRa.active, quantity].nominal
    }
    payload = max(1, Int(value("payload")))
    dutyCycle = min(1, max(1e-6, value("duty_cycle")))
    header = Int(value("header"))
    spreadingFactor = Int(value("spreading_factor"))
    symbol = Double(1 << spreadingFactor) / (max(1, value("bandwidth")) * 1e3)
    parity = Int(value("parity"))
  }

  /// The time on the air of a frame with `bytes` message bytes, seconds.
  package func airtime(of bytes: Int) -> Double {
    let saved = symbol > 0.016 ? 2 : 0
    let bits = 8 * (header + bytes) - 4 * spreadingFactor + 28 + 16
    let perBlock = 4 * (spreadingFactor - saved)
    let blocks = max(0, (bits + perBlock - 1) / perBlock)
    return (Self.preamble + Double(8 + blocks * (4 + parity))) * symbol
  }

  /// The number of frames for a message of `bytes` bytes.
  package func frames(for bytes: Int) -> Int { max(1, (bytes + payload - 1) / payload) }

  /// Seconds on the air of all frames of a message.
  package func airtime(ofMessage bytes: Int) -> Double {
    let full = frames(for: bytes) - 1
    return Double(full) * airtime(of: payload) + airtime(of: bytes - full * payload)
  }
}
