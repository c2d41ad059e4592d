// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Synchronization

/// The monitored regions, and those that were sent to the other side; any thread may use it.
final class ToldRegions: Sendable {
  private struct State {
    var present: [MonitoredRegion] = []
    /// `nil`: nothing was sent since the sink was opened.
    var told: [MonitoredRegion]?
    /// Whether the other side has asked since the last list was sent.
    var isAsked = false
  }

  private let state = Mutex(State())

  var present: [MonitoredRegion] { state.withLock { $0.present } }

  /// The regions that the other side does not know yet, or requested; `nil` if there is nothing to send.
  var news: [MonitoredRegion]? {
    state.withLock { $0.present == $0.told ?? [] && !$0.isAsked ? nil : $0.present }
  }

  func monitors(_ regions: [MonitoredRegion]) { state.withLock { $0.present = regions } }

  func wereAsked() { state.withLock { $0.isAsked = true } }

  func told(_ regions: [MonitoredRegion]) {
    state.withLock {
      $0.told = regions
      $0.isAsked = false
    }
  }
}
