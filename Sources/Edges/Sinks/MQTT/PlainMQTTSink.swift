// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import JSONText
import LocationModel
import ServiceContract

extension SinkKind {
  /// Events as MQTT messages under a user-defined topic.
  static let mqtt = SinkKind("mqtt") { table, directory in
    let login = Login(reading: &table, from: directory)
    let broker = Endpoint.readSetting(
      &table, schemes: [.mqtt, .mqtts], meaning: "where the broker is, as in mqtts://HOST")
    let topic = table.string("topic")
    if !table.states("topic") {
      table.noteProblem(at: "topic", "missing; say under which topic events go")
    }
    if let topic, !PlainMQTTSink.isTopic(topic) {
      table.noteProblem(
        at: "topic",
        "'\(SettingsTable.shortened(topic))' is no topic: 1 to 1024 bytes without + and #")
    }
    let payload = table.string("payload")
    for (key, text) in [("topic", topic), ("payload", payload)] {
      guard let text, let fault = EventTemplate.fault(in: text, form: .text) else { continue }
      table.noteProblem(at: key, fault)
    }
    let quality = table.integer("qos", in: 0...1) ?? 1
    let isRetained = table.bool("retain") ?? false
    let access = MQTTAccess(broker, login, reading: &table, kind: "mqtt", topic: topic ?? "")
    guard let access, let topic, PlainMQTTSink.isTopic(topic) else { return nil }
    return PlainMQTTSink(
      access, topic: topic, payload: payload, quality: Int32(quality), isRetained: isRetained)
  }
}

/// Each event as one message, under one topic or one made from a template.
///
/// With `qos = 0` there are no acknowledgements: an event counts as delivered when it is sent.
final class PlainMQTTSink: Sink {
  private let access: MQTTAccess
  private let topic: String
  private let topicTemplate: EventTemplate
  /// `nil`: the message LOCATION in the form for apps.
  private let payload: EventTemplate?
  private let quality: Int32
  private let isRetained: Bool
  private let client: MQTTClient

  /// A `payload` that is JSON once its placeholders are filled is treated as JSON; any other is text.
  init(
    _ access: MQTTAccess, topic: String, payload: String?, quality: Int32, isRetained: Bool
  ) {
    self.access = access
    self.topic = topic
    topicTemplate = EventTemplate(topic, form: .text)
    self.payload = payload.map { text in
      let json = EventTemplate(text, form: .json)
      let isJSON = (try? JSONValue.parse(Array(json.emptied.utf8).span)) != nil
      return isJSON ? json : EventTemplate(text, form: .text)
    }
    self.quality = quality
    self.isRetained = isRetained
    client = access.client()
  }

  func fault() -> String? { access.login.fault() }

  func send(
    deliveries: [PendingDelivery], arrived: @escaping @Sendable (UInt64) -> Void
  ) async throws(SinkError) -> SinkReceipt {
    let messages = deliveries.map { pending in
      MQTTMessage(
        Self.levels(topicTemplate.text(for: pending)), body(of: pending), quality: quality,
        isRetained: isRetained, origin: .init(number: pending.delivery.sequence))
    }
    return try access.receipt(
      for: await client.publish(messages, arrived: arrived), messages)
  }

  private func body(of pending: PendingDelivery) -> [UInt8] {
    if let payload { return Array(payload.text(for: pending).utf8) }
    let line = ServerMessage.handing(pending.delivery, received: pending.received).encode()
    // Without the line feed that ends a line of the protocol.
    return line.last == 0x0A ? Array(line.dropLast()) : line
  }

  /// A topic that may contain a region's name: characters forbidden in topics become `_` (MQTT 5, 4.7).
  static func levels(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0 == "+" || $0 == "#" || $0.value < 0x20 ? "_" : $0 }))
  }

  /// Publishes nothing: the effect of our message there is unknown.
  func probe() async throws(SinkError) -> String {
    try access.sentence(for: await client.publish([]), [], topic: topic)
  }

  /// Whether a text is a valid topic for publishing (MQTT 5, 4.7).
  static func isTopic(_ text: String) -> Bool {
    (1...1_024).contains(text.utf8.count)
      && !text.unicodeScalars.contains { $0 == "+" || $0 == "#" || $0.value < 0x20 }
  }
}
