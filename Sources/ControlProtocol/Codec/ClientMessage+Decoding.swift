// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel

extension ClientMessage {
  /// Decodes one message, without its `;` and line end (`ClientMessageReader` cuts them).
  ///
  /// A member that the message does not have is an error, so that a misspelt one is not overlooked;
  /// `?WATCH` takes all of gpsd's. `watching` is what `?WATCH;` without an object reports.
  package static func decode(
    _ bytes: borrowing Span<UInt8>, watching: Bool = false
  ) throws(ProtocolError) -> ClientMessage {
    let (word, offset) = try readWord(bytes)
    var value = JSONValue.object([])
    let hasObject = offset < bytes.count
    if hasObject {
      var text: [UInt8] = []
      text.reserveCapacity(bytes.count - offset)
      for index in (offset + 1)..<bytes.count { text.append(bytes[index]) }
      do throws(JSONError) {
        value = try JSONValue.parse(text.span)
      } catch {
        throw ProtocolError(
          "?\(word.rawValue) is followed by what is no JSON object: \(error.message) at byte "
            + "\(offset + 1 + error.offset + 1)")
      }
    }
    let object = try ObjectReader(value, name: "?\(word.rawValue)")
    if word == .watch {
      return .watch(isOn: hasObject ? try watchSetting(object) : watching)
    }
    try object.allow(members(of: word))
    return try message(word, object)
  }

  /// What a client calls the message that `bytes` are: a text or a whole number of at most 64 bytes as
  /// `id`, also where the rest is wrong; `nil` where there is none that can be read.
  package static func requestID(of bytes: borrowing Span<UInt8>) -> String? {
    var start = 0
    while start < bytes.count, bytes[start] != UInt8(ascii: "=") { start += 1 }
    guard start < bytes.count else { return nil }
    var text: [UInt8] = []
    for index in (start + 1)..<bytes.count { text.append(bytes[index]) }
    guard let value = try? JSONValue.parse(text.span) else { return nil }
    let id: String? =
      switch value["id"] {
      case .string(let text)?: text
      case .number(let number)?: Int64(exactly: number).map(String.init)
      default: nil
      }
    guard let id, (1...64).contains(id.utf8.count) else { return nil }
    return id
  }

  /// The word, and the offset of the `=` behind it (or of the end).
  private static func readWord(_ bytes: borrowing Span<UInt8>) throws(ProtocolError) -> (Word, Int)
  {
    var end = bytes.count
    while end > 0, bytes[end - 1] <= 0x20 { end -= 1 }
    guard end > 0, bytes[0] == UInt8(ascii: "?") else {
      throw ProtocolError(
        "'\(Quoted.bytes(bytes))' is no message; one is ?NAME; or ?NAME={...}; as in ?VERSION;")
    }
    var letters: [UInt8] = []
    var offset = 1
    while offset < end, letters.count < Quoted.limit * 4, bytes[offset] != UInt8(ascii: "=") {
      letters.append(bytes[offset])
      offset += 1
    }
    let name = String(decoding: letters, as: UTF8.self)
    guard let word = Word(rawValue: name) else {
      let known = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw ProtocolError("there is no message ?\(Quoted.text(name)); there are \(known)")
    }
    return (word, offset < end ? offset : bytes.count)
  }

  /// gpsd sends JSON where `json` asks for it, or where nothing else is asked for instead.
  private static func watchSetting(_ object: ObjectReader) throws(ProtocolError) -> Bool {
    let isOn = try object.optionalBool("enable") ?? true
    if let json = try object.optionalBool("json") { return isOn && json }
    let raw = try object.optionalNumber("raw") ?? 0
    let nmea = try object.optionalBool("nmea") ?? false
    return isOn && !nmea && raw == 0
  }

  private static func members(of word: Word) -> [String] {
    switch word {
    case .hello: ["app"]
    case .start: ["service"] + ServiceRequest.standardMembers
    case .stop: ["service"]
    case .motion: ["enable"]
    case .authorize: ["authorization"]
    case .request: ["desired_accuracy_m"]
    case .acknowledge: ["sequence"]
    case .app, .remove, .explain: ["app"]
    case .add, .update: ["file", "directory", "manifest_base64", "command"]
    case .set: ["app", "authorization"]
    case .control: ["app", "action"]
    case .log: ["app", "count"]
    case .events: ["app"]
    case .resend, .discard: ["app", "sequence"]
    case .done, .version, .devices, .watch, .poll, .status, .apps, .reload: []
    }
  }

