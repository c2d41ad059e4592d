// SPDX-License-Identifier: Apache-2.0

/// The costs of a device's parts: receiver, processor, Wi-Fi, sensors, battery. The cellular side is
/// a `NetworkProfile`; a device only names its usual one.
package struct DeviceProfile: Sendable, Equatable {
  /// Whether and when a change of cell reaches the application processor.
  package enum CellEvents: String, Sendable, CaseIterable {
    case awake
    /// Only at the end of a long paging cycle.
    case edrx
    case none
  }

  /// The platform, which decides when the receiver runs, and so which modes an app can have.
  package enum Platform: String, Sendable, CaseIterable {
    /// The system of a phone: an app has only Core Location or its Android counterpart.
    case phone
    /// A host that runs milepostd itself.
    case linux
    /// A microcontroller, whose program decides alone.
    case firmware
  }

  /// The system of a phone, which decides when it tells of regions and visits.
  package enum System: String, Sendable, CaseIterable {
    case ios
    /// As Nexus phones with Android 6 were measured.
    case android6
    case android
  }

  /// The processor's state in a session while the receiver acquires.
  ///
  /// A host that reads its receiver byte by byte, as gpsd does, must stay awake. Android's batching lets the processor
  /// sleep until its FIFO is full, not until the first fix (`fused_location.h`). A receiver that raises an interrupt
  /// once it has output lets a microcontroller stop until then (`TX_READY` of a u-blox M10; the events of a modem whose
  /// receiver is a separate core).
  package enum Acquisition: String, Sendable, CaseIterable {
    case awake
    case asleep
  }

  /// Whether receiver and modem have separate radios.
  ///
  /// The nRF91's receiver is time-multiplexed with its LTE modem and receives only while that is idle, asleep
  /// or off; the modem goes first (Nordic, nRF9151 product specification, GPS; "Field verification of GNSS
  /// on the nRF91 Series": no GNSS in connected mode).
  package enum Radio: String, Sendable, CaseIterable {
    case separate
    case shared
  }

  /// What the floor holds.
  package enum Floor: String, Sendable, CaseIterable {
    /// The suspended device; the idle radio of its network is added.
    case parts
    /// A whole phone at rest, measured with its radio camping.
    case whole
  }

  /// The kind of rest of an unused receiver.
  package enum Rest: String, Sendable, CaseIterable, Codable {
    /// The backup supply keeps clock and ephemeris.
    case backup
    /// A USB dongle that goes on running.
    case usbIdle = "usb_idle"
    /// Supply cut; ephemeris and clock are lost, the next start is cold.
    case vbusOff = "vbus_off"
  }

  /// Name of the file, without its ending.
  package let name: String
  /// One line for people.
  package let title: String
  /// Name of the usual network profile.
  package let network: String
  /// `linux` if the profile does not say.
  package let platform: Platform
  /// `ios`, the one that is measured best, if the profile does not say.
  package let phoneSystem: System
  package let cellEvents: CellEvents
  /// `awake` if the profile does not say.
  package let acquisition: Acquisition
  /// `separate` if the profile does not say.
  package let radio: Radio
  /// `parts` if the profile does not say.
  package let floor: Floor
  /// Can be set to false: the same device without its sensor.
  package var hasMotionSensor: Bool
  /// Can be set to another kind of rest for which the profile has a row: a Pi with a switched USB port is
  /// `pi-zero-ublox7` with `.vbusOff`.
  package var gnssWhenOff: Rest
  /// All rows in the order of the file, for `profiles show`.
  package var numbers: [ProfileNumber] { values.rows }

  let values: ProfileNumbers

  /// Whether the next start after switching off is cold, whatever the age of the ephemeris.
  package var forgetsWhenOff: Bool { gnssWhenOff == .vbusOff }

  /// Whether the receiver goes on at full power once its port is closed: one with a backup supply of which the profile
  /// also says what it takes then. A dongle on USB does so by its kind of rest.
  package var runsOnWhenClosed: Bool {
    gnssWhenOff == .backup && values.has("gnss", Rest.usbIdle.rawValue)
  }

  /// Joules that a receiver saves that sleeps for `seconds`, and would else go on at full power; `nil` if the profile
  /// does not know both.
  package func sleepSaving(seconds: Double) -> EnergyRange? {
    guard runsOnWhenClosed else { return nil }
    let (on, asleep) = (
      values["gnss", Rest.usbIdle.rawValue, "power"], values["gnss", Rest.backup.rawValue, "power"]
    )
    // Profiles state milliwatts.
    let kiloseconds = seconds / 1_000
    return EnergyRange(
      nominal: (on.nominal - asleep.nominal) * kiloseconds,
      low: max(0, on.low - asleep.high) * kiloseconds, high: (on.high - asleep.low) * kiloseconds)
  }

  /// Whether it matters to its energy whether the device moves or lies still.
  package var tellsMovement: Bool {
    values.has("gnss", "track_still") || values.has("soc", "moving")
  }

  /// Joules of the full battery.
  package var battery: Quantity { values["battery", "capacity", "energy"] }

  /// Seconds after which an acquisition is given up.
  package var acquisitionTimeout: Quantity { values["gnss", "timeout", "duration"] }

  /// The device's stated TTFF under open sky, seconds.
  package func statedTimeToFirstFix(_ start: ReceiverStart) -> Quantity {
    values["gnss", start.state.rawValue, "duration"]
  }

  /// The figures of the motion sensor; `nil` without one.
  package var motion: MotionFigures? { hasMotionSensor ? MotionFigures(values) : nil }

  /// Whether the profile has Wi-Fi rows.
  package var hasWiFi: Bool { values.has("wifi") }

  /// The duration of a Wi-Fi transfer of `bytes` bytes, from the request to the last byte, seconds, nominal; 0
  /// without Wi-Fi.
  package func wifiTransferDuration(of bytes: Int) -> Double {
    hasWiFi ? LinkShape.wifi.transferDuration(of: bytes, component: "wifi", values) : 0
  }

  /// Seconds for which a position of the network keeps the processor awake, nominal; 0 if the profile does not say.
  package var locateTime: Double { values["soc", "locate", "duration"].nominal }

  /// Joules of one wake of an app.
  package var wakeEnergy: EnergyRange {
    let (power, time) = (values["soc", "active", "power"], values["soc", "wake", "duration"])
    return EnergyRange(
      nominal: power.nominal * time.nominal / 1_000, low: power.low * time.low / 1_000,
      high: power.high * time.high / 1_000)
  }

  /// Seconds for which Wi-Fi stays up behind a small transfer, nominal; 0 without Wi-Fi.
  package var wifiTailDuration: Double {
    LinkShape.wifi.tailDuration(component: "wifi", values)
  }

  /// Reads a device profile; throws all of its faults at once. One that names a built-in profile as its `host` has from
  /// that what it does not say itself.
  package static func parse(
    _ bytes: borrowing Span<UInt8>, name: String
  ) throws(ProfileErrors) -> DeviceProfile {
    let text = ProfileText(HostedProfile.whole(bytes).span)
    let hasWiFi = text.numbers.contains { $0.key.component == "wifi" }
    let hasMotion = text.entries["motion"]?.value == "yes"
    var errors = schema(withWiFi: hasWiFi, withMotion: hasMotion).check(text, of: name)
    let rest = text.entries["gnss_when_off"].flatMap { Rest(rawValue: $0.value) }
    if let rest, rest != .vbusOff,
      !text.numbers.contains(where: { $0.key == ProfileKey("gnss", rest.rawValue, "power") })
    {
      errors.append(
        .init(
          key: "gnss,\(rest.rawValue),power",
          "this row is missing (unit mW); gnss_when_off names it"))
    }
    guard errors.isEmpty, let rest,
      let cells = text.entries["cell_events"].flatMap({ CellEvents(rawValue: $0.value) })
    else { throw ProfileErrors(errors: errors) }
    let acquisition = text.entries["acquisition"].flatMap { Acquisition(rawValue: $0.value) }
    let platform = text.entries["platform"].flatMap { Platform(rawValue: $0.value) }
    let system = text.entries["system"].flatMap { System(rawValue: $0.value) }
    let radio = text.entries["radio"].flatMap { Radio(rawValue: $0.value) }
    let floor = text.entries["floor"].flatMap { Floor(rawValue: $0.value) }
    return DeviceProfile(
      name: name, title: text.entries["title"]?.value ?? name,
      network: text.entries["network"]?.value ?? "", platform: platform ?? .linux,
      phoneSystem: system ?? .ios, cellEvents: cells, acquisition: acquisition ?? .awake,
      radio: radio ?? .separate,
      floor: floor ?? .parts, hasMotionSensor: hasMotion, gnssWhenOff: rest,
      values: ProfileNumbers(text.numbers))
  }

  private static func schema(withWiFi: Bool, withMotion: Bool) -> ProfileSchema {
    let rows = ProfileSchema.rows
    var all = rows("battery", "capacity", ["energy"], false)
    all += rows("floor", "suspended", ["power"], false)
    for start in ReceiverStart.allCases {
      all += rows("gnss", start.state.rawValue, ["power", "duration"], false)
    }
    all += rows("gnss", "timeout", ["duration"], false)
    for state in ["search_backoff", "track_good", "track_poor", "powersave"] {
      all += rows("gnss", state, ["power"], false)
    }
    for state in Rest.allCases { all += rows("gnss", state.rawValue, ["power"], true) }
    all += rows("gnss", "track_still", ["power"], true) + rows("gnss", "hibernate", ["power"], true)
    all += rows("gnss", "linger", ["power", "duration"], true)
    for state in ["awake_idle", "active"] { all += rows("soc", state, ["power"], false) }
    for impulse in ["launch", "wake", "delivery", "cell_wake"] {
      all += rows("soc", impulse, ["duration"], false)
    }
    all += rows("sensor", "motion", ["power"], false)
    all += rows("sensor", "motion", MotionFigures.quantities, !withMotion)
    all += rows("flash", "commit", ["energy"], false)
    all += rows("soc", "moving", ["power"], true)
    all += rows("soc", "locate", ["duration"], true)
    let wifi =
      rows("wifi", "scan", ["power", "duration"], false)
      + LinkShape.wifi.rows(component: "wifi", withIdle: false)
    all += wifi.map { row in
      var row = row
      row.isOptional = !withWiFi
      return row
    }
    return ProfileSchema(
      texts: [
        .init(key: "name"), .init(key: "title"),
        .init(key: "host", allowed: ProfileLibrary.devices, isOptional: true),
        .init(key: "network"),
        .init(key: "platform", allowed: Platform.allCases.map(\.rawValue), isOptional: true),
        .init(key: "system", allowed: System.allCases.map(\.rawValue), isOptional: true),
        .init(key: "cell_events", allowed: CellEvents.allCases.map(\.rawValue)),
        .init(key: "motion", allowed: ["yes", "no"]),
        .init(
          key: "acquisition", allowed: Acquisition.allCases.map(\.rawValue), isOptional: true),
        .init(key: "radio", allowed: Radio.allCases.map(\.rawValue), isOptional: true),
        .init(key: "floor", allowed: Floor.allCases.map(\.rawValue), isOptional: true),
        .init(key: "gnss_when_off", allowed: Rest.allCases.map(\.rawValue)),
      ], rows: all)
  }
}
