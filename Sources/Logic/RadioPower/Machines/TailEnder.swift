// SPDX-License-Identifier: Apache-2.0

// A whole transfer as one number: TailEnder, Balasubramanian et al., IMC 2009.
//
//      idle ──transfer──▶ (R(x) joules at once) ──▶ tail ──timer──▶ idle
//                                   ▲                 │
//                                   └────transfer─────┘
//
// - R(x) = fixed + slope × KB holds ramp and transfer together; it was fitted to energies, so the
//   transfer itself has no duration here, and R(x) is due again for each transfer, also inside a tail.
// - The tail follows the data; a transfer inside it starts it again: E = R(x) + P·min(gap, T).

extension LinkShape {
  static let tailEnder = Self(
    model: "tailender", idle: "maintenance", promotion: nil, active: "transfer",
    transfer: .byEnergy, tails: [Tail(state: "tail")])
}
