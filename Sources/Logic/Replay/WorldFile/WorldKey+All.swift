// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationEngine
import RadioPower
import ServiceContract

extension WorldKey {
  /// All keys, in the order of the explained example, `Traces/world.yaml`.
  package static let all = receiver + cells + motion + system + app + policy

  /// Seconds that anything may last: a day.
  private static let day = 0.0...86_400

  private static let receiver: [Self] = [
    Self(
      "ttff", "Times to first fix: drawn around their mean, or the mean",
      .words(["drawn", "mean"]), written: { $0.drawsAcquisition ? "drawn" : "mean" },
      read: { table in
        change(to: table.word("ttff", among: ["drawn", "mean"])) {
          $0.drawsAcquisition = $1 == "drawn"
        }
      }),
    number(
      "noise", \.noise, in: 0.01...100, "times the usual errors",
      "By how much the receiver's errors and claimed accuracies are larger"),
    number(
      "fix_loss", \.fixLoss, in: 0...FixLoss.most, "parts of 1",
      "Share of fixes that go missing between receiver and system"),
    number(
      "receiver_hold_s", \.receiverHold, in: day, "seconds",
      "How long the receiver goes on after nobody asks any more: 0 where it is switched directly, 60 behind gpsd"
    ),
    bool(
      "vbus_off",
      "Whether the receiver's supply is cut while it is off; every start is cold then",
      written: { $0.device.gnssWhenOff == .vbusOff },
      set: { if $1 { $0.device.gnssWhenOff = .vbusOff } }),
  ]

  private static let cells: [Self] = [
    number(
      "cell_spacing_m", \.cellSpacing, in: TowerGrid.spacings, "metres",
      "Metres between the synthetic cell towers"),
    Self(
      "towers",
      "Real towers instead of synthetic ones: a list in OpenCelliD's CSV; its path begins where this file lies",
      .text, written: { $0.towerList ?? "none" },
      // The path needs the folder of the file: `WorldFile` reads it.
      read: { _ in nil }),
    optional(
      "network_error_m", in: 0...1e6, "metres",
      "Error of network positions per axis", usually: "0.4 of the cells' spacing",
      written: \.networkErrorPerAxis, set: { $0.networkError = $1 }),
    Self(
      "wifi_islands",
      "Share of places where network positions are good to 25 m: auto (0.98 where one stays, 0.9 on the way, 0.1 "
        + "above 60 km/h; none for a device without Wi-Fi), on (0.5), off, or 0 to 1",
      usually: "auto", .oneOf([.words(["auto", "on", "off"]), .bool, .number(0...1)]),
      written: { words($0.wifiIslands) }, read: { islands(&$0) }),
  ]

  private static func words(_ coverage: WiFiCoverage) -> String {
    switch coverage {
    case .none: "off"
    case .share(let share): plain(share)
    case .byMovement: "auto"
    }
  }

  /// JSON has true and false for on and off.
  private static func islands(_ table: inout SettingsTable) -> Change? {
    let key = "wifi_islands"
    guard let value = table.value(key), value.string != "auto" else { return nil }
    let coverage: WiFiCoverage
    if let isThere = value.bool ?? ["on": true, "off": false][value.string ?? ""] {
      coverage = isThere ? .usual : .none
    } else if let share = value.number, (0...1).contains(share) {
      coverage = share > 0 ? .share(share) : .none
    } else {
      table.noteProblem(
        at: key, "\(SettingsTable.words(value)) is not auto, on, off or a number from 0 to 1")
      return nil
    }
    return { $0.wifiIslands = coverage }
  }

