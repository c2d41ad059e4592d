// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Synchronization

/// The regions that are monitored, and those that the other side was told of; any thread may ask.
final class ToldRegions: Sendable {
  private struct State {
    var present: [MonitoredRegion] = []
    /// `nil`: nothing was told since the sink is open.
    var told: [MonitoredRegion]?
    /// Whether the other side has asked since it was told last.
    var isAsked = false
  }

  private let state = Mutex(State())

  var present: [MonitoredRegion] { state.withLock { $0.present } }

  /// What the other side does not know yet, or asked for; `nil` where there is nothing to tell.
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
