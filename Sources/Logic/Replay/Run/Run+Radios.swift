// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import RadioPower
import RadioWorld
import ServiceCore

// A run's use of its device's radios.

extension Run {
  /// Whether the device has a network and is not in a gap.
  var maySend: Bool { hasNetwork && !isInGap }

  /// Sends the transfers that are due.
  mutating func upload() {
    guard maySend else { return }
    let appRuns = host.service.engine.runsCode
    while let transfer = uplink.next(at: now, appRuns: appRuns, &counters) {
      meter(options.upload(transfer.bytes), at: now)
      shareRadio()
      if let report = transfer.report { learn(report, of: transfer.items) }
    }
  }

  /// Makes the receiver wait until the modem is idle, if both share one radio.
  mutating func shareRadio() {
    guard options.sharesRadio else { return }
    let busy = host.service.meter.meter.cellBusySeconds
    if busy > 0 { receiver.block(until: now.advanced(bySeconds: busy)) }
    noteReceiver()
  }

  mutating func follow(_ plan: ReceiverPlan) {
    if plan.isOn {
      if receiver.phase == .off { beginSession() }
      receiver.switchOn(at: now)
    } else {
      if receiver.isInUse && receiver.isAcquiring { counters.failedAcquisitions += 1 }
      receiver.switchOff(at: now)
      signal = nil
    }
    noteReceiver()
  }

  mutating func beginSession() {
    beganInGap = isInGap
    guard !isInGap else { return }
    counters.sessions += 1
    if !stands { counters.movingSessions += 1 }
  }

  mutating func noteReceiver() {
    // The usual case.
    if case .off = receiver.phase, case .off = gnss { return }
    let state = receiver.state(isSkyPoor: isSkyPoor)
    guard state != gnss else { return }
    gnss = state
    meter(.gnss(state), at: now)
    note(.radio(.gnss(state)))
  }
}