  /// The world's sensor; a policy still uses the profile's, unless there is no sensor at all.
  private static let motion: [Self] = [
    bool(
      "motion_sensor",
      "Whether the device has a motion sensor; no takes it away, whatever the profile says",
      usually: "the profile's", written: \.device.hasMotionSensor,
      set: { if !$1 { $0.device.hasMotionSensor = false } }),
    sensed(
      "motion_window_s", \.motion.window, in: 0.1...3_600, "seconds",
      "What it judges at once; it fires half of that to one and a half after a start"),
    sensed(
      "motion_steps", \.motion.steps, in: 0...1, "parts of 1",
      "Share of such windows in which it feels steps"),
    sensed(
      "motion_ride", \.motion.ride, in: 0...1, "parts of 1",
      "The same of a ride that shakes it"),
    sensed(
      "motion_smooth", \.motion.smooth, in: 0...1, "parts of 1",
      "Share of rides that are too smooth to be felt at all"),
    sensed(
      "motion_false_alarms_per_h", \.motion.falseAlarms, in: 0...3_600, "times an hour",
      "How often it fires for nothing"),
  ]

  private static func sensed(
    _ name: String, _ path: Path<Double>, in range: ClosedRange<Double>, _ unit: String,
    _ about: String
  ) -> Self {
    optional(
      name, in: range, unit, about, usually: "the profile's",
      written: { $0.device.hasMotionSensor ? $0[keyPath: path] : nil },
      set: { $0[keyPath: path] = $1 })
  }

  private static let system: [Self] = [
    number(
      "suspend_after_s", \.rules.lifecycle.suspendsAfter, in: day, "seconds",
      "Seconds in the background until an app that nothing holds is suspended"),
    number(
      "purge_after_s", \.rules.lifecycle.purgesAfter, in: 0...1e9, "seconds",
      "Seconds of suspension until the app is purged"),
    number(
      "wake_budget_s", \.rules.lifecycle.wakeBudget, in: day, "seconds",
      "Seconds that a wake allows at most"),
    number(
      "pause_after_s", \.rules.pausesAfter, in: 1...1e9, "seconds",
      "Seconds still after which updates pause"),
    number(
      "significant_distance_m", \.rules.significantDistance, in: ScoringRules.distances, "metres",
      "Metres from the last delivery that make a significant change"),
    number(
      "significant_interval_s", \.rules.significantInterval, in: 0...1e9, "seconds",
      "Seconds between two significant changes at least"),
  ]

  private static let app: [Self] = [
    number(
      "background_after_s", \.scenario.backgroundAfter, in: 0...1e9, "seconds",
      "Seconds from the launch until the app in the pocket is put away"),
    number(
      "work_time_s", \.scenario.workTime, in: day, "seconds",
      "Seconds that the app works of each wake"),
    bytes(
      "upload_bytes", \.itemBytes,
      "Bytes of one delivery when it is sent: some 200 as JSON, 11 as Cayenne LPP for LoRa"),
    bytes(
      "upload_overhead_bytes", \.overheadBytes,
      "Bytes that each transfer adds: TCP, a TLS session that is resumed, MQTT; not for LoRa, whose headers are "
        + "counted for themselves"),
    number(
      "blind_distance_m", \.blindDistance, in: 1...1e9, "metres",
      "Distance from the last delivered position at which the app is called blind"),
  ]

  /// The keys of milepostd's configuration, by the same names.
  private static let policy: [Self] = [
    optional(
      "max_late_s", in: 1...86_400, "seconds",
      "Seconds that a significant change may be late, whatever it costs, by what the policy milepost believes",
      usually: "as late as it is worth", written: \.rules.lateness.longest,
      set: { $0.rules.lateness.longest = $1 }),
    optional(
      "lateness_price_mj_per_s", in: 0.1...100_000, "millijoules a second",
      "Millijoules that a second of lateness is worth to the policy milepost",
      usually: "those of 1.4 seconds of tracking, spread over the time between events",
      written: { $0.rules.lateness.price.map { $0 * 1_000 } },
      set: { $0.rules.lateness.price = $1 / 1_000 }),
    bool(
      "external_power",
      "Whether the device is on external power, where a joule is worth a tenth to the policy milepost",
      written: \.rules.lateness.isOnExternalPower,
      set: { $0.rules.lateness.isOnExternalPower = $1 }),
  ]
}