  private static func message(
    _ word: Word, _ object: ObjectReader
  ) throws(ProtocolError) -> ClientMessage {
    switch word {
    case .hello:
      .hello(Hello(app: try object.app()))
    case .start: .start(try ServiceRequest(object))
    case .stop: .stop(try object.word("service", Service.allCases))
    case .request:
      .requestLocation(
        accuracy: try object.optionalNumber("desired_accuracy_m", in: accuracies) ?? -1)
    case .motion: .monitorMotion(try object.bool("enable"))
    case .authorize:
      .requestAuthorization(try object.word("authorization", [Authorization.whenInUse, .always]))
    case .acknowledge: .acknowledge(try object.count("sequence"))
    case .done: .done
    case .version: .version
    case .devices: .devices
    case .watch: .watch(isOn: try watchSetting(object))
    case .poll: .poll
    case .status: .status
    case .apps: .apps
    case .app: .app(try object.app())
    case .add: .add(try Manifest(object))
    case .update: .update(try Manifest(object))
    case .remove: .remove(try object.app())
    case .set:
      .authorize(try object.app(), try object.word("authorization", Authorization.levels))
    case .control: .control(try object.app(), try object.word("action", AppControl.allCases))
    case .log:
      .log(
        try object.string("app").isEmpty ? "" : try object.app(),
        count: Int(try object.integer("count", in: 1...logLimit)))
    case .explain: .explain(try object.app())
    case .reload: .reload
    case .events: .events(try object.app())
    case .resend: .resend(try object.app(), try object.optionalCount("sequence"))
    case .discard: .discard(try object.app(), try object.optionalCount("sequence"))
    }
  }

  /// Metres, and −1 and −2 for the best. `kCLLocationAccuracyReduced` is the largest number that there is.
  fileprivate static let accuracies = -2.0...Double.greatestFiniteMagnitude

  /// Entries of a log that one answer can hold.
  package static let logLimit: Int64 = 1_000
}

extension ClientMessage.ServiceRequest {
  fileprivate init(_ object: ObjectReader) throws(ProtocolError) {
    let service = try object.word("service", Service.allCases)
    var request = StandardRequest()
    if service == .significant {
      for name in Self.standardMembers where object.optional(name) != nil {
        throw ProtocolError(
          "\(object.name): \(name) counts for standard and continuous updates only, and service is "
            + "\"significant\"")
      }
    }
    if let accuracy = try object.optionalNumber(
      "desired_accuracy_m", in: ClientMessage.accuracies)
    {
      request.desiredAccuracy = accuracy
    }
    request.distanceFilter = try object.optionalNumber(
      "distance_filter_m", in: 0...ClientMessage.accuracies.upperBound)
    if let pauses = try object.optionalBool("pauses_automatically") {
      request.pausesAutomatically = pauses
    }
    if let allows = try object.optionalBool("allows_background_updates") {
      request.allowsBackgroundUpdates = allows
    }
    self.init(service, request)
  }
}

extension ClientMessage.Manifest {
  fileprivate init(_ object: ObjectReader) throws(ProtocolError) {
    let file = try object.string("file")
    guard !file.isEmpty, !file.utf8.contains(UInt8(ascii: "/")) else {
      throw ProtocolError(
        "\(object.name): file is \"\(Quoted.text(file))\", not a file's name without its directory")
    }
    let directory = try object.string("directory")
    guard directory.utf8.first == UInt8(ascii: "/") else {
      throw ProtocolError(
        "\(object.name): directory is \"\(Quoted.text(directory))\", not a path that begins with /")
    }
    let text = try object.string("manifest_base64")
    guard let bytes = Base64.bytes(text) else {
      throw ProtocolError(
        "\(object.name): manifest_base64 is \"\(Quoted.text(text))\", not base64 (RFC 4648)")
    }
    self.init(
      file: file, directory: directory, bytes: bytes,
      command: try object.optionalStrings("command"))
  }
}

extension ObjectReader {
  /// The name of an app: 1 to 64 of a–z, A–Z, 0–9, `.`, `_`, `-`, and not beginning with a dot.
  fileprivate func app() throws(ProtocolError) -> String {
    let name = try string("app")
    let isName =
      (1...64).contains(name.utf8.count) && name.utf8.first != UInt8(ascii: ".")
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
          UInt8(ascii: "-"):
          true
        default: false
        }
      }
    guard isName else {
      throw ProtocolError(
        "\(self.name): app is \"\(Quoted.text(name))\", not a name of 1 to 64 of a-z, A-Z, 0-9, . _ - "
          + "that does not begin with a dot")
    }
    return name
  }
}

extension Authorization {
  /// All levels, in the order of the enumeration.
  static let levels: [Authorization] = [.notDetermined, .restricted, .denied, .whenInUse, .always]
}

extension AppState {
  static let states: [AppState] = [.notRunning, .inactive, .active, .background, .suspended]
}
