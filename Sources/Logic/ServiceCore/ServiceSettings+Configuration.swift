// SPDX-License-Identifier: Apache-2.0

import JSONText
package import LocationEngine
package import RadioPower
package import ServiceContract

// What a configuration means for the engine, the meter and the edges.

extension DaemonConfiguration {
  /// The names of the policies that can run here.
  package static var livePolicies: [String] { PolicyKind.live.map(\.name) }

  /// The metered device. Throws if there is no profile of that name.
  package func device() throws -> DeviceProfile {
    guard let device = try ProfileLibrary.device(named: deviceProfile) else {
      throw Complaint(
        "there is no device profile '\(deviceProfile)'; known: "
          + ProfileLibrary.devices.joined(separator: ", "))
    }
    return device
  }

  /// The device's network, or the configured one. Throws if there is none of that name.
  package func network() throws -> NetworkProfile? {
    let name = try networkProfile ?? device().network
    if name.isEmpty || name == "none" { return nil }
    guard let network = try ProfileLibrary.network(named: name) else {
      throw Complaint(
        "there is no network profile '\(name)'; known: "
          + ProfileLibrary.networks.joined(separator: ", "))
    }
    return network
  }

  /// The rules by which the engine decides, on a machine with the hints `senses`.
  package func decisions(
    senses: Senses = []
  ) throws -> (rules: EngineRules, policy: SignificantPolicy) {
    var rules = EngineRules()
    rules.feelsMotion = senses.contains(.motion)
    rules.era = era
    rules.significantDistance = significantDistance
    rules.significantInterval = significantInterval
    rules.lifecycle.purgesAfter = purgesAfter
    rules.lifecycle.wakeBudget = wakeBudget
    rules.lifecycle.handlerBudget = handlerBudget
    rules.zones = zones
    rules.lateness = LatenessTerms(longest: maxLate, price: latenessPrice.map { $0 / 1_000 })
    let device = try device()
    return (rules, try livePolicy(for: device, senses))
  }

  private func livePolicy(
    for device: DeviceProfile, _ senses: Senses
  ) throws -> SignificantPolicy {
    let request: PolicyRequest
    do {
      request = try PolicyRequest(policy)
    } catch {
      throw Complaint(error.message(policy, known: Self.livePolicyWords))
    }
    guard
      request.kind.runsLive,
      let made = request.policy(for: device, receiverHold: expectedHold, senses: senses)
    else {
      throw Complaint(
        "the policy '\(request.kind.name)' cannot run here: it needs network positions or a motion "
          + "sensor; \(Self.livePolicyWords)")
    }
    return made
  }

  private static var livePolicyWords: String {
    "these can run: " + PolicyKind.words(PolicyKind.live)
  }

  /// The settings by which the service decides. Throws if a profile or a policy cannot be used here.
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
    settings.gpsdControl = gpsdControl
    settings.receiverSleep = gpsdControl == nil || receiverSleep == .off ? nil : receiverSleep
    settings.wantsModem = wantsModem
    settings.wantsMotion = wantsMotion
    settings.externalPower =
      switch externalPower {
      case .automatic, .vehicle: nil
      case .yes: true
      case .no: false
      }
    settings.powerIsIgnition = externalPower == .vehicle
    settings.newApps = newApps
    settings.lowPowerBelow = lowPowerBelow > 0 ? lowPowerBelow : nil
    settings.crashLimit = crashLimit
    settings.outboxLimit = outboxLimit
    settings.retriesFor = retriesFor
    settings.sinks = isAbsent ? nil : sinks
    settings.keepsFor = keepDays > 0 ? keepDays * 86_400 : nil
    return settings
  }

  /// Seconds for which the receiver runs on after an undisturbed look.
  private var expectedHold: Double { gpsdControl == nil ? receiverHold : 0 }

  /// Whether an accelerometer is of use to the policy.
  package var wantsMotion: Bool {
    motion == .automatic && PolicyKind.named(policy)?.hints.contains(.motion) == true
  }

  /// Whether the modem is of use to the policy.
  package var wantsModem: Bool {
    modem == .automatic && PolicyKind.named(policy)?.hints.contains(.cells) == true
  }
}

extension PolicyKind {
  /// Whether it needs only the receiver and the clock; others also take hints from a modem. Those of phones need
  /// network positions, which no source here provides.
  fileprivate var runsLive: Bool { positions == .receiver && needs.isEmpty }

  fileprivate static var live: [PolicyKind] {
    all.filter(\.runsLive).sorted { $0.name < $1.name }
  }
}
