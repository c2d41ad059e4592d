// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import RadioPower
import ServiceContract

// The radios of a simulated device: their reports and activity.

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
    case .motionFelt(let windows):
      if engine.triggers.contains(.motion) { tell(.motionFelt(windows: windows)) }
    case .activity(let activity): meter.record(activity, at: now.at)
    }
  }
}
