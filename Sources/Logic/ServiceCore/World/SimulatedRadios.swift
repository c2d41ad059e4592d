// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import RadioPower
import ServiceContract

// The radios of a simulated device: their reports and activity.

extension World {
  func receive(
    radioEvent event: RadioEvent, _ engine: LocationEngine, _ meter: inout ServiceMeter,
    _ step: inout Step
  ) {
    switch event {
    case .fix(let fix): step.tellEngine(.fix(fix))
    case .networkFix(let fix): step.tellEngine(.networkFix(fix))
    case .networkPositionFailed: step.tellEngine(.networkPositionFailed)
    case .cellChanged(let cell):
      if engine.triggers.contains(.cells) { changed(to: cell, engine, &meter, &step) }
    case .signal(let isHeard): step.tellEngine(.signal(isHeard: isHeard))
    case .motionFelt(let windows):
      if engine.triggers.contains(.motion) { step.tellEngine(.motionFelt(windows: windows)) }
    case .activity(let activity): meter.record(activity, at: step.now.at)
    }
  }
}
