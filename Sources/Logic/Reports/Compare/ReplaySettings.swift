// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import LocationEngine
import LocationModel
import RadioPower
import RadioWorld
import Replay
import Wording

/// The settings of a comparison besides its trace and profile: the options of the command by name, as they would be
/// written. Saved in the JSON, so that a later comparison can say which differ.
enum ReplaySettings {
  static func all(of options: ReplayOptions) -> [(name: String, value: String)] {
    world(options) + motion(options) + timing(options)
      + later(options).filter { usual[$0.name] != $0.value }
  }

  /// The settings that came later: a saved comparison names them only if they are not the usual ones, so that older
  /// ones stay equal.
  static func later(_ options: ReplayOptions) -> [(name: String, value: String)] {
    let terms = options.rules.lateness
    return [
      ("max-late", terms.longest.map(Figures.plain) ?? "none"),
      ("lateness-price", terms.price.map { Figures.plain($0 * 1_000) } ?? "none"),
      ("external-power", terms.isOnExternalPower ? "yes" : "no"),
      ("vbus-off", options.device.gnssWhenOff == .vbusOff ? "yes" : "no"),
    ]
  }

  /// The settings of a saved comparison that does not name them.
  static let usual = [
    "max-late": "none", "lateness-price": "none", "external-power": "no", "vbus-off": "no",
  ]

  private static func world(_ options: ReplayOptions) -> [(name: String, value: String)] {
    let plain = Figures.plain
    return [
      ("network", options.network?.name ?? "none"),
      ("environment", options.mixesEnvironments ? "mixed" : options.environment.rawValue),
      ("start", options.firstStart.rawValue),
      ("ttff", options.drawsAcquisition ? "drawn" : "mean"),
      ("era", options.rules.era.title),
      ("seed", String(options.seed)),
      ("cell-spacing", plain(options.cellSpacing)),
      ("towers", options.towerList ?? "none"),
      ("wifi-islands", coverage(options.wifiIslands)),
      ("network-error", plain(options.networkErrorPerAxis)),
      ("loss", plain(options.fixLoss)),
      ("noise", plain(options.noise)),
      ("receiver-hold", plain(options.receiverHold)),
      ("upload", options.uploads.description),
      ("upload-bytes", String(options.itemBytes)),
      ("upload-overhead", String(options.overheadBytes)),
      ("blind-distance", plain(options.blindDistance)),
    ]
  }

  private static func coverage(_ coverage: WiFiCoverage) -> String {
    switch coverage {
    case .none: "off"
    case .share(let share): Figures.plain(share)
    case .byMovement: "auto"
    }
  }

  private static func motion(_ options: ReplayOptions) -> [(name: String, value: String)] {
    let numbers = [
      ("lag", options.motion.window), ("steps", options.motion.steps),
      ("ride", options.motion.ride), ("smooth", options.motion.smooth),
      ("false-alarms", options.motion.falseAlarms),
    ]
    return numbers.map { name, value in
      ("motion-\(name)", options.device.hasMotionSensor ? Figures.plain(value) : "none")
    }
  }

  private static func timing(_ options: ReplayOptions) -> [(name: String, value: String)] {
    let plain = Figures.plain
    let rules = options.rules
    return [
      ("background-after", plain(options.scenario.backgroundAfter)),
      ("suspend-after", plain(rules.lifecycle.suspendsAfter)),
      ("purge-after", plain(rules.lifecycle.purgesAfter)),
      ("wake-budget", plain(rules.lifecycle.wakeBudget)),
      ("work-time", plain(options.scenario.workTime)),
      ("pause-after", plain(rules.pausesAfter)),
      ("significant-distance", plain(rules.significantDistance)),
      ("significant-interval", plain(rules.significantInterval)),
    ]
  }
}
