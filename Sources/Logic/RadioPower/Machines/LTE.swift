// SPDX-License-Identifier: Apache-2.0

// LTE after Huang et al., MobiSys 2012.
//
//      idle ──transfer──▶ promotion ──▶ active ──▶ tail ──timer──▶ idle
//                                         ▲          │
//                                         └─transfer─┘   no promotion, the timer starts again
//
// - Idle is the average of the paging cycle and part of the baseline: the device camps anyway.
// - Active costs P = α_up·t_up + α_down·t_down + β (t: the throughput in Mbit/s).
// - The tail is the base power plus the short moments of listening (`tail_drx_extra`, from the 1.0 ms
//   on-duration every 40.1 ms). Without that part the published 12.76 J become 12.59 J.
//
// The variant with three tails is the one of AT&T's ARO: after the data 0.1 s at full power, one short
// DRX cycle, then 10 s of long DRX. Its totals differ on purpose (11.37 J for one packet). ARO charges
// the rest of an idle period at the power of a ping; that error is not repeated.

extension LinkShape {
  static let lte = Self(
    model: "lte", idle: "idle", promotion: "promotion", active: "active", transfer: .byRate,
    tails: [Tail(state: "tail", extra: "tail_drx_extra")])

  static let lteWithThreeTails = Self(
    model: "lte_three_tails", idle: "idle", promotion: "promotion", active: "active",
    transfer: .byRate,
    tails: [Tail(state: "cr_tail"), Tail(state: "short_drx"), Tail(state: "long_drx")])
}
