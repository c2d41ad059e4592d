// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
package import LocationEngine
package import RadioPower
package import ServiceContract
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
    rules.lifecycle.purgesAfter = purgesAfter
    rules.lifecycle.wakeBudget = wakeBudget
    let device = try device()
    return (rules, try livePolicy(for: device, senses))
  }

  private func livePolicy(
    for device: DeviceProfile, _ senses: Senses
  ) throws -> SignificantPolicy {
    let name = policy.split(separator: "=").first.map(String.init) ?? ""
    guard SignificantPolicy.names.contains(name) else {
      throw ConfigurationTrouble("there is no policy '\(policy)'; \(Self.livePolicyWords)")
    }
    guard Self.livePolicies.contains(name) else {
      throw ConfigurationTrouble(
        "the policy '\(name)' cannot run here: it needs network positions or a motion sensor; "
          + Self.livePolicyWords)
    }
    if let made = SignificantPolicy.live(policy, for: device, hold: receiverHold, senses: senses) {
      return made
    }
    guard SignificantPolicy.named(name, for: device)?.interval != nil else {
      throw ConfigurationTrouble(
        "the policy '\(name)' has no interval to set; \(Self.livePolicyWords)")
    }
    throw ConfigurationTrouble(
      "'\(policy)': the seconds between sessions are a number from 1 to 86400")
  }

  private static var livePolicyWords: String {
    "these can run: \(livePolicies.joined(separator: ", ")); periodic=N and receiver=N have N seconds "
      + "between sessions"
  }

  /// What the service decides by. Throws where a profile or a policy cannot be used here.
  package func settings(release: String) throws -> ServiceSettings {
    let (rules, plain) = try decisions()
    var settings = ServiceSettings(
      release: release, rules: rules, policy: plain,
      policyWithCells: try decisions(senses: .cells).policy, policyName: policy,
      device: try device(), network: try network())
    settings.receiverHold = receiverHold
    settings.gpsdHost = gpsdHost
    settings.gpsdPort = gpsdPort
    settings.gpsdDevice = gpsdDevice
    settings.wantsModem = wantsModem
    settings.newApps = newApps
    settings.crashLimit = crashLimit
    settings.outboxLimit = outboxLimit
    settings.retriesFor = retriesFor
    return settings
  }

  /// Whether the modem is of use: the other policies take no hints.
  package var wantsModem: Bool { modem == .automatic && policy == "milepost" }
}

/// Why something that is configured cannot be, in words for people.
package struct ConfigurationTrouble: Error, Sendable, Equatable {
  package let message: String

  package init(_ message: String) { self.message = message }
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
