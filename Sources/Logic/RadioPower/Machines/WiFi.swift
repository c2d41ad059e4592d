// SPDX-License-Identifier: Apache-2.0

// Wi-Fi, associated and in power-save, after Huang et al., MobiSys 2012.
//
//      beacon ──transfer──▶ promotion ──▶ active ──▶ tail ──timer──▶ beacon
//                                           ▲          │
//                                           └─transfer─┘
//
// A scan is separate: a number of channels, a time for each, one energy. It does not disturb a
// transfer, and a transfer does not shorten it. Listening to beacons is baseline if a network profile
// states it; a device's own Wi-Fi rows leave it out, because its association is unknown.

extension LinkShape {
  static let wifi = Self(
    model: "wifi", idle: "beacon", promotion: "promotion", active: "active", transfer: .byRate,
    tails: [Tail(state: "tail")], isCellular: false)
}
