// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import ServiceCore
import Wording

/// What each strategy of significant change does, in one sentence.
enum PolicyWords {
  static func text(_ policy: SignificantPolicy?, _ rules: EngineRules) -> String {
    "Significant change, policy \(policy?.name ?? "ios"): " + words(policy, rules)
  }

  private static func words(_ policy: SignificantPolicy?, _ rules: EngineRules) -> String {
    let plain = Figures.plain
    let limits =
      "notified from \(plain(rules.significantDistance)) m and "
      + "\(plain(rules.significantInterval)) s on."
    switch policy {
    case .ios, nil:
      return "network position at a change of cell, never the receiver; \(limits)"
    case .iosField:
      return
        "network position at a change of cell, never the receiver, as late as phones were measured to "
        + "be: half by "
        + "\(plain(IOSFieldPolicy.median)) m, 95 % by 2500 m."
    case .ownTracks:
      return
        "a network position every \(plain(OwnTracksPolicy.interval)) s, as OwnTracks on Android "
        + "asks for it; notified from \(plain(OwnTracksPolicy.distance)) m and "
        + "\(plain(OwnTracksPolicy.interval)) s on."
    case .elastic:
      return "the receiver is on while the device moves; notified every "
        + "\(plain(ElasticPolicy.distance)) m, more at speed."
    case .periodic(let policy):
      return
        "the receiver is switched on every \(plain(policy.interval)) s by the clock, for at most "
        + "\(plain(policy.timeout)) s; \(limits)"
    case .receiver(let policy):
      return "the receiver is switched on every \(plain(policy.interval)) s, for at most "
        + "\(plain(policy.timeout)) s, as suits a device that hears of no cells; \(limits)"
    case .milepost:
      return "the receiver is switched on when a move of \(plain(rules.significantDistance)) m is "
        + "likely, by speed and hints; \(limits)"
    }
  }
}
