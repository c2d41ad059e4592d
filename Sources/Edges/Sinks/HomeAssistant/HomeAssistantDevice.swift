// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import LocationModel
import ServiceContract

// Theory
// ======
//
// Home Assistant's MQTT discovery [doc: home-assistant.io/integrations/mqtt, "Device discovery payload",
// release 2024.11 and later]: one retained message under PREFIX/device/ID/config names a device and its components,
// and Home Assistant makes the entities. Ours:
//
//     PREFIX/device/milepost_ID/config   what there is; retained
//     milepost/ID/location               position and figures, as JSON; retained
//     milepost/ID/event                  the last event at a place, as JSON; retained
//     milepost/ID/availability           online, offline; retained; only where the connection is held
//
// - The tracker has `json_attributes_topic` and no `state_topic`: Home Assistant finds the zone by latitude and
//   longitude, and would show our state in its place (besides, the option is deprecated).
// - It shows the present and ignores the time of a position, so only the newest one of a batch is sent, and none that
//   is older than the last one: a cached position, or one that waited for the network.
// - A sensor whose value is null is shown as unknown: Home Assistant's template turns it into `None`, which means that
//   to an MQTT sensor.
// - Availability is sent only on a held connection: otherwise it would only say that we are asleep.

/// A device in Home Assistant.
struct HomeAssistantDevice: Sendable, Equatable {
  /// Letters, digits, `_` and `-`: a part of topics and of unique ids.
  let id: String
  /// The name for people.
  let name: String
  /// The prefix of Home Assistant's discovery topics; `homeassistant` unless configured otherwise.
  var prefix: String = "homeassistant"
  /// The substitute for an unknown accuracy, metres: Home Assistant takes a missing one for 0.
  var fallbackAccuracy: Double?
  var hasAvailability = false

  var configTopic: String { "\(prefix)/device/milepost_\(id)/config" }
  var locationTopic: String { "milepost/\(id)/location" }
  var eventTopic: String { "milepost/\(id)/event" }
  var availabilityTopic: String { "milepost/\(id)/availability" }
  /// The topic on which Home Assistant publishes `online` after its start.
  var birthTopic: String { "\(prefix)/status" }
}

// MARK: Discovery

extension HomeAssistantDevice {
  /// One sensor beside the tracker.
  private struct Sensor {
    /// The member of the JSON that holds its value, and its part of the unique id.
    let key: String
    let name: String
    var topic: String
    var deviceClass: String?
    var unit: String?
    /// Whether its history is worth a chart.
    var isMeasured = false
  }

  private var sensors: [Sensor] {
    [
      Sensor(key: "event", name: "Last event", topic: eventTopic),
      Sensor(key: "time", name: "Last position", topic: locationTopic, deviceClass: "timestamp"),
      Sensor(
        key: "speed", name: "Speed", topic: locationTopic, deviceClass: "speed", unit: "m/s",
        isMeasured: true),
      Sensor(
        key: "battery", name: "Battery", topic: locationTopic, deviceClass: "battery", unit: "%",
        isMeasured: true),
    ]
  }

  /// The discovery message; retained.
  var config: MQTTMessage {
    var json = JSONWriter()
    json.object { json in
      json.key("device")
      json.object { json in
        json.key("identifiers")
        json.array { $0.string("milepost_\(id)") }
        json.member("name", name)
        json.member("manufacturer", "Milepost")
        json.member("model", "milepostd")
        json.member("sw_version", Release.version)
      }
      json.key("origin")
      json.object { json in
        json.member("name", "Milepost")
        json.member("sw_version", Release.version)
      }
      json.key("components")
      json.object { json in
        json.key("location")
        json.object { writeTracker(to: &$0) }
        for sensor in sensors {
          json.key(sensor.key)
          json.object { encode(sensor: sensor, to: &$0) }
        }
      }
      if hasAvailability { json.member("availability_topic", availabilityTopic) }
      json.member("qos", 1)
    }
    return MQTTMessage(configTopic, json.bytes, isRetained: true)
  }

  private func writeTracker(to json: inout JSONWriter) {
    json.member("platform", "device_tracker")
    json.member("unique_id", "milepost_\(id)_location")
    // Without its own name it has the device's.
    json.key("name")
    json.null()
    json.member("json_attributes_topic", locationTopic)
    json.member("source_type", "gps")
  }

