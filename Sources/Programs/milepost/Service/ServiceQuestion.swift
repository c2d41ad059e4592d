// SPDX-License-Identifier: Apache-2.0

import ControlClient
import ControlProtocol
import Geodesy
import JSONText
import LocationModel
import TraceFiles

// What a command asks the service, and for how long it waits for the answer.

extension ServiceOptions {
  /// The time limit of an answer, seconds.
  static var usualPatience: Patience { Patience(seconds: 10) }

  /// The wait for an answer.
  struct Patience {
    /// The limit.
    var seconds: Double
    /// A line for people about an answer that takes longer than `noticeAfter`, if there is one.
    var notice: (() -> String?)?

    static let noticeAfter = 2.0
  }

  private var path: String { socket ?? ControlClient.usualPath }

  /// Sends one message and waits for its answer: a document's JSON, or `nil` for OK.
  private func answer(
    to message: ClientMessage, _ patience: Patience = Self.usualPatience
  ) throws -> String? {
    do {
      let client = try ControlClient(path: path)
      defer { client.close() }
      try client.send(message)
      while let answer = try receive(from: client, patience) {
        switch answer {
        case .ok: return nil
        case .document(let json): return json
        case .error(_, let text): throw Complaint(text)
        case .warning(_, let text): Console.standardError("milepost: warning: \(text)\n")
        default: continue
        }
      }
      let reason =
        client.isAtEnd
        ? "milepostd closed the connection before it answered"
        : "milepostd has not answered for \(Int(patience.seconds)) s; milepost doctor tells more"
      throw Complaint("\(path): \(reason)")
    } catch let error as ControlClientError {
      throw Complaint(error.message)
    } catch let error as ProtocolError {
      throw Complaint("\(path): milepostd's answer is not understood: \(error.message)")
    }
  }

  private func receive(
    from client: ControlClient, _ patience: Patience
  ) throws -> ServerMessage? {
    guard let notice = patience.notice else {
      return try client.receive(timeout: patience.seconds)
    }
    let first = try client.receive(timeout: Patience.noticeAfter)
    guard first == nil, !client.isAtEnd else { return first }
    if let line = notice() { Console.standardError("milepost: \(line)\n") }
    return try client.receive(timeout: patience.seconds - Patience.noticeAfter)
  }

  /// A separate connection; throws `Complaint` if there can be none.
  func connect() throws -> ControlClient {
    do { return try ControlClient(path: path) } catch let error as ControlClientError {
      throw Complaint(error.message)
    }
  }

  /// The device's last position, queried as an ordinary gpsd client; `nil` if unknown.
  func position() throws -> Coordinate? {
    let client = try connect()
    defer { client.close() }
    do {
      try client.send(.poll)
      while let answer = try client.receive(timeout: Self.usualPatience.seconds) {
        if case .poll(let fix, _, _, _) = answer { return fix?.coordinate }
      }
    } catch let error as ControlClientError {
      throw Complaint(error.message)
    }
    return nil
  }

  /// Sends a message to which the daemon answers OK.
  func tellDaemon(_ message: ClientMessage) throws { _ = try answer(to: message) }

  /// Sends a message to which the daemon answers with a document; `nil` if it answers only OK.
  func ask<Document: ControlDocument>(_ message: ClientMessage) throws -> Document? {
    try answer(to: message).map(document)
  }

  private func document<Document: ControlDocument>(_ json: String) throws -> Document {
    do throws(ProtocolError) {
      return try Document(json: json)
    } catch {
      throw Complaint("\(path): milepostd's answer is not understood: \(error.message)")
    }
  }

  /// Prints the document that answers `message`: unchanged with `json`, else as rendered by `text`.
  @discardableResult
  func show<Document: ControlDocument>(
    _ message: ClientMessage, json: Bool = false, _ patience: Patience = Self.usualPatience,
    as text: (Document) -> String
  ) throws -> Document {
    guard let answer = try answer(to: message, patience) else {
      throw Complaint("\(path): milepostd answered without a document")
    }
    let document: Document = try document(answer)
    try Console.standardOutput(json ? answer + "\n" : text(document))
    return document
  }
}
