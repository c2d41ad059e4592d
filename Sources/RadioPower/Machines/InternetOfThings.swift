// SPDX-License-Identifier: Apache-2.0

// LTE-M and NB-IoT.
//
//      edrx ──transfer──▶ rrc_connect ──▶ tx ──▶ cdrx ──inactivity timer──▶ edrx
//                                         ▲        │
//                                         └transfer┘
//
// - `edrx` is what the modem takes between transfers. In PSM it is deaf; what is left is the floor, and
//   no change of cell is ever reported.
// - `tx` has a fixed part (`setup`): a small message costs its air time and repetitions, not its bytes.
// - `cdrx` is the wait for the network to release the connection. With release assistance (RAI) it is
//   next to nothing: a network profile of one's own states 0 s.

extension LinkShape {
  static let internetOfThings = Self(
    model: "iot", idle: "edrx", promotion: "rrc_connect", active: "tx", transfer: .byRate,
    tails: [Tail(state: "cdrx")])
}
