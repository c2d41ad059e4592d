// SPDX-License-Identifier: Apache-2.0

import RadioPower

extension Activity.Event {
  /// Component and state as the events of a replay name them.
  var words: (component: String, state: String) {
    switch self {
    case .gnss(let state): ("gnss", state.rawValue)
    case .cellTransfer: ("cell", "transfer")
    case .cellWake: ("cell", "wake")
    case .wifiScan: ("wifi", "scan")
    case .wifiTransfer: ("wifi", "transfer")
    case .soc(let state): ("soc", state.rawValue)
    case .launch: ("soc", "launch")
    case .wake: ("soc", "wake")
    case .delivery: ("soc", "delivery")
    case .motionSensor(let isArmed): ("sensor", isArmed ? "armed" : "off")
    case .flashCommit: ("flash", "commit")
    case .metering(let isOn): ("meter", isOn ? "on" : "off")
    case .end: ("meter", "end")
    }
  }
}
