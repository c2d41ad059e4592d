// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import ServiceContract

@testable import Sinks

extension HostileReader {
  static let answers: [HostileReader] = [sinkAnswer, eventTemplate]

  /// The answer of a server or broker: a line with the status, then the body. Promised: its description fits into a
  /// line.
  private static let sinkAnswer = HostileReader(
    "sink-answer", of: ["Sinks", "JSONText", "ControlProtocol"]
  ) {
    bytes in
    let end = bytes.firstIndex(of: 0x0A) ?? bytes.count
    let words = bytes[..<end].split(separator: 0x20).map { Array($0).text }
    let body = Array(bytes[min(end + 1, bytes.count)...])
    let answer = HTTPAnswer(
      status: words.first.flatMap(Int.init).map { 200 + abs($0 % 400) } ?? 200, body: body,
      retryAfter: words.count > 1 ? Double(words[1]) : nil,
      redirect: words.count > 2 ? words[2] : nil)
    let key = OwnTracksKey(passphrase: "sesame")
    // Both the answer as it came and one sealed with the key.
    for body in [body, key?.sealed(body, nonce: Array(repeating: 7, count: 24)) ?? []] {
      _ = OwnTracksAnswer.requests(in: body, key: key)
    }
    let formats: [any HTTPFormat] = [
      Overland(device: "d", takesAnyAnswer: false), Traccar(device: "d", isForm: false),
    ]
    for format in formats {
      let faults = [
        format.fault(of: answer, at: "x"), format.fault(inReceipt: answer, at: "x"),
        AnswerMeaning.fault(of: answer, at: "x"),
      ]
      for fault in faults.compactMap(\.self) {
        try promise(
          !fault.message.contains("\n") && fault.message.utf8.count < 2_000,
          "'\(fault.message)' is no line")
      }
    }
  }

  /// A user's text with placeholders for an event's values. Promised: JSON stays JSON.
  private static let eventTemplate = HostileReader("event-template", limit: 1_024, of: ["Sinks"]) {
    bytes in
    let fix = Fix(
      time: UTCInstant(microseconds: 1_790_000_000_000_000),
      coordinate: Coordinate(clampingLatitude: 1, wrappingLongitude: 2))
    let pending = PendingDelivery(
      app: AppID(1),
      delivery: Delivery(
        sequence: 1, service: .standard, fix: fix, isCached: false, moved: nil, since: nil,
        event: .entered("a \"b\" \\")),
      received: UTCInstant(microseconds: 1_790_000_000_000_000))
    for form in [EventTemplate.Form.url, .json, .text] {
      let template = EventTemplate(bytes.text, form: form)
      _ = (template.text(for: pending), template.emptied)
    }
  }
}
