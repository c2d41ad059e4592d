// SPDX-License-Identifier: Apache-2.0

import ServiceContract

// Theory
// ======
//
// What an answer means, in one place for all formats:
//
//     2xx                       taken, if the format's own receipt says so too
//     2xx, broken off           later: the other side, or something in between, did not get to its end
//     2xx with a web page       later: something in between answers, such as a hotel's sign-in page
//     3xx                       refused: moved; a redirect is never followed, since clients turn a POST into a GET
//     400 413 415 422           a bad message: the same again would be answered the same
//     401 403 407               refused: not let in; a 403 may be a guard against guessing, so rarely again
//     404 405 410 …, other 4xx  refused: no receiver of positions there
//     408 425 429, 5xx          later, not before `Retry-After`
//     no answer                 later; refused where the certificate is not to be trusted
//
// A connection that is closed without an answer after a whole request is most often a restarting server. If it is
// closed a second time, although the format's probe is answered, the server's reader fails on that message
// (`HTTPFormat.isSilentAboutBadMessages`).
//
// A web page begins like HTML. The header alone is no sign of one: `text/html` is what many a script's framework says of
// its `ok`, or of an empty answer.

/// The outcome of a request.
enum AnswerMeaning {
  /// The reason why a request with this answer was rejected; `nil` if its status says that it was accepted. `place` is
  /// the other side's name in messages.
  static func fault(of answer: HTTPAnswer, at place: String) -> SinkError? {
    let said = words(of: answer)
    switch answer.status {
    case 200..<300:
      if answer.cut == .brokenOff {
        return SinkError("\(place) broke off its answer: \(said)")
      }
      return isPage(answer)
        ? SinkError(
          "\(place) answered \(said), a web page: something in between answers, such as the sign-in "
            + "page of a network") : nil
    case 300..<400:
      let target = answer.redirect.flatMap { try? Endpoint($0, schemes: [.http, .https]) }
      return SinkError(
        "\(place) has moved\(target.map { " to \($0.place)" } ?? "") (\(said)); change url",
        .refused)
    case 400, 413, 415, 422: return SinkError("\(place) cannot use this: \(said)", .badMessage)
    case 401, 403:
      return SinkError(
        "\(place) does not let us in (\(said)); see user and password_file, or token_file", .refused
      )
    case 407: return SinkError("the proxy does not let us in (\(said)); see proxy", .refused)
    case 408, 425, 429, 500...:
      return SinkError(
        "\(place) asks to come later: \(said)",
        .later(after: answer.retryAfter))
    default:
      return SinkError("nothing at \(place) takes positions (\(said)); see url", .refused)
    }
  }

  /// The reason why a request got no answer.
  static func fault(of failure: HTTPFailure, at place: String) -> SinkError {
    let words = failure.words
    return switch failure.kind {
    case .unreachable: SinkError("\(place) cannot be reached: \(words)")
    case .untrusted: SinkError("\(place) is not to be trusted: \(words); see ca_file", .refused)
    case .noAuthorities:
      SinkError("ca_file: it holds no certificate that can be read: \(words)", .refused)
    case .unproven:
      SinkError(
        "\(place) does not let us in: \(words); see client_cert_file and client_key_file", .refused)
    case .silent: SinkError("\(place) closed the connection without an answer: \(words)")
    case .broken: SinkError("the connection with \(place) broke: \(words)")
    case .unusable: SinkError("nothing can be sent to \(place): \(words)", .refused)
    }
  }

  /// The reason why a trial without an event was rejected: what is wrong with its content (400, 422) need not be wrong
  /// with an event's.
  static func fault(ofTrial answer: HTTPAnswer, at place: String) -> SinkError? {
    [400, 422].contains(answer.status) ? nil : fault(of: answer, at: place)
  }

  /// Whether the body is a page for a browser.
  static func isPage(_ answer: HTTPAnswer) -> Bool {
    // A byte order mark is no part of the text.
    let body = answer.body.starts(with: [0xEF, 0xBB, 0xBF]) ? answer.body[3...] : answer.body[...]
    let start = body.drop { $0 <= 0x20 }
    let word = String(decoding: start.prefix(15), as: UTF8.self).lowercased()
    if word.hasPrefix("<!doctype html") || word.hasPrefix("<html") { return true }
    return saysPage(answer) && start.first == UInt8(ascii: "<")
  }

  /// Whether the header calls the body a page for a browser.
  static func saysPage(_ answer: HTTPAnswer) -> Bool {
    let type = answer.contentType?.lowercased().drop { $0 == " " } ?? ""
    return type.hasPrefix("text/html") || type.hasPrefix("application/xhtml")
  }

  /// The error for an accepting status without a receipt of the format. Most often another server answers in between,
  /// such as the sign-in page of a hotel's network.
  static func noReceipt(_ answer: HTTPAnswer, at place: String, wanted: String) -> SinkError {
    SinkError("\(place) answered \(words(of: answer)), where \(wanted) was expected")
  }

  /// `422: 'lat is missing'`: the status, and as much of the body's first line as fits into a line.
  static func words(of answer: HTTPAnswer) -> String {
    let text = String(decoding: answer.body.prefix(1_024), as: UTF8.self)
    let line = text.split(whereSeparator: \.isNewline).first ?? ""
    let clean = line.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }
    let short = String(String.UnicodeScalarView(clean)).prefix(100)
    return short.isEmpty ? "\(answer.status)" : "\(answer.status): '\(short)'"
  }
}