  private func encode(sensor: Sensor, to json: inout JSONWriter) {
    json.member("platform", "sensor")
    json.member("unique_id", "milepost_\(id)_\(sensor.key)")
    json.member("name", sensor.name)
    json.member("state_topic", sensor.topic)
    json.member("value_template", "{{ value_json.\(sensor.key) }}")
    if let deviceClass = sensor.deviceClass { json.member("device_class", deviceClass) }
    if let unit = sensor.unit { json.member("unit_of_measurement", unit) }
    if sensor.isMeasured { json.member("state_class", "measurement") }
    if sensor.topic == eventTopic { json.member("json_attributes_topic", eventTopic) }
  }

  func availability(isOnline: Bool) -> MQTTMessage {
    MQTTMessage(
      availabilityTopic, Array((isOnline ? "online" : "offline").utf8), isRetained: true)
  }
}

// MARK: What is shown

extension HomeAssistantDevice {
  /// A position as attributes of the tracker and values of the sensors.
  func location(_ pending: PendingDelivery, battery: BatteryReading?) -> MQTTMessage {
    let delivery = pending.delivery
    let fix = delivery.fix
    var json = JSONWriter()
    json.object { json in
      json.member("latitude", fix.coordinate.latitude, decimals: 6)
      json.member("longitude", fix.coordinate.longitude, decimals: 6)
      if let accuracy = fix.horizontalAccuracy ?? fallbackAccuracy {
        json.member("gps_accuracy", accuracy, decimals: 1)
      }
      json.member("time", pending.moment.rfc3339)
      json.member("sent", pending.received.rfc3339)
      // The sensor exists in any case, so null means unknown.
      json.member("speed", fix.speed, decimals: 1)
      if let course = fix.course { json.member("course", course, decimals: 0) }
      if let altitude = fix.altitude { json.member("altitude", altitude, decimals: 1) }
      json.key("battery")
      json.integer(battery.map { Int($0.percent.rounded()) })
      if let battery { json.member("battery_charging", battery.isCharging) }
      json.member("service", delivery.service.rawValue)
      json.member("sequence", Int(delivery.sequence))
    }
    return MQTTMessage(locationTopic, json.bytes, isRetained: true)
  }

  /// The event at a place; `nil` if the position itself is the news.
  func event(_ pending: PendingDelivery) -> MQTTMessage? {
    guard let event = pending.delivery.event else { return nil }
    let words =
      switch event {
      case .entered(let region): "entered \(region)"
      case .exited(let region): "left \(region)"
      case .arrived, .departed: event.name
      }
    var json = JSONWriter()
    json.object { json in
      // A state holds 255 characters at most [doc: home-assistant.io/docs/configuration/state_object].
      json.member("event", String(words.prefix(255)))
      if let region = event.region { json.member("region", region) }
      json.member("time", pending.moment.rfc3339)
      json.member("sequence", Int(pending.delivery.sequence))
    }
    return MQTTMessage(eventTopic, json.bytes, isRetained: true)
  }
}

extension HomeAssistantDevice {
  init?(reading table: inout SettingsTable) {
    let device = table.string("device")
    let name = table.string("name")
    let prefix = table.string("discovery_prefix") ?? "homeassistant"
    fallbackAccuracy = table.number("unknown_accuracy_m", in: 1...100_000, unit: "metres")
    if !table.states("device") {
      table.noteProblem(
        at: "device", "missing; say under which name topics and ids know the device, as in van")
    }
    if let device, !Self.isID(device) {
      table.noteProblem(
        at: "device", "'\(SettingsTable.shortened(device))' is not 1 to 64 letters, digits, _ or -")
    }
    let levels = prefix.split(separator: "/", omittingEmptySubsequences: false)
    let isTopic = levels.allSatisfy { !$0.isEmpty && !$0.contains { "+# ".contains($0) } }
    if !isTopic {
      table.noteProblem(
        at: "discovery_prefix",
        "'\(SettingsTable.shortened(prefix))' is no topic; say what Home Assistant's MQTT settings say, "
          + "which is homeassistant unless it was changed")
    }
    guard let device, Self.isID(device), isTopic else { return nil }
    id = device
    self.name = name ?? device
    self.prefix = prefix
  }

  private static func isID(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}
