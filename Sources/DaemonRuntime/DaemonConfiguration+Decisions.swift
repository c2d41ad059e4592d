// SPDX-License-Identifier: Apache-2.0

import AppSupervisor
import GPSDSource
package import LocationEngine
package import RadioPower
import Replay
package import Settings

// What a configuration means for the engine, the meter and the edges.

extension DaemonConfiguration {
  /// The policies that need nothing but the receiver and the clock; `milepost` also takes hints from a
  /// modem. Those of phones need network positions, which no source gives here.
  package static let livePolicies = ["milepost", "periodic", "receiver"]

  /// The device that is metered. Throws where there is no profile of that name.
  package func device() throws -> DeviceProfile {
    guard let device = try ProfileLibrary.device(named: deviceProfile) else {
      throw ConfigurationTrouble(
        "there is no device profile '\(deviceProfile)'; known: "
          + ProfileLibrary.devices.joined(separator: ", "))
    }
    return device
  }

  /// The device's network, or the one that is named. Throws where there is none of that name.
  package func network() throws -> NetworkProfile? {
    let name = try networkProfile ?? device().network
    if name.isEmpty || name == "none" { return nil }
    guard let network = try ProfileLibrary.network(named: name) else {
      throw ConfigurationTrouble(
        "there is no network profile '\(name)'; known: "
          + ProfileLibrary.networks.joined(separator: ", "))
    }
    return network
  }

  /// What the engine decides by, on a machine that tells what `senses` say.
  package func decisions(
    senses: Senses = []
  ) throws -> (rules: EngineRules, policy: SignificantPolicy) {
    var rules = EngineRules()
    rules.era = era
    rules.significantDistance = significantDistance
    rules.significantInterval = significantInterval
    let device = try device()
    guard Self.livePolicies.contains(policy) else {
      throw ConfigurationTrouble(
        "the policy '\(policy)' cannot run here: it needs network positions or a motion sensor; "
          + "these can: " + Self.livePolicies.joined(separator: ", "))
    }
    guard
      let policy = SignificantPolicy.live(
        policy, for: device, hold: receiverHold, senses: senses)
    else {
      throw ConfigurationTrouble("there is no policy '\(policy)'")
    }
    return (rules, policy)
  }

  var address: GPSDSource.Address { .init(host: gpsdHost, port: gpsdPort, device: gpsdDevice) }

  /// `nil` takes the first that is writable.
  var supervisorFreezer: AppSupervisor.Freezer? {
    switch freezer {
    case .automatic: nil
    case .cgroup2: .cgroup2
    case .cgroup1: .cgroup1
    case .signals: .signals
    }
  }
}

extension SignificantPolicy {
  /// A policy that has no hints but those of `senses`.
  fileprivate static func live(
    _ name: String, for device: DeviceProfile, hold: Double, senses: Senses
  ) -> SignificantPolicy? {
    guard name == "milepost" else { return named(name, for: device) }
    let hot = device.timeToFirstFix(start: .hot, environment: .pocket).mean
    let memory = AcquisitionMemory(hot: hot, timeout: device.acquisitionTimeout.nominal)
    return .milepost(MilepostPolicy(senses: senses, memory: memory, receiverHold: hold))
  }
}
