// SPDX-License-Identifier: Apache-2.0

// LTE-M and NB-IoT.
//
//      edrx ──transfer──▶ rrc_connect ──▶ tx ──▶ cdrx ──inactivity timer──▶ edrx
//                                         ▲        │
//                                         └transfer┘
//
// - `edrx` is the modem's power between transfers. In PSM it is unreachable; only the floor remains,
//   and no change of cell is ever reported.
// - `tx` has a fixed part (`setup`): a small message costs its air time and repetitions, not its bytes.
// - `cdrx` is the wait for the network to release the connection. With release assistance (RAI) it is
//   next to nothing: a custom network profile can state 0 s.

extension LinkShape {
  static let internetOfThings = Self(
    model: "iot", idle: "edrx", promotion: "rrc_connect", active: "tx", transfer: .byRate,
    tails: [Tail(state: "cdrx")])
}
