// SPDX-License-Identifier: Apache-2.0

import ServiceContract
import Testing

@testable import Sinks

@Suite("What an answer over HTTP means")
struct AnswerMeaningTests {
  private static func meaning(_ answer: HTTPAnswer) -> (SinkFault, String)? {
    AnswerMeaning.fault(of: answer, at: "https://a").map { ($0.fault, $0.message) }
  }

  @Test("2xx is taken", arguments: [200, 201, 202, 204])
  func taken(_ status: Int) {
    #expect(AnswerMeaning.fault(of: HTTPAnswer(status: status), at: "https://a") == nil)
  }

  @Test("An answer that is broken off takes nothing; one that is longer than we read does")
  func cut() throws {
    let body = Array("ok".utf8)
    let (fault, words) = try #require(
      Self.meaning(HTTPAnswer(status: 200, body: body, cut: .brokenOff)))
    #expect(fault == .later(after: nil) && words == "https://a broke off its answer: 200: 'ok'")
    #expect(Self.meaning(HTTPAnswer(status: 200, body: body, cut: .tooLong)) == nil)
    let bad = HTTPAnswer(status: 400, body: body, cut: .brokenOff)
    #expect(try #require(Self.meaning(bad)).0 == .badMessage, "its status says enough")
  }

  @Test("400, 413, 415 and 422 say that this message is bad", arguments: [400, 413, 415, 422])
  func bad(_ status: Int) throws {
    let body = Array("lat is\tmissing\u{1B}[0m\nat line 7".utf8)
    let (fault, words) = try #require(Self.meaning(HTTPAnswer(status: status, body: body)))
    #expect(fault == .badMessage)
    #expect(words == "https://a cannot use this: \(status): 'lat ismissing[0m'")
  }

  @Test("401, 403, 407, 404, 410 and what moved need a person")
  func refused() throws {
    let words: [(HTTPAnswer, String)] = [
      (
        HTTPAnswer(status: 401),
        "https://a does not let us in (401); see user and password_file, or token_file"
      ),
      (
        HTTPAnswer(status: 403),
        "https://a does not let us in (403); see user and password_file, or token_file"
      ),
      (HTTPAnswer(status: 407), "the proxy does not let us in (407); see proxy"),
      (HTTPAnswer(status: 404), "nothing at https://a takes positions (404); see url"),
      (HTTPAnswer(status: 410), "nothing at https://a takes positions (410); see url"),
      (HTTPAnswer(status: 405), "nothing at https://a takes positions (405); see url"),
      (
        HTTPAnswer(status: 308, redirect: "https://b:8443/pub?token=s3cret"),
        "https://a has moved to https://b:8443 (308); change url"
      ),
      (HTTPAnswer(status: 302), "https://a has moved (302); change url"),
    ]
    for (answer, expected) in words {
      let (fault, words) = try #require(Self.meaning(answer))
      #expect(fault == .refused && words == expected)
    }
  }

  @Test(
    "408, 425, 429 and 5xx ask to come later, and when", arguments: [408, 425, 429, 500, 502, 599])
  func later(_ status: Int) throws {
    let (fault, words) = try #require(Self.meaning(HTTPAnswer(status: status, retryAfter: 120)))
    #expect(fault == .later(after: 120) && words == "https://a asks to come later: \(status)")
    #expect(try #require(Self.meaning(HTTPAnswer(status: status))).0 == .later(after: nil))
    // The service limits how long that counts (`UplinkTests`).
    let (long, _) = try #require(Self.meaning(HTTPAnswer(status: status, retryAfter: 1e9)))
    #expect(long == .later(after: 1e9))
  }

  @Test("Without an answer it is later, unless only a person can mend it")
  func failures() {
    func meaning(_ kind: HTTPFailure.Kind) -> SinkError {
      AnswerMeaning.fault(of: HTTPFailure(kind, "no"), at: "https://a")
    }
    #expect(meaning(.unreachable) == SinkError("https://a cannot be reached: no"))
    #expect(
      meaning(.unproven)
        == SinkError(
          "https://a does not let us in: no; see client_cert_file and client_key_file", .refused))
    #expect(
      meaning(.untrusted) == SinkError("https://a is not to be trusted: no; see ca_file", .refused))
    #expect(
      meaning(.noAuthorities)
        == SinkError("ca_file: it holds no certificate that can be read: no", .refused))
    #expect(
      meaning(.silent) == SinkError("https://a closed the connection without an answer: no"))
    #expect(meaning(.broken) == SinkError("the connection with https://a broke: no"))
    #expect(meaning(.unusable) == SinkError("nothing can be sent to https://a: no", .refused))
  }
}
