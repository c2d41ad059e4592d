// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import LocationModel
import RadioPower
import Replay

extension HostileReader {
  static let energy = [
    profile, activityLog, powerTrace, powerProfile, batteryStats, towerList,
  ]

  /// A profile of a device or a network, with which a session is metered. Promised: a range has its ends in order.
  private static let profile = HostileReader("profile", limit: 16_384, of: ["RadioPower"]) {
    bytes in
    switch try? ProfileFile.parse(bytes.span, name: "x") {
    case .device(let device)?:
      let network = try? ProfileLibrary.network(named: device.network)
      try meter([], device, network.flatMap(\.self))
      _ = (device.motion, device.hasWiFi, device.wifiTailDuration, device.acquisitionTimeout)
    case .network(let network)?:
      guard let device = try ProfileLibrary.device(named: ProfileLibrary.defaultDevice) else {
        return
      }
      try meter([], device, network)
      _ = (network.tailDuration, network.frame, network.isCellular)
    case nil: break
    }
  }

  /// A log of radio activity. Promised: the log is metered, in ranges with their ends in order.
  private static let activityLog = HostileReader("activity-log", of: ["RadioPower", "JSONText"]) {
    bytes in
    guard let device = try ProfileLibrary.device(named: ProfileLibrary.defaultDevice) else {
      return
    }
    var reader = ActivityLogReader()
    var activities: [Activity] = []
    do throws(InputError) {
      for piece in bytes.pieces { try reader.decode(piece.span, into: &activities) }
      try reader.finish(into: &activities)
    } catch {
      try promise(!error.message.isEmpty, "refused without a word")
    }
    let network = try ProfileLibrary.network(named: device.network)
    try meter(activities, device, network)
  }

  private static func meter(
    _ activities: [Activity], _ device: DeviceProfile, _ network: NetworkProfile?
  ) throws {
    var meter = EnergyMeter(device: device, network: network)
    for activity in activities { meter.record(activity) }
    let end = (activities.last?.at ?? .zero).advanced(bySeconds: 60)
    meter.finish(at: end)
    let total = meter.report().total
    try promise(
      total.low <= total.nominal && total.nominal <= total.high,
      "\(total.low), \(total.nominal), \(total.high) J")
  }

  /// A power analyser's CSV. Promised: the measured time is no longer than the recording.
  private static let powerTrace = HostileReader("power-trace", of: ["RadioPower"]) { bytes in
    var reader = PowerTraceReader(volts: bytes.count % 2 == 0 ? 3.7 : nil)
    do {
      for piece in bytes.pieces { try reader.decode(piece.span) }
      let trace = try reader.finishTrace()
      try promise(
        trace.measuredSeconds <= (trace.end - trace.start) * (1 + 1e-9) + 1e-9,
        "\(trace.measuredSeconds) s measured in \(trace.end - trace.start) s")
    } catch let error as InputError {
      try promise(!error.message.isEmpty, "refused without a word")
    }
  }

  /// An Android power profile.
  private static let powerProfile = HostileReader(
    "power-profile", of: ["AndroidPowerProfile"]
  ) { bytes in
    do {
      for number in try PowerProfileXML(bytes.span).numbers(volts: 3.85) {
        let value = number.value
        try promise(
          value.low <= value.nominal && value.nominal <= value.high, "\(number) is no range")
      }
    } catch let error as InputError {
      try promise(!error.message.isEmpty, "refused without a word")
    }
  }

  /// The output of `dumpsys batterystats`.
  private static let batteryStats = HostileReader(
    "battery-stats", of: ["AndroidPowerProfile"]
  ) { bytes in
    let text = bytes.text
    _ = BatteryStatsDump.recognises(text)
    do {
      for number in try BatteryStatsDump(text).numbers(volts: 3.85) {
        let value = number.value
        try promise(
          value.low <= value.nominal && value.nominal <= value.high, "\(number) is no range")
      }
    } catch let error as InputError {
      try promise(!error.message.isEmpty, "refused without a word")
    }
  }

  /// A list of cell towers near a place in Germany.
  private static let towerList = HostileReader("tower-list", of: ["RadioWorld"]) { bytes in
    var area = TrackArea()
    area.include(Coordinate(clampingLatitude: 50.17, wrappingLongitude: 10.95))
    var decoder = TowerListDecoder(near: area)
    do {
      for piece in bytes.pieces { try decoder.decode(piece.span) }
      let found = try decoder.finishList()
      try promise(found.networks.count <= found.read, "\(found.networks) of \(found.read) lines")
    } catch let error as InputError {
      try promise((error.line ?? 0) > 0 && !error.message.isEmpty, "refused without a word")
    }
  }
}
