// SPDX-License-Identifier: Apache-2.0

// LoRa: nobody to connect to, nothing to wait for.
//
//      off ──transfer──▶ tx ──▶ off
//
// A message takes its air time, which the spreading factor decides (SF12: 0.925 s); more bytes than
// fit into one message are several. Receive windows after the message are not modelled; neither is the
// duty cycle that the law allows.

extension LinkShape {
  static let loRa = Self(
    model: "lora", idle: nil, promotion: nil, active: "tx_sf12", transfer: .byMessage, tails: [])
}
