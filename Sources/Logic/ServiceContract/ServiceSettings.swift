// SPDX-License-Identifier: Apache-2.0

package import LocationEngine
package import LocationModel
package import RadioPower

/// All influences on the service's decisions besides its inputs and the stored state. `ConfigurationOption.all` says what
/// those mean that `DaemonConfiguration` has under the same name.
package struct ServiceSettings: Sendable, Equatable, Codable {
  /// Version of Milepost, for greetings and documents.
  package var release: String
  package var rules: EngineRules
  /// The policy without cells, and with a modem that reports them; equal if cells change nothing.
  @Unstarted package var policy: SignificantPolicy
  @Unstarted package var policyWithCells: SignificantPolicy
  /// The policy's name as requested.
  package var policyName: String
  package var device: DeviceProfile
  package var network: NetworkProfile?
  package var receiverHold: Double
  package var gpsdHost: String
  package var gpsdPort: Int
  package var gpsdDevice: String?
  package var gpsdControl: String?
  /// Which receivers sleep between looks; `nil` if none does.
  package var receiverSleep: ReceiverSleep?
  /// Whether a modem is asked for changes of cell.
  package var wantsModem: Bool
  /// Whether an accelerometer of the machine is of use.
  package var wantsMotion = false
  package var newApps: Authorization
  /// Whether the machine is on external power, as the user states; `nil` for the machine's report.
  package var externalPower: Bool?
  /// Whether that power is a vehicle's, which comes with its ignition.
  package var powerIsIgnition = false
  /// Per cent of the battery below which Low Power Mode begins; `nil` leaves it to the user.
  package var lowPowerBelow: Double?
  package var crashLimit: Int
  package var outboxLimit: Int
  package var retriesFor: Double
  /// The sinks that the configuration names; those of an earlier one that it no longer names go. `nil` if there is no
  /// configuration.
  package var sinks: [AppManifest]?
  /// Seconds for which logs and waiting events are kept; `nil` is for ever.
  package var keepsFor: Double?
  /// Whether no app sees inside a privacy zone, whatever its `apps`, since the inputs are recorded.
  package var hidesFromAll = false
  /// Whether the receiver's phases are reported (a simulated radio), or are inferred from gpsd's reports.
  package var hearsReceiver: Bool

  package init(
    release: String, rules: EngineRules, policy: SignificantPolicy,
    policyWithCells: SignificantPolicy? = nil, policyName: String? = nil, device: DeviceProfile,
    network: NetworkProfile?
  ) {
    self.release = release
    self.rules = rules
    self.policy = policy
    self.policyWithCells = policyWithCells ?? policy
    self.policyName = policyName ?? policy.name
    self.device = device
    self.network = network
    let usual = DaemonConfiguration.usual
    receiverHold = 0
    gpsdHost = usual.gpsdHost
    gpsdPort = usual.gpsdPort
    wantsModem = false
    newApps = usual.newApps
    crashLimit = usual.crashLimit
    outboxLimit = usual.outboxLimit
    retriesFor = usual.retriesFor
    hearsReceiver = false
  }
}

/// A policy that has not begun; written as its settings, not its state.
@propertyWrapper
package struct Unstarted: Sendable, Equatable, Codable {
  package var wrappedValue: SignificantPolicy

  package init(wrappedValue: SignificantPolicy) { self.wrappedValue = wrappedValue }

  package init(from decoder: any Decoder) throws {
    let settings = try PolicySettings(from: decoder)
    guard let policy = settings.policy else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription:
            "the policy '\(settings.name.prefix(60))' is not known here with these settings"))
    }
    wrappedValue = policy
  }

  package func encode(to encoder: any Encoder) throws {
    try wrappedValue.settings.encode(to: encoder)
  }
}
