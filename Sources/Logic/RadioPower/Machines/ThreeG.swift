// SPDX-License-Identifier: Apache-2.0

// 3G (UMTS) after Qian et al., IMC 2010.
//
//      idle ──transfer──▶ promotion ──▶ dch ──▶ dch_tail ──timer──▶ fach_tail ──timer──▶ idle
//                                        ▲         │                   │
//                                        ├─transfer┘                   │
//                                        └──── promotion_fach ◀transfer┘
//
// - DCH is a dedicated channel: full power while data flow and until the first timer ends.
// - FACH is shared: about half the power until the second timer ends. Every transfer is taken to need
//   DCH; small ones that the network would have carried in FACH are not modelled (their thresholds are
//   the operator's secret, 475 to 543 bytes in AT&T's ARO).

extension LinkShape {
  static let threeG = Self(
    model: "3g", idle: "idle", promotion: "promotion", active: "dch", transfer: .byRate,
    tails: [Tail(state: "dch_tail"), Tail(state: "fach_tail", promotion: "promotion_fach")])
}
