// SPDX-License-Identifier: Apache-2.0

import DeviceWatch
import LocationModel
import ServiceContract
import Synchronization

extension SinkKind {
  /// Home Assistant's MQTT discovery.
  static let homeAssistant = SinkKind("homeassistant") { table, directory in
    let login = Login(reading: &table, from: directory)
    let broker = Endpoint.readSetting(
      &table, schemes: [.mqtt, .mqtts],
      meaning: "where Home Assistant's broker is, as in mqtts://HOST")
    return HomeAssistantSink(broker, login, reading: &table)
  }
}

/// A device in Home Assistant, with the messages of `HomeAssistantDevice`.
final class HomeAssistantSink: Sink {
  /// The messages sent already.
  private struct Told {
    /// The UTC day of the last discovery message: once a day, since a broker may have lost its retained ones.
    var day: Substring?
    /// The time of the shown position, and that at which the last event was decided: a departure comes with a position
    /// from before an exit that was told earlier.
    var location: UTCInstant?
    var event: UTCInstant?
  }

  private let access: MQTTAccess
  private let device: HomeAssistantDevice
  private let client: MQTTClient
  private let battery: @Sendable () -> BatteryReading?
  private let told = Mutex(Told())

  init?(
    _ broker: Endpoint?, _ login: Login, reading table: inout SettingsTable,
    battery: @escaping @Sendable () -> BatteryReading? = { MachineBattery.reading() }
  ) {
    var found = HomeAssistantDevice(reading: &table)
    let access = MQTTAccess(
      broker, login, reading: &table, kind: "homeassistant", topic: found?.locationTopic ?? "")
    let isHeld = access?.isHeld ?? false
    found?.hasAvailability = isHeld
    guard let access, let device = found else { return nil }
    self.access = access
    self.device = device
    self.battery = battery
    client = access.client(
      subscribing: isHeld ? [device.birthTopic] : [],
      greeting: [device.availability(isOnline: true)],
      will: { device.availability(isOnline: false) },
      react: { arrival in
        // Home Assistant has started: it may not have found the retained messages.
        guard arrival.topic == device.birthTopic, arrival.payload == Array("online".utf8),
          !arrival.isRetained
        else { return MQTTReaction() }
        return MQTTReaction(replies: [device.config])
      })
  }

  func fault() -> String? { access.login.fault() }

  func send(
    deliveries: [PendingDelivery], arrived: @escaping @Sendable (UInt64) -> Void
  ) async throws(SinkError) -> SinkReceipt {
    let (messages, next) = news(of: deliveries)
    // All of it is older than the shown data: no connection is made, and no radio is switched on.
    guard !messages.isEmpty else { return SinkReceipt() }
    // Home Assistant listens to the rest only once it has read what there is.
    let introduces = messages.first?.topic == device.configTopic
    let receipt = try access.receipt(
      for: await client.publish(messages, arrived: arrived), messages,
      expectsSilence: { introduces && $0 != device.configTopic })
    told.withLock { $0 = next }
    return receipt
  }

  /// Sends the discovery message, which is no position.
  func probe() async throws(SinkError) -> String {
    let messages = [device.config]
    return try access.sentence(
      for: await client.publish(messages), messages, topic: device.configTopic)
  }

  /// The new messages of a batch: discovery once a day, the newest event, the newest position; each has the number of
  /// the batch's last delivery, since it stands for all of them.
  private func news(of deliveries: [PendingDelivery]) -> ([MQTTMessage], Told) {
    var next = told.withLock { $0 }
    guard let last = deliveries.last else { return ([], next) }
    var messages: [MQTTMessage] = []
    let day = last.received.day
    if day != next.day { messages.append(device.config) }
    next.day = day
    let byTime = deliveries.sorted {
      ($0.measured, $0.delivery.sequence) < ($1.measured, $1.delivery.sequence)
    }
    let isNewer = { (time: UTCInstant, shown: UTCInstant?) in shown.map { time >= $0 } ?? true }
    let newestEvent = deliveries.filter { $0.delivery.event != nil }.max {
      ($0.received, $0.delivery.sequence) < ($1.received, $1.delivery.sequence)
    }
    if let newest = newestEvent, isNewer(newest.received, next.event),
      let event = device.event(newest)
    {
      messages.append(event)
      next.event = newest.received
    }
    if let newest = byTime.last, isNewer(newest.measured, next.location) {
      messages.append(device.location(newest, battery: battery()))
      next.location = newest.measured
    }
    for part in messages.indices {
      messages[part].origin = .init(number: last.delivery.sequence, part: part)
    }
    return (messages, next)
  }
}
