// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract

// Theory
// ======
//
// Topics, qualities and retained flags are those of OwnTracks' apps [doc: owntracks.org/booklet/tech/json; source:
// owntracks/android, DefaultsProvider.kt]:
//
//     owntracks/USER/DEVICE          positions, quality 1, retained: who subscribes later sees the last one
//     owntracks/USER/DEVICE/event    transitions, quality 1, not retained
//     owntracks/USER/DEVICE/waypoints  the regions that are monitored, behind the first batch and after each change,
//                                    and in answer to the command `waypoints`; quality 0
//     owntracks/USER/DEVICE/status   the answer to the command `status`, quality 0
//     owntracks/USER/DEVICE/cmd      what is asked of us, where `commands = true`
//
// The last will is published on the topic of positions and is never retained: it would replace the last position. There
// is one only if the connection is held: otherwise every broken connection would report a lost device.
//
// The list of regions is sent without an acknowledgement, as by the apps: a broker that accepts our positions but not
// our regions must not block the positions. It follows the positions of a batch, and is repeated until one was
// accepted.
//
// A retained command is ignored: its time is unknown, and it would come with each connection.

/// OwnTracks over MQTT.
final class OwnTracksMQTTSink: ListeningSink, RegionSink {
  private let access: MQTTAccess
  private let device: OwnTracksDevice
  private let regions: ToldRegions
  private let client: MQTTClient

  /// Reads `commands` and the settings of `MQTTAccess`; `nil` if there is no device.
  init?(
    _ broker: Endpoint, _ login: Login, _ device: OwnTracksDevice?,
    reading table: inout SettingsTable
  ) {
    let hearsCommands = table.bool("commands") ?? false
    let topic = device?.topic ?? ""
    let access = MQTTAccess(broker, login, reading: &table, kind: "owntracks", topic: topic)
    guard let access, let device else { return nil }
    self.access = access
    self.device = device
    let regions = ToldRegions()
    self.regions = regions
    client = access.client(
      subscribing: hearsCommands ? [topic + "/cmd"] : [],
      will: {
        Self.message(.lastWill(since: MQTTAccess.now), device, key: try? device.key(), quality: 0)
      },
      react: { Self.reaction(to: $0, device, regions) })
  }

  func fault() -> String? {
    access.login.fault() ?? SinkError.message { () throws(SinkError) in _ = try device.key() }
  }

  func send(
    deliveries: [PendingDelivery], arrived: @escaping @Sendable (UInt64) -> Void
  ) async throws(SinkError) -> SinkReceipt {
    let key = try device.key()
    var messages: [MQTTMessage] = []
    for pending in deliveries {
      let told = OwnTracksMessage.messages(
        for: pending, fallbackAccuracy: device.fallbackAccuracy,
        tellsTransitions: device.tellsTransitions)
      for (part, message) in told.enumerated() {
        let origin = MQTTMessage.Origin(number: pending.delivery.sequence, part: part)
        messages.append(Self.message(message, device, key: key, origin: origin))
      }
    }
    let news = regions.news
    if let news {
      messages.append(Self.message(.waypoints(news), device, key: key, quality: 0))
    }
    let receipt = try access.receipt(
      for: await client.publish(messages, arrived: arrived), messages)
    if let news { regions.told(news) }
    return receipt
  }

  func monitors(_ regions: [MonitoredRegion]) { self.regions.monitors(regions) }

  /// Publishes nothing: anything but a position on the device's topic would be a message of the device too.
  func probe() async throws(SinkError) -> String {
    _ = try device.key()
    return try access.sentence(for: await client.publish([]), [], topic: device.topic)
  }

  func listen(_ hear: @escaping @Sendable (SinkRequest) -> Void) { client.listen(hear) }

  private static func message(
    _ message: OwnTracksMessage, _ device: OwnTracksDevice, key: OwnTracksKey?,
    quality: Int32 = 1, origin: MQTTMessage.Origin? = nil
  ) -> MQTTMessage {
    let plain = message.json(from: device)
    let isRetained = if case .location = message { true } else { false }
    return MQTTMessage(
      device.topic + message.topicEnding, key?.sealed(plain) ?? plain, quality: quality,
      isRetained: isRetained, origin: origin)
  }

  private static func reaction(
    to arrival: MQTTArrival, _ device: OwnTracksDevice, _ regions: ToldRegions
  ) -> MQTTReaction {
    var reaction = MQTTReaction()
    guard !arrival.isRetained, let key = try? device.key() as OwnTracksKey?? else {
      return reaction
    }
    for command in OwnTracksAnswer.requests(in: arrival.payload, key: key) {
      switch command {
      case .reportLocation: reaction.requests.append(.reportLocation)
      case .changeRegions(let changes): reaction.requests.append(.changeRegions(changes))
      case .waypoints:
        reaction.replies.append(
          message(.waypoints(regions.present), device, key: key, quality: 0))
      case .status:
        let status = OwnTracksMessage.status(.init(waiting: nil, time: MQTTAccess.now))
        reaction.replies.append(message(status, device, key: key, quality: 0))
      }
    }
    return reaction
  }
}
