// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONText
import ServiceContract
import Testing

@testable import Sinks

/// The table of the meanings of answers, line by line, for each kind of sink over HTTP, with a server. The service's
/// reaction to each fault is in `UplinkTests`, and the meaning of MQTT's reasons in `MQTTReasonTests`.
@Suite("What an answer means to each kind of sink", .serialized)
struct AnswerTableTests {
  enum Kind: String, CaseIterable, Sendable {
    case ownTracks
    /// OwnTracks' messages to Home Assistant's webhook.
    case homeAssistant
    case overland
    case overlandAny
    case traccar
    case webhook
    case webhookExpecting

    func sink(_ url: String, in folder: String) throws -> any Sink {
      let token = try Samples.file("token", in: folder, "s3cret")
      let (kind, path, keys): (String, String, [JSONValue.Member]) =
        switch self {
        case .ownTracks: ("owntracks", "/pub", [.init("user", "jane"), .init("device", "van")])
        case .homeAssistant:
          ("owntracks", "/api/webhook/known", [.init("user", "jane"), .init("device", "van")])
        case .overland: ("overland", "/overland", [.init("device", "van")])
        case .overlandAny:
          ("overland", "/overland", [.init("device", "van"), .init("any_answer", true)])
        case .traccar: ("traccar", "/traccar", [.init("device", "van")])
        case .webhook: ("webhook", "/hook", [])
        case .webhookExpecting: ("webhook", "/hook", [.init("expect", "thanks")])
        }
      return try Samples.sink(
        [
          .init("kind", .string(kind)), .init("url", .string(url + path)),
          .init("token_file", .string(token)),
        ] + keys)
    }
  }

  /// The outcome of one event, and words of its report.
  enum Outcome: Sendable, Equatable {
    case done
    /// Retried by itself; not before these seconds.
    case later(Double?, String)
    /// Everything is kept until a person has fixed it.
    case kept(String)
    /// This event is tried twice more, and then set aside.
    case bad(String)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let kinds: [Kind]
    /// The server's answers, request by request; after them it answers as its receiver does.
    let answers: [String]
    let outcome: Outcome

    init(_ kinds: [Kind], _ answers: String..., becomes outcome: Outcome) {
      (self.kinds, self.answers, self.outcome) = (kinds, answers, outcome)
    }

    var testDescription: String { "\(answers.joined(separator: " ")) to \(kinds)" }
  }

  private static func status(_ code: Int, _ more: String = "") -> String {
    "{\"status\":\(code)\(more)}"
  }

  private static let close = #"{"fault":"close"}"#
  private static let all = Kind.allCases

