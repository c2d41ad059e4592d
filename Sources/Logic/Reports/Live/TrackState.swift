// SPDX-License-Identifier: Apache-2.0

package import LocationEngine
package import LocationModel
package import RadioPower

/// The visible state of a live track at one moment.
package struct TrackState: Sendable {
  package var mode: Service
  /// The significant-change policy; `nil` in the other modes.
  package var policy: String?
  /// This machine's UTC.
  package var now: UTCInstant
  /// Seconds since the start, by a clock that does not step.
  package var elapsed = 0.0
  /// Seconds of them for which the meter knew the receiver's state.
  package var metered = 0.0
  /// The line to gpsd, in words.
  package var link: String
  package var appState = AppState.notRunning
  package var plan = ReceiverPlan.off(.nobodyAsks)
  /// Seconds until the next session; `nil` if none is planned.
  package var nextSession: Double?
  /// `off`, `acquiring`, `tracking`, `held`.
  package var receiver = "off"
  /// Whether the receiver's state is known.
  package var isReceiverKnown = true
  /// The newest fix, and seconds since it came.
  package var fix: Fix?
  package var fixAge: Double?
  /// The privacy zone that hides it.
  package var hiddenIn: String?
  /// Whether the newest report of a receiver had no position.
  package var isSearching = false
  package var fixes = 0
  package var deliveries = 0
  /// Fixes that are missing from the trace file.
  package var unwritten = 0
  /// Seconds since the last delivery.
  package var deliveryAge: Double?
  /// The verdict on the last fix: delivered, or the reason why not.
  package var verdict: Verdict?
  package var energy = EnergyRange.zero
  /// Joules of the profile's battery.
  package var battery: Double
  package var profile: String

  package init(
    mode: Service, policy: String?, now: UTCInstant, link: String, battery: Double, profile: String
  ) {
    self.mode = mode
    self.policy = policy
    self.now = now
    self.link = link
    self.battery = battery
    self.profile = profile
  }
}
