// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel
import ServiceContract

extension SinkKind {
  /// OwnTracks' messages; the URL's scheme selects HTTP or MQTT.
  static let ownTracks = SinkKind("owntracks") { table, directory in
    let endpoint = Endpoint.readSetting(
      &table, schemes: [.http, .https, .mqtt, .mqtts],
      meaning: "where the server is, as in https://maps.example/pub or mqtts://broker.example")
    let login = Login(reading: &table, from: directory)
    let device = OwnTracksDevice(reading: &table, login: login, from: directory)
    if let endpoint, endpoint.scheme == .mqtt || endpoint.scheme == .mqtts {
      return OwnTracksMQTTSink(endpoint, login, device, reading: &table)
    }
    // Which of the two it is meant to be is unknown without a URL: neither's keys are doubted then.
    if endpoint == nil { _ = MQTTAccess(nil, login, reading: &table, kind: "", topic: "") }
    let onlyNewest = table.bool("only_newest") ?? false
    let hearsCommands = table.bool("commands") ?? false
    guard let endpoint, let device else { return nil }
    login.check(for: endpoint, &table)
    return HTTPSink(
      endpoint, login: login, onlyNewest: onlyNewest,
      format: OwnTracksHTTP(device: device, endpoint: endpoint, hearsCommands: hearsCommands))
  }
}

// Theory
// ======
//
// One message is one POST [doc: owntracks.org/booklet/tech/http]. All servers answer 200 to nearly everything: the
// Recorder stores garbage and answers `[]`; Home Assistant answers `[]` to messages that it drops. Distinguishable
// cases are reported: an empty body of Home Assistant means that it knows no such webhook (it answers 200 to hide which
// ones exist [source: components/webhook]), and a page in place of JSON comes from a server in between.
//
// An answer may hold commands. As in OwnTracks' app for Android [source: MessageProcessor.kt], those about regions are
// obeyed if the user allows it. The monitored regions are then posted as `waypoints` to the same place: on request,
// after the first batch, and after a change. The position may be requested in any case: the other side receives it
// anyway.

/// OwnTracks' messages over HTTP.
struct OwnTracksHTTP: HTTPFormat {
  let device: OwnTracksDevice
  let endpoint: Endpoint
  /// Whether the other side may request and set regions.
  let hearsCommands: Bool
  private let regions = ToldRegions()

  /// Home Assistant's probe is a GET.
  var isSilentAboutBadMessages: Bool { !isHomeAssistant }

  /// Whether its URL is Home Assistant's.
  private var isHomeAssistant: Bool { endpoint.path.contains("/api/webhook/") }

  func key() throws(SinkError) -> OwnTracksKey? { try device.key() }

  func requests(for deliveries: ArraySlice<PendingDelivery>, with secrets: Secrets) -> [HTTPRequest]
  {
    deliveries.flatMap {
      OwnTracksMessage.messages(
        for: $0, fallbackAccuracy: device.fallbackAccuracy,
        tellsTransitions: device.tellsTransitions)
    }.map { request($0, with: secrets) }
  }

  private func request(_ message: OwnTracksMessage, with secrets: Secrets) -> HTTPRequest {
    let plain = message.json(from: device, topic: device.topic + message.topicEnding)
    return HTTPRequest(
      "POST", secrets.url,
      headers: [
        .init("Content-Type", "application/json"), .init("X-Limit-U", device.user),
        .init("X-Limit-D", device.device),
      ] + secrets.headers, body: secrets.key?.sealed(plain) ?? plain)
  }

  func fault(inReceipt answer: HTTPAnswer, at place: String) -> SinkError? {
    if isHomeAssistant, answer.body.isEmpty {
      return SinkError(
        "Home Assistant at \(place) knows no such webhook, or takes it from its own network only "
          + "(an empty \(answer.status)); see url", .refused)
    }
    let first = answer.body.first { $0 > 0x20 }
    return first == UInt8(ascii: "<")
      ? AnswerMeaning.noReceipt(answer, at: place, wanted: "JSON") : nil
  }

