// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import ServiceContract

/// What each strategy of significant change does, in one sentence.
enum PolicyWords {
  static func text(_ policy: SignificantPolicy?, _ rules: EngineRules) -> String {
    let policy = policy ?? .ios
    return "Significant change, policy \(policy.name): "
      + policy.sentence(rules, plain: Figures.plain)
  }
}
