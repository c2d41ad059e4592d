// SPDX-License-Identifier: Apache-2.0

import DeviceWatch
import JSONText
import MessageBus
import ServiceContract

// The background execution that this machine supports (memory pressure, Low Power Mode, notifications), and what is
// missing.

extension Diagnosis {
  mutating func judgeMachine(_ facts: DoctorFacts) {
    if let device = facts.device {
      findings.append(Self.finding(device.pressure))
      findings.append(Self.battery(device))
      findings.append(Self.externalPower(device))
      judgeMotion(device.accelerometers)
      findings.append(Self.wifi(facts.connection))
      findings.append(Self.wake(device.cannotWake))
    }
    switch facts.notifier {
    case nil: break
    case .shown(let server):
      noteFinding(.notifier, "notifications of apps are shown by \(server)")
    case .notShown(let reason):
      noteFinding(.noNotifier, "notifications of apps go to the service's journal: \(reason)")
    }
    if facts.device != nil { findings.append(Self.byHand) }
  }

  /// No part of such a machine reports these events.
  private static let byHand = Finding(
    .byHand,
    "pushes, newsstand issues, accessories, Bluetooth, calls and the first unlock are played by hand: "
      + "milepost apps send, milepost apps device")

  private static func finding(_ pressure: DeviceSurvey.Pressure) -> Finding {
    switch pressure {
    case .told(let share):
      return Finding(
        .pressure,
        "the kernel tells when memory is short: in the last 10 s programs waited for it "
          + "\(Decimal.text(share, decimals: 1, trimmed: true)) % of the time")
    case .notTold(let trouble):
      return Finding(
        .noPressure,
        "memory pressure is not watched: \(trouble.words); suspended apps are ended after "
          + "purge_after_s alone")
    }
  }

  private static func externalPower(_ device: DeviceSurvey) -> Finding {
    guard let isOn = device.isOnPower else {
      return Finding(
        .noExternalPower,
        "no supply says whether the machine is on external power: the ignition of a vehicle is not felt"
      )
    }
    return Finding(
      .externalPower,
      "the machine is \(isOn ? "on external power" : "not on external power"), and tells when that changes: "
        + "external_power: vehicle takes it for the ignition")
  }

  private static func wake(_ cannotWake: String?) -> Finding {
    guard let cannotWake else {
      return Finding(
        .wakes, "this user may have a sleeping machine woken for a look: wake_machine: true does so"
      )
    }
    return Finding(
      .noWake, "a machine that sleeps is not woken for a look: \(cannotWake)",
      advice:
        "for wake_machine, give the service CAP_WAKE_ALARM (systemd: AmbientCapabilities=CAP_WAKE_ALARM)"
    )
  }

  private mutating func judgeMotion(_ accelerometers: [Accelerometer]) {
    if accelerometers.isEmpty {
      noteFinding(
        .noMotion, "there is no accelerometer (\(Accelerometer.folder)): no motion is felt")
    }
    for sensor in accelerometers {
      let name = "the accelerometer \(Quoted.plain(sensor.name))"
      switch sensor.use {
      case .tells:
        noteFinding(.motion, "\(name) tells of motion by itself: a hint for the policy milepost")
      case .isRead:
        noteFinding(
          .motion,
          "\(name) does not tell of motion by itself: it is read as often as motion_sample_s says")
      case .isRefused(let why):
        noteFinding(
          .noMotion, "\(name) would tell of motion, and this user may not have it: \(why)",
          advice:
            "let a udev rule give the service's user /dev/iio:device* and the files *_en in events")
      }
    }
  }

  private static func wifi(_ connection: ConnectionQuestion.Answer?) -> Finding {
    guard let connection else {
      return Finding(
        .noWiFi,
        "NetworkManager cannot be asked for the Wi-Fi network: that it is left or joined is not noticed"
      )
    }
    let network = connection.wifi.map { "the Wi-Fi network \(Quoted.plain($0))" }
    return Finding(
      .wifi,
      "the machine is connected by \(network ?? "no Wi-Fi network"): that one is left or joined is a hint for the "
        + "policy milepost")
  }

  private static func battery(_ device: DeviceSurvey) -> Finding {
    guard let battery = device.battery else {
      return Finding(
        .noBattery, "there is no battery: Low Power Mode is left to milepost apps device low-power")
    }
    return Finding(
      .battery,
      "the battery is at \(Decimal.text(battery.percent, decimals: 0)) %, and is "
        + (battery.isCharging ? "on its charger" : "being used"))
  }
}