  /// One for each line of the table; a line with different meanings for different kinds has several.
  static let rows: [Row] = [
    // 2xx and the format's own receipt.
    Row([.ownTracks, .homeAssistant], status(200, #","body":"[]""#), becomes: .done),
    Row([.overland], status(201, #","body":"{\"result\":\"ok\"}""#), becomes: .done),
    Row([.traccar, .webhook, .overlandAny], status(200), becomes: .done),
    Row([.webhookExpecting], status(202, #","body":"many thanks""#), becomes: .done),
    // 2xx without it.
    Row([.ownTracks], status(200), becomes: .done),
    Row([.homeAssistant], status(200), becomes: .kept("knows no such webhook")),
    Row(
      [.overland], status(200, #","body":"[]""#),
      becomes: .later(nil, #"answered 200: '[]', where {"result":"ok"} was expected"#)),
    Row(
      [.webhookExpecting], status(200, #","body":"no""#),
      becomes: .later(nil, "answered 200: 'no', where 'thanks' was expected")),
    Row(
      [.ownTracks, .homeAssistant], status(200, #","body":"<?xml""#),
      becomes: .later(nil, "where JSON was expected")),
    // A web page in its place: the body begins like one, or the header says so of what looks like one.
    Row(all, status(200, #","body":"<html>""#), becomes: .later(nil, "'<html>', a web page")),
    Row(
      all, status(203, #","body":"\n <!doctype HTML>\n""#),
      becomes: .later(nil, "answered 203: ' <!doctype HTML>', a web page")),
    Row(
      all,
      status(200, #","body":"<!-- hotel -->","headers":{"Content-Type":"Text/HTML; charset=x"}"#),
      becomes: .later(nil, "'<!-- hotel -->', a web page")),
    Row(
      [.webhookExpecting], status(200, #","body":"<html>many thanks</html>""#), becomes: .done),
    // As Flask and PHP say of an empty answer, or of a word.
    Row(
      [.traccar, .webhook, .overlandAny],
      status(200, #","headers":{"Content-Type":"text/html; charset=UTF-8"}"#), becomes: .done),
    Row(
      [.traccar, .webhook, .overlandAny],
      status(200, #","body":"ok","headers":{"Content-Type":"text/html"}"#), becomes: .done),
    // This message is bad. A message of Overland's batch is sent once more alone only if there are several.
    Row(
      [.ownTracks, .homeAssistant, .overland, .webhook], status(400, #","body":"no lat""#),
      becomes: .bad("cannot use this: 400: 'no lat'")),
    Row(all, status(413), becomes: .bad("cannot use this: 413")),
    Row(all, status(415), becomes: .bad("cannot use this: 415")),
    Row(all, status(422), becomes: .bad("cannot use this: 422")),
    // The connection closed after a complete request, twice, while a probe works.
    Row(
      [.ownTracks, .overland, .traccar], close, close,
      becomes: .bad("answers, but closes the connection without an answer to this")),
    Row([.ownTracks, .overland, .traccar], close, becomes: .done),
    Row(
      [.ownTracks, .overland, .traccar], close, close, close,
      becomes: .later(nil, "closed the connection without an answer")),
    // If the probe takes another path than a message, an outage would look like bad messages.
    Row(
      [.homeAssistant, .webhook], close,
      becomes: .later(nil, "closed the connection without an answer")),
    // Access is denied.
    Row(all, status(401), becomes: .kept("does not let us in (401)")),
    Row(all, status(403), becomes: .kept("does not let us in (403)")),
    Row(all, status(407), becomes: .kept("the proxy does not let us in (407)")),
    // The wrong address, or a device that is not registered.
    Row(
      [.ownTracks, .homeAssistant, .overland, .webhook], status(404),
      becomes: .kept("takes positions (404); see url")),
    Row(
      [.ownTracks, .homeAssistant, .overland, .webhook, .traccar], status(410),
      becomes: .kept("(410)")),
    Row(
      [.traccar], status(400),
      becomes: .kept("knows no device 'van' (400); register it there under this identifier")),
    Row(
      [.traccar], status(404),
      becomes: .kept("knows no device 'van' (404); register it there under this identifier")),
    // Later.
    Row(all, status(408), becomes: .later(nil, "asks to come later: 408")),
    Row(all, status(425), becomes: .later(nil, "asks to come later: 425")),
    Row(
      all, status(429, #","headers":{"Retry-After":"90"}"#),
      becomes: .later(90, "asks to come later: 429")),
    Row(all, status(500), becomes: .later(nil, "asks to come later: 500")),
    Row(
      all, status(503, #","headers":{"Retry-After":"7"}"#),
      becomes: .later(7, "asks to come later: 503")),
    Row(all, #"{"fault":"garbage"}"#, becomes: .later(nil, " broke: ")),
    Row(all, #"{"fault":"half"}"#, becomes: .later(nil, "broke off its answer")),
    Row(
      [.webhook, .homeAssistant], #"{"fault":"reset"}"#,
      becomes: .later(nil, "closed the connection without an answer")
    ),
    // Moved.
    Row(
      all, status(301, #","headers":{"Location":"https://b.example/x?token=s3cret"}"#),
      becomes: .kept("has moved to https://b.example (301); change url")),
    Row(
      all, status(302, #","headers":{"Location":"/elsewhere"}"#),
      becomes: .kept("(302); change url")),
    Row(
      all, status(308, #","headers":{"Location":"https://b.example/"}"#),
      becomes: .kept("has moved to https://b.example (308); change url")),
  ]

  @Test("Each line of the table", arguments: rows)
  func line(_ row: Row) async throws {
    let shared = try StandIn()
    for kind in row.kinds {
      // For a closed connection the probe is seen, too.
      let server = row.answers.contains(Self.close) ? try StandIn() : shared
      try await Samples.withFolder { folder in
        let sink = try kind.sink(server.url, in: folder)
        for answer in row.answers { try server.plan(answer) }
        var seen = Outcome.done
        do throws(SinkError) {
          _ = try await sink.send([Samples.delivery()])
        } catch {
          #expect(error.passed == nil)
          seen =
            switch error.fault {
            case .later(let after): .later(after, error.message)
            case .refused, .recalled: .kept(error.message)
            case .badMessage: .bad(error.message)
            }
          #expect(error.message.contains(server.url) || error.message.contains("the proxy"))
          #expect(!error.message.contains("s3cret"))
        }
        #expect(Self.matches(seen, row.outcome), "\(kind): \(seen)")
        // No redirect was followed by a GET, and an event was sent once per planned answer.
        let requests = try server.requests(row.answers.count)
        #expect(requests.allSatisfy { $0.method == "POST" }, "\(kind)")
      }
    }
  }

  private static func matches(_ seen: Outcome, _ wanted: Outcome) -> Bool {
    switch (seen, wanted) {
    case (.done, .done): true
    case (.later(let a, let words), .later(let b, let part)):
      a == b && words.contains(part)
    case (.kept(let words), .kept(let part)), (.bad(let words), .bad(let part)):
      words.contains(part)
    default: false
    }
  }

  @Test("Who is not there, or has no such name, is tried later", arguments: Kind.allCases)
  func nobody(_ kind: Kind) async throws {
    try await Samples.withFolder { folder in
      let port = Loopback.freePort()
      // RFC 6761, 6.4: no such name will ever be.
      for host in ["127.0.0.1:\(port)", "nobody.invalid"] {
        let sink = try kind.sink("http://\(host)", in: folder)
        do throws(SinkError) {
          _ = try await sink.send([Samples.delivery()])
          Issue.record("it was taken")
        } catch {
          #expect(error.fault == .later(after: nil))
          #expect(error.message.contains("cannot be reached: "), "\(error.message)")
        }
      }
    }
  }
}
