// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel

/// One key of the configuration file: what it means, and what becomes of a change.
struct ConfigurationOption: Sendable {
  let key: String
  /// One or two sentences.
  let explanation: String
  /// What may be written, with range and unit.
  let allowed: String
  let effect: ConfigurationChange.Effect
  /// The value as TOML writes it; `nil` where the configuration has none.
  let text: @Sendable (DaemonConfiguration) -> String?
  /// What stands in the explained file for an option without a default.
  var example = ""

  /// In the order of the explained file.
  static let all = source + significant + profiles + apps + listeners

  private static let source = [
    Self(
      key: "gpsd_host", explanation: "Where gpsd runs.", allowed: "a host name or an address",
      effect: .atOnce, text: { quoted($0.gpsdHost) }),
    Self(
      key: "gpsd_port", explanation: "gpsd's port.", allowed: "1 to 65535", effect: .atOnce,
      text: { String($0.gpsdPort) }),
    Self(
      key: "gpsd_device",
      explanation: "Only this one of gpsd's devices; without it all are followed.",
      allowed: "a path as gpsd calls the device", effect: .atOnce,
      text: { $0.gpsdDevice.map(quoted) }, example: "\"/dev/ttyACM0\""),
    Self(
      key: "receiver_hold_s",
      explanation:
        "How long gpsd keeps a device open after its last watcher has gone; the energy of "
        + "that time is counted.",
      allowed: "0 to 3600 seconds", effect: .atRestart,
      text: { Decimal.shortest($0.receiverHold) }),
  ]

  private static let significant = [
    Self(
      key: "policy",
      explanation:
        "How significant changes are looked for; milepost replay --help names the policies.",
      allowed: "the name of a policy", effect: .atRestart, text: { quoted($0.policy) }),
    Self(
      key: "era",
      explanation:
        "The generation of the rules that apps live by; they differ in relaunching and in "
        + "what background updates need.",
      allowed: Era.all.map(\.name).joined(separator: ", "), effect: .atRestart,
      text: { quoted($0.era.name) }),
    Self(
      key: "significant_distance_m",
      explanation:
        "How far from the last event the device must be for the next significant change.",
      allowed: "1 to 100000 metres", effect: .atRestart,
      text: { Decimal.shortest($0.significantDistance) }),
    Self(
      key: "significant_interval_s",
      explanation: "How long after an event the next one may come at the earliest.",
      allowed: "0 to 86400 seconds", effect: .atRestart,
      text: { Decimal.shortest($0.significantInterval) }),
    Self(
      key: "modem",
      explanation:
        "Whether the policy milepost takes changes of cell for hints of a move. automatic does "
        + "where ModemManager has a modem that tells its cells, and goes on without where not.",
      allowed: DaemonConfiguration.Modem.allCases.map(\.rawValue).joined(separator: ", "),
      effect: .atRestart, text: { quoted($0.modem.rawValue) }),
  ]

  private static let profiles = [
    Self(
      key: "device_profile",
      explanation: "The device whose energy is counted; milepost profiles list names them.",
      allowed: "the name of a device profile", effect: .atRestart,
      text: { quoted($0.deviceProfile) }),
    Self(
      key: "network_profile",
      explanation: "The mobile network over which the device sends; without it the device's own "
        + "default counts.",
      allowed: "the name of a network profile", effect: .atRestart,
      text: { $0.networkProfile.map(quoted) }, example: "\"lte-2012-huang\""),
  ]

  private static let apps = [
    Self(
      key: "new_apps",
      explanation:
        "What an app may know whose manifest states no authorization. With not_determined "
        + "it waits for milepost apps authorize.",
      allowed: Authorization.allCases.map(\.rawValue).joined(separator: ", "), effect: .atOnce,
      text: { quoted($0.newApps.rawValue) }),
    Self(
      key: "freezer",
      explanation:
        "How suspended apps are frozen. automatic takes the first that this machine allows: "
        + "cgroup2, cgroup1, signals.",
      allowed: DaemonConfiguration.Freezer.allCases.map(\.rawValue).joined(separator: ", "),
      effect: .atRestart, text: { quoted($0.freezer.rawValue) }),
    Self(
      key: "crash_limit",
      explanation:
        "After so many crashes within 10 minutes an app is held until milepost apps release.",
      allowed: "1 to 1000", effect: .atOnce, text: { String($0.crashLimit) }),
    Self(
      key: "outbox_limit",
      explanation:
        "How many deliveries wait for one app at most; then the oldest is dropped, and the "
        + "app is told.",
      allowed: "1 to 1000000", effect: .atOnce, text: { String($0.outboxLimit) }),
    Self(
      key: "retry_for_s",
      explanation:
        "How long an event on which a handler fails is tried again; then it is given up, and "
        + "milepost apps events keeps it.",
      allowed: "0 to 31536000 seconds", effect: .atOnce,
      text: { Decimal.shortest($0.retriesFor) }),
    Self(
      key: "purge_after_s",
      explanation:
        "How long after its suspension an app is ended, as memory pressure does on a phone.",
      allowed: "1 to 31536000 seconds", effect: .atRestart,
      text: { Decimal.shortest($0.purgesAfter) }),
    Self(
      key: "wake_budget_s",
      explanation:
        "How long an app that was woken for an event may work, where it does not say earlier that it is "
        + "through.",
      allowed: "0.1 to 3600 seconds", effect: .atRestart,
      text: { Decimal.shortest($0.wakeBudget) }),
  ]

  private static let listeners = [
    Self(
      key: "gpsd_listeners",
      explanation:
        "Ports, on the loopback address only, at which ordinary gpsd clients are given what "
        + "an app in that mode would get; without it there is none.",
      allowed:
        "up to \(DaemonConfiguration.listenerLimit) tables, each with port (1 to 65535), service "
        + "(\(Service.allCases.map(\.rawValue).joined(separator: ", "))) and, where wished, "
        + "distance_filter_m (0 to 1000000 metres)",
      effect: .atRestart,
      text: { configuration in
        if configuration.gpsdListeners.isEmpty { return nil }
        return "[" + configuration.gpsdListeners.map(text).joined(separator: ", ") + "]"
      },
      example: "[{ port = 2948, service = \"standard\", distance_filter_m = 100 }]")
  ]

  private static func text(_ listener: DaemonConfiguration.GPSDListener) -> String {
    let filter =
      listener.distanceFilter.map { ", distance_filter_m = \(Decimal.shortest($0))" } ?? ""
    return "{ port = \(listener.port), service = \"\(listener.service.rawValue)\"\(filter) }"
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { quoted.unicodeScalars.append("\\") }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}
