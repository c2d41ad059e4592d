// SPDX-License-Identifier: Apache-2.0

package import LocationEngine
package import LocationModel

/// The first line of a recording: everything beside the inputs on which the engine's decisions depend,
/// and what a reader wants to know of where they were taken.
package struct RecordingHeader: Sendable, Equatable {
  /// Version of the form; a reader refuses a later one.
  package static let version = 1

  /// Version of Milepost that decided.
  package var release: String
  /// UTC by the machine's clock when the engine's axis stood at `startedAt`.
  package var started: UTCInstant
  package var startedAt: EngineInstant
  package var rules: EngineRules
  package var policy: PolicySettings
  /// Names in the profile library, for the meter; the engine does not ask for them.
  package var deviceProfile: String
  package var networkProfile: String?
  /// Seconds for which gpsd holds a device after its last watcher.
  package var receiverHold: Double
  package var receiver: Receiver
  /// The engine that the recording begins with, as its store keeps it; `nil` where it begins with a new
  /// one. To this target it is a text that means nothing.
  package var snapshot: String?

  package enum Receiver: String, Sendable, CaseIterable {
    /// It was on and off by the engine's plan.
    case planned
    /// It was on throughout, whatever the plan said (`milepost track --observe`).
    case alwaysOn = "always_on"
  }

  package init(
    release: String, started: UTCInstant, startedAt: EngineInstant, rules: EngineRules,
    policy: PolicySettings, deviceProfile: String, networkProfile: String? = nil,
    receiverHold: Double, receiver: Receiver, snapshot: String? = nil
  ) {
    self.release = release
    self.started = started
    self.startedAt = startedAt
    self.rules = rules
    self.policy = policy
    self.deviceProfile = deviceProfile
    self.networkProfile = networkProfile
    self.receiverHold = receiverHold
    self.receiver = receiver
    self.snapshot = snapshot
  }

  /// UTC of an instant of the engine's axis, as far as the clock at the start knew it.
  package func utc(at instant: EngineInstant) -> UTCInstant {
    started.advanced(bySeconds: EngineInstant.seconds(from: startedAt, to: instant))
  }
}