  func commands(in answer: HTTPAnswer, with secrets: Secrets) -> [SinkRequest] {
    OwnTracksAnswer.requests(in: answer.body, key: secrets.key).compactMap { command in
      switch command {
      case .reportLocation: return .reportLocation
      case .changeRegions(let changes): return hearsCommands ? .changeRegions(changes) : nil
      case .waypoints:
        if hearsCommands { regions.wereAsked() }
        return nil
      // Each position contains that information already.
      case .status: return nil
      }
    }
  }

  func notes(on deliveries: [PendingDelivery], at place: String) -> [String] {
    guard isHomeAssistant, device.fallbackAccuracy == nil,
      deliveries.contains(where: { $0.delivery.fix.horizontalAccuracy == nil })
    else { return [] }
    return [
      "Home Assistant at \(place) answers 200 and drops a position without an accuracy; say unknown_accuracy_m"
    ]
  }

  func epilogue(with secrets: Secrets) -> HTTPEpilogue? {
    guard hearsCommands, let news = regions.news else { return nil }
    return HTTPEpilogue(request: request(.waypoints(news), with: secrets)) { [regions] in
      regions.told(news)
    }
  }

  func monitors(_ regions: [MonitoredRegion]) { self.regions.monitors(regions) }

  // Sends a last will: it is no position, and servers that know it ignore it over HTTP.
  func probe(
    _ session: borrowing HTTPSession, with secrets: Secrets, at place: String
  ) throws(SinkError) -> String {
    if isHomeAssistant { return try webhookProbe(session, with: secrets, at: place) }
    let answer = try session.ask(request(.lastWill(since: .epoch), with: secrets), at: place)
    if let fault = AnswerMeaning.fault(ofTrial: answer, at: place) { throw fault }
    if let fault = fault(inReceipt: answer, at: place) { throw fault }
    let last = try lastPosition(session, with: secrets, at: place)
    return "\(place) answered \(answer.status)\(last.map { "; \($0)" } ?? "")"
  }

  /// Home Assistant answers 405 to a GET of a webhook that it knows, and 200 to any other.
  private func webhookProbe(
    _ session: borrowing HTTPSession, with secrets: Secrets, at place: String
  ) throws(SinkError) -> String {
    let answer = try session.ask(
      HTTPRequest("GET", secrets.url, headers: secrets.headers), at: place)
    if answer.status == 405 { return "Home Assistant at \(place) knows this webhook" }
    if let fault = AnswerMeaning.fault(of: answer, at: place) { throw fault }
    if let fault = fault(inReceipt: answer, at: place) { throw fault }
    return "\(place) answered \(answer.status)"
  }

  /// The last position of this device in the Recorder's API, if the URL is a Recorder's: the only receipt that can be
  /// read back. `nil` if it is none, or shows nothing to us.
  private func lastPosition(
    _ session: borrowing HTTPSession, with secrets: Secrets, at place: String
  ) throws(SinkError) -> String? {
    guard endpoint.path.hasSuffix("/pub") else { return nil }
    let url =
      secrets.url.dropLast("/pub".count) + "/api/0/last?user="
      + PercentCoding.component(device.user) + "&device=" + PercentCoding.component(device.device)
    let answer = try session.ask(
      HTTPRequest("GET", String(url), headers: secrets.headers), at: place)
    guard answer.status == 200, answer.cut == nil,
      let found = try? JSONValue.parse(answer.body.span)
    else { return nil }
    let topic = device.topic
    // For an unknown device it answers `{}`.
    guard let time = found.array?.first?["tst"]?.number, time.magnitude < 1e12 else {
      return "it has no position of \(topic) yet"
    }
    let instant = UTCInstant(microseconds: Int64(time * 1e6))
    return "its last position of \(topic) is of \(instant.rfc3339)"
  }
}
