// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import JSONText
import LocationModel
import ServiceContract

extension SinkKind {
  /// A user-defined request for each event.
  static let webhook = SinkKind("webhook") { table, directory in
    let reading = HTTPSink.Reading(&table, from: directory)
    let method = table.word("method", among: ["POST", "PUT", "PATCH", "GET"]) ?? "POST"
    let headers = Webhook.headers(&table)
    let body = Webhook.body(&table, method: method, headers: headers)
    let expected = table.string("expect")
    if let url = reading?.endpoint.text.replacing(Secrets.placeholder, with: ""),
      let fault = EventTemplate.fault(in: url, form: .url)
    {
      table.noteProblem(at: "url", fault)
    }
    if expected?.isEmpty == true { table.noteProblem(at: "expect", "is empty; leave it out") }
    return reading.map {
      $0.sink(Webhook(method: method, headers: headers, body: body, expected: expected))
    }
  }
}

/// Requests made from templates; the URL may hold placeholders too.
struct Webhook: HTTPFormat {
  /// The body of the request.
  enum Body: Sendable {
    case none
    /// The event in the form for apps: the message LOCATION.
    case message
    case template(EventTemplate)
  }

  let method: String
  let headers: [HTTPRequest.Header]
  let body: Body
  // The probe is a HEAD, which may be answered by another server than the receiver of events.
  let isSilentAboutBadMessages = false
  /// The required text in the body of an answer; `nil`: a status of 2xx is enough.
  let expected: String?

  func requests(for deliveries: ArraySlice<PendingDelivery>, with secrets: Secrets) -> [HTTPRequest]
  {
    deliveries.map { pending in
      var all = headers
      let content: [UInt8]?
      switch body {
      case .none: content = nil
      case .message:
        content = ServerMessage.handing(pending.delivery, received: pending.received).encode()
        if !all.contains(where: Self.isContentType) {
          all.append(.init("Content-Type", "application/json"))
        }
      case .template(let template): content = Array(template.text(for: pending).utf8)
      }
      return HTTPRequest(
        method, secrets.url { EventTemplate($0, form: .url).text(for: pending) },
        headers: all + secrets.headers, body: content)
    }
  }

  func fault(of answer: HTTPAnswer, at place: String) -> SinkError? {
    // Its own receipt proves more than the form of the answer: some servers confirm with a web page.
    let isReceipt = (200..<300).contains(answer.status) && expected != nil && holdsExpected(answer)
    return isReceipt ? nil : AnswerMeaning.fault(of: answer, at: place)
  }

  func fault(inReceipt answer: HTTPAnswer, at place: String) -> SinkError? {
    guard let expected, !holdsExpected(answer) else { return nil }
    return AnswerMeaning.noReceipt(answer, at: place, wanted: "'\(expected)'")
  }

  private func holdsExpected(_ answer: HTTPAnswer) -> Bool {
    expected.map(String(decoding: answer.body, as: UTF8.self).contains) ?? true
  }

  // The effect of a user-defined request is unknown, so none is sent.
  func probe(
    _ session: borrowing HTTPSession, with secrets: Secrets, at place: String
  ) throws(SinkError) -> String {
    let url = secrets.url { EventTemplate($0, form: .url).emptied }
    let answer = try session.ask(HTTPRequest("HEAD", url, headers: secrets.headers), at: place)
    // A route for another method is none for HEAD (404, 405), or the server has no HEAD at all (501).
    let isNoWord = [404, 405, 501].contains(answer.status)
    if let fault = AnswerMeaning.fault(ofTrial: answer, at: place), !isNoWord { throw fault }
    let why = isNoWord ? ", as one does that takes only \(method), or nothing there" : ""
    // An answer to HEAD has no body, and the header alone is no sign of a page in between.
    let isPage =
      expected == nil && (200..<300).contains(answer.status) && AnswerMeaning.saysPage(answer)
    return
      "\(place) answered \(answer.status) to HEAD\(why)\(isPage ? " with a web page, as sign-in pages do" : ""); "
      + "what it says to an event shows with the first"
  }

  static func isContentType(_ header: HTTPRequest.Header) -> Bool {
    header.name.lowercased() == "content-type"
  }

  // MARK: Settings

  /// The table `headers`: names and texts.
  static func headers(_ table: inout SettingsTable) -> [HTTPRequest.Header] {
    guard let value = table.value("headers") else { return [] }
    guard let members = value.members else {
      table.noteProblem(
        at: "headers", "\(SettingsTable.words(value)) where keys and values were expected")
      return []
    }
    return members.compactMap { member in
      let key = "headers.\(SettingsTable.shortened(member.key))"
      guard let text = member.value.string else {
        table.noteProblem(
          at: key, "\(SettingsTable.words(member.value)) where a text in quotes was expected")
        return nil
      }
      let isName = !member.key.isEmpty && member.key.utf8.allSatisfy(isTokenCharacter)
      guard isName, !text.unicodeScalars.contains(where: { $0.value < 0x20 }), !text.isEmpty else {
        table.noteProblem(at: key, "is no header: a name, and a text on one line")
        return nil
      }
      guard member.key.lowercased() != "authorization" else {
        table.noteProblem(
          at: key, "a secret does not belong here; name its file by token_file or password_file")
        return nil
      }
      return HTTPRequest.Header(member.key, text)
    }
  }

  /// RFC 9110, section 5.6.2.
  private static func isTokenCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  /// `body`: a template, whose form the header Content-Type determines.
  static func body(
    _ table: inout SettingsTable, method: String, headers: [HTTPRequest.Header]
  ) -> Body {
    guard let text = table.string("body") else { return method == "GET" ? .none : .message }
    let type = headers.first(where: isContentType)?.value.lowercased()
    let form: EventTemplate.Form =
      switch type {
      case nil: .text
      case .some(let type) where type.contains("json"): .json
      case .some(let type) where type.contains("form-urlencoded"): .url
      case .some: .text
      }
    let template = EventTemplate(text, form: form)
    if type == nil {
      table.noteProblem(at: "body", "without a Content-Type; say in headers what it is")
    } else if let fault = EventTemplate.fault(in: text, form: form) {
      table.noteProblem(at: "body", fault)
    } else if form == .json, (try? JSONValue.parse(template.emptied)) == nil {
      table.noteProblem(at: "body", "is no JSON once its placeholders are filled")
    }
    return .template(template)
  }
}
