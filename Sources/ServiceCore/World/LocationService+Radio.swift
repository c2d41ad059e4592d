// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import RadioPower
import ServiceContract

// What the radios of a simulated device see and do.

extension LocationService {
  mutating func heard(_ event: RadioEvent) {
    switch event {
    case .fix(let fix): tell(.fix(fix))
    case .networkFix(let fix): tell(.networkFix(fix))
    case .networkPositionFailed: tell(.networkPositionFailed)
    case .cellChanged(let cell):
      guard engine.triggers.contains(.cells) else { return }
      meter.record(.cellWake, at: now.at)
      tell(.cellChanged(cell))
    case .signal(let isHeard): tell(.signal(isHeard: isHeard))
    case .motionBegan: if engine.triggers.contains(.motion) { tell(.motionBegan) }
    case .activity(let activity): meter.record(activity, at: now.at)
    }
  }
}
