// SPDX-License-Identifier: Apache-2.0

package import JSONText

extension ServerMessage {
  /// The message as sent over the wire: one line with its line feed. `id` is the client's name for the request; it is
  /// the last member. gpsd ends its lines with CR and LF, and Python's gps module reads no others (gps.py, release
  /// 3.22).
  package func encode(id: String? = nil, asGPSD: Bool = false) -> [UInt8] {
    var latestFix: FixText?
    return encode(id: id, asGPSD: asGPSD, after: &latestFix)
  }

  /// The same, with the `latestFix` of the message before: a fix sent to many is written once.
  package func encode(
    id: String? = nil, asGPSD: Bool = false, after latestFix: inout FixText?
  ) -> [UInt8] {
    if case .sentences(let text) = self { return Array(text.utf8) }
    var json = JSONWriter(after: latestFix)
    defer { latestFix = json.latestFix }
    if case .document(let text) = self {
      json = JSONWriter(continuing: text)
    } else if let form = Self.forms.form(of: self) {
      json.object { json in
        json.member("class", form.word)
        form.write(&json)
      }
    }
    if let id { json.extendObject { $0.member("id", id) } }
    return json.bytes + (asGPSD ? [0x0D, 0x0A] : [0x0A])
  }

  /// Decodes one line, with or without its line end; `nil` for an unknown class (of a newer daemon), and for a report
  /// without a position.
  ///
  /// Unknown members are skipped, for the same reason.
  package static func decode(
    _ line: borrowing Span<UInt8>
  ) throws(ProtocolError) -> ServerMessage? {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue.parse(line)
    } catch {
      throw ProtocolError(
        "'\(Quoted.bytes(line))' is no message: \(error.message) at byte \(error.offset + 1)")
    }
    guard let name = value["class"]?.string else {
      throw ProtocolError("'\(Quoted.bytes(line))' is no message: it is no object with a class")
    }
    if DocumentClass(rawValue: name) != nil {
      var text: [UInt8] = []
      text.reserveCapacity(line.count)
      for index in 0..<line.count { text.append(line[index]) }
      while let last = text.last, last <= 0x20 { text.removeLast() }
      return .document(json: String(decoding: text, as: UTF8.self))
    }
    guard let form = forms.first(where: { $0.word == name }) else { return nil }
    do throws(JSONFieldError) {
      return try form.read(JSONObjectReader(value, name: name))
    } catch {
      throw ProtocolError(error)
    }
  }
}
