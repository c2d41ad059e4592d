// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Host
import JSONText
import LocationModel
import ServiceContract

@testable import GPSDSource
@testable import ServiceCore

extension HostileReader {
  static let protocols = [clientLines, daemonLines, gpsdLines]

  /// Bytes from a program to the daemon's socket. Promised: any pieces give the same messages, no more than the limit
  /// is held, and an understood message is written and read as the same.
  private static let clientLines = HostileReader(
    "control-client", of: ["ControlProtocol", "JSONText"]
  ) { bytes in
    let limit = bytes.count % 2 == 0 ? 65_536 : 64
    func requests(_ pieces: [ArraySlice<UInt8>]) throws -> [ClientMessageReader.Request] {
      var reader = ClientMessageReader(limit: limit)
      var requests: [ClientMessageReader.Request] = []
      for piece in pieces {
        reader.append(piece.span)
        while let request = reader.next() { requests.append(request) }
        try promise(reader.held <= limit, "\(reader.held) bytes are held of \(limit)")
      }
      return requests
    }
    let whole = try requests([bytes[...]])
    let parts = try requests(bytes.pieces)
    try promise(whole.count == parts.count, "\(whole.count), in pieces \(parts.count) messages")
    for (one, other) in zip(whole, parts) {
      try promise(one.id == other.id, "another id in pieces")
      switch (one.message, other.message) {
      case (.failure(let error), .failure): try promise(!error.message.isEmpty, "no words")
      case (.success(let message), .success(let same)):
        try promise(message == same, "\(message), in pieces \(same)")
        var again = ClientMessageReader()
        again.append(message.encode(id: one.id).span)
        let request = again.next()
        let copy = request.flatMap { try? $0.message.get() }
        // Without an object it asks for the current settings, and is read as such.
        if case .gpsd(.watch) = message { continue }
        try promise(
          copy?.encode() == message.encode() && request?.id == one.id,
          "\(message.encode().text) is read as \(copy as Any)")
      default: throw BrokenPromise(description: "refused in pieces or in one only")
      }
    }
  }

  /// Bytes from a daemon to a program that uses `LocationClient` or is a command. Promised: an understood message is
  /// written, and read and written as the same.
  private static let daemonLines = HostileReader(
    "control-daemon", of: ["ControlProtocol", "JSONText"]
  ) { bytes in
    var lines = LineBuffer(limit: 1_024)
    for piece in bytes.pieces {
      lines.append(piece)
      while let line = lines.next() { try readDaemonLine(line) }
      if lines.isOverlong { return }
    }
    try readDaemonLine(bytes)
  }

  private static func readDaemonLine(_ line: [UInt8]) throws {
    guard let message = try? ServerMessage.decode(line.span) else { return }
    if case .document(let json) = message { return try readDocument(json) }
    let text = message.encode(id: "7")
    let again = (try? ServerMessage.decode(text.span)).flatMap(\.self)
    try promise(again?.encode(id: "7") == text, "\(text.text) is read as \(again as Any)")
  }

  private static func readDocument(_ json: String) throws {
    func read<Document: ControlDocument>(_ kind: Document.Type) throws {
      guard let document = try? Document(json: json) else { return }
      let text = document.json
      let again = try? Document(json: text)
      try promise(again?.json == text, "\(text) is read as \(again as Any)")
    }
    try read(StatusDocument.self)
    try read(AppsDocument.self)
    try read(AppDocument.self)
    try read(LogDocument.self)
    try read(ExplanationDocument.self)
    try read(EventsDocument.self)
    try read(SinksDocument.self)
    try read(SinkTrialDocument.self)
    try read(OverviewDocument.self)
    try read(HistoryDocument.self)
    try read(ForgottenDocument.self)
  }

  /// Bytes from gpsd, or from another program on its port. Promised: any pieces give the same events.
  private static let gpsdLines = HostileReader(
    "gpsd-lines", of: ["GPSDSource", "FixFormats", "JSONText"]
  ) { bytes in
    func events(_ pieces: [ArraySlice<UInt8>]) -> [GPSDEvent] {
      var intake = ReportIntake(
        passesLines: bytes.count % 4 == 3, passesSky: bytes.count % 2 == 1)
      intake.beginConnection()
      var events: [GPSDEvent] = []
      for piece in pieces where !intake.read(bytes: piece.span, at: .zero, into: &events) { break }
      if let deadline = intake.nextDeadline { intake.advance(to: deadline, into: &events) }
      intake.flush(at: .zero, into: &events)
      return events
    }
    let (whole, parts) = (events([bytes[...]]), events(bytes.pieces))
    try promise(whole == parts, "\(whole), in pieces \(parts)")
  }
}
