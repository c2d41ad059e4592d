// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import LocationModel
import ServiceContract

extension SinkKind {
  /// The protocol of OsmAnd, as used by Traccar's servers and their clients up to version 7.
  static let traccar = SinkKind("traccar") { table, directory in
    let reading = HTTPSink.Reading(&table, from: directory)
    let device = table.string("device")
    let isForm = table.word("body", among: ["query", "form"]) == "form"
    if !table.states("device") {
      table.noteProblem(
        at: "device", "missing; say the identifier under which the server knows the device")
    }
    guard let reading, let device else { return nil }
    guard !device.isEmpty else {
      table.noteProblem(at: "device", "'' is no identifier")
      return nil
    }
    return reading.sink(Traccar(device: device, isForm: isForm))
  }
}

// Theory
// ======
//
// A position is one POST, with its values in the query (as Traccar Client 7 sent them), or as a form in the body. The
// newer client's JSON is not supported: each server that accepts it accepts the query too, and some accept only the
// query. 200 comes before the position is stored; 400 is an unknown device, or an invalid value; a message on which the
// server's reader fails is never answered: the connection is closed [source: OsmAndProtocolDecoder].

/// Positions for a Traccar server's port 5055, or another server with its protocol.
struct Traccar: HTTPFormat {
  /// A knot is 1,852 m an hour.
  private static let knotsPerMetrePerSecond = 3_600 / 1_852.0

  let device: String
  /// Whether the values are in the body, and so in no log of a server or proxy.
  let isForm: Bool
  let isSilentAboutBadMessages = true

  func requests(for deliveries: ArraySlice<PendingDelivery>, with secrets: Secrets) -> [HTTPRequest]
  {
    deliveries.flatMap { pending in
      pending.positions.indices.map {
        request(Self.values(of: pending, position: $0, device: device), with: secrets)
      }
    }
  }

  private func request(_ values: [(String, String)], with secrets: Secrets) -> HTTPRequest {
    let text = values.map { "\($0)=\(PercentCoding.component($1))" }.joined(separator: "&")
    if isForm {
      return HTTPRequest(
        "POST", secrets.url,
        headers: [.init("Content-Type", "application/x-www-form-urlencoded")] + secrets.headers,
        body: Array(text.utf8))
    }
    let joint = secrets.url.contains("?") ? "&" : "?"
    return HTTPRequest("POST", secrets.url + joint + text, headers: secrets.headers, body: [])
  }

  /// The values of one of a delivery's positions; names beyond the protocol's become attributes of the position.
  static func values(
    of pending: PendingDelivery, position index: Int, device: String
  ) -> [(String, String)] {
    let told = pending.positions[index]
    let fix = told.kind == .fix ? pending.delivery.fix : nil
    var values = [
      ("id", device), ("timestamp", String(told.time.wholeSeconds)),
      ("lat", Decimal.text(told.coordinate.latitude, decimals: 6)),
      ("lon", Decimal.text(told.coordinate.longitude, decimals: 6)),
    ]
    let numbers: [(String, Double?, Int)] = [
      ("speed", fix?.speed.map { $0 * knotsPerMetrePerSecond }, 2), ("bearing", fix?.course, 1),
      ("altitude", fix?.altitude, 1), ("accuracy", told.accuracy, 1), ("hdop", fix?.hdop, 1),
    ]
    for (name, value, decimals) in numbers {
      guard let value, value.isFinite else { continue }
      values.append((name, Decimal.text(value, decimals: decimals, trimmed: true)))
    }
    values.append(("number", pending.identity(ofPosition: index)))
    if pending.isHeartbeat {
      values += [("event", pending.word), ("measured", String(pending.moment.wholeSeconds))]
    }
    guard let event = pending.delivery.event, index == 0 else { return values }
    values.append(("event", event.word))
    if let region = event.region { values.append(("region", region)) }
    return values
  }

  func fault(of answer: HTTPAnswer, at place: String) -> SinkError? {
    guard answer.status == 400 || answer.status == 404 else {
      return AnswerMeaning.fault(of: answer, at: place)
    }
    return SinkError(
      "\(place) knows no device '\(device)' (\(AnswerMeaning.words(of: answer))); register it there "
        + "under this identifier, or see url", .refused)
  }

  // Uses an identifier that a server can neither know nor register by itself (it accepts \w{3,15}): to a known one
  // without a position it would add its last one again.
  func probe(
    _ session: borrowing HTTPSession, with secrets: Secrets, at place: String
  ) throws(SinkError) -> String {
    let answer = try session.ask(request([("id", "-")], with: secrets), at: place)
    if answer.status == 400 {
      return "\(place) answers; whether it knows '\(device)' shows with the first position"
    }
    if let fault = AnswerMeaning.fault(of: answer, at: place) { throw fault }
    return "\(place) answered \(AnswerMeaning.words(of: answer))"
  }
}
