// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import LocationModel
import ServiceContract

extension SinkKind {
  /// Batches of GeoJSON, in the form of the app Overland.
  static let overland = SinkKind("overland") { table, directory in
    let reading = HTTPSink.Reading(&table, from: directory)
    let device = table.string("device")
    let takesAnyAnswer = table.bool("any_answer") ?? false
    if !table.states("device") {
      table.noteProblem(at: "device", "missing; say under which name the device appears")
    }
    guard let reading, let device else { return nil }
    return reading.sink(Overland(device: device, takesAnyAnswer: takesAnyAnswer))
  }
}

/// Overland's format [doc: its README]: a batch is one POST, and is accepted if the answer says `"result":"ok"`.
struct Overland: HTTPFormat {
  let device: String
  /// Whether an answer of 2xx is a sufficient receipt.
  let takesAnyAnswer: Bool
  /// The app's maximum, unless its user sets another.
  let parcel = 200
  let isSilentAboutBadMessages = true

  func requests(for deliveries: ArraySlice<PendingDelivery>, with secrets: Secrets) -> [HTTPRequest]
  {
    [request(deliveries, with: secrets)]
  }

  private func request(
    _ deliveries: ArraySlice<PendingDelivery>, with secrets: Secrets
  ) -> HTTPRequest {
    var json = JSONWriter()
    json.object { json in
      json.key("locations")
      json.array { json in
        for pending in deliveries {
          for (index, told) in pending.positions.enumerated() {
            encode(told: told, of: pending, number: index, to: &json)
          }
        }
      }
    }
    return HTTPRequest(
      "POST", secrets.url,
      headers: [.init("Content-Type", "application/json")] + secrets.headers, body: json.bytes)
  }

  func fault(inReceipt answer: HTTPAnswer, at place: String) -> SinkError? {
    guard !takesAnyAnswer else { return nil }
    let said = answer.cut != nil ? nil : try? JSONValue.parse(answer.body.span)
    return said?["result"]?.string == "ok"
      ? nil : AnswerMeaning.noReceipt(answer, at: place, wanted: #"{"result":"ok"}"#)
  }

  // Sends an empty batch.
  func probe(
    _ session: borrowing HTTPSession, with secrets: Secrets, at place: String
  ) throws(SinkError) -> String {
    let answer = try session.ask(request([], with: secrets), at: place)
    if let fault = AnswerMeaning.fault(ofTrial: answer, at: place) { throw fault }
    return "\(place) answered \(AnswerMeaning.words(of: answer)) to an empty batch"
  }

  private func encode(
    told: ToldPosition, of pending: PendingDelivery, number: Int, to json: inout JSONWriter
  ) {
    json.object { json in
      json.member("type", "Feature")
      // RFC 7946, section 3.2: the same at each repetition of the event.
      json.member("id", pending.identity(ofPosition: number))
      json.key("geometry")
      json.object { json in
        json.member("type", "Point")
        json.key("coordinates")
        json.array { json in
          json.number(told.coordinate.longitude, decimals: 7)
          json.number(told.coordinate.latitude, decimals: 7)
        }
      }
      json.key("properties")
      json.object { json in
        if case .stay = told.kind { json.member("action", "visit") }
        json.member("timestamp", told.time.wholeSecondText)
        switch told.kind {
        case .fix: encode(fix: pending.delivery.fix, to: &json)
        case .stay(let stay):
          json.member("arrival_date", stay.arrival?.wholeSecondText)
          json.member("departure_date", stay.departure?.wholeSecondText)
          encode([("horizontal_accuracy", told.accuracy)], to: &json)
        case .still:
          encode([("horizontal_accuracy", told.accuracy)], to: &json)
          json.key("motion")
          json.array { $0.string("stationary") }
          if pending.isHeartbeat {
            json.member("position_timestamp", pending.moment.wholeSecondText)
          }
        }
        json.member("device_id", device)
      }
    }
  }

  /// Unknown values are left out: the app writes −1, which not every server recognizes.
  private func encode(fix: Fix, to json: inout JSONWriter) {
    encode(
      [
        ("altitude", fix.altitude), ("speed", fix.speed), ("course", fix.course),
        ("horizontal_accuracy", fix.horizontalAccuracy),
        ("vertical_accuracy", fix.verticalAccuracy),
      ], to: &json)
  }

  private func encode(_ members: [(String, Double?)], to json: inout JSONWriter) {
    for (name, value) in members {
      if let value, value.isFinite { json.member(name, value, decimals: 2) }
    }
  }
}

extension UTCInstant {
  /// `2026-11-22T23:59:59Z`, rounded down: the form that all readers of Overland's batches accept.
  var wholeSecondText: String {
    UTCInstant(microseconds: wholeSeconds * 1_000_000).rfc3339.replacing(".000Z", with: "Z")
  }
}
