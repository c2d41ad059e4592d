// SPDX-License-Identifier: Apache-2.0

import JSONText

extension ServerMessage {
  /// The message as sent over the wire: one line with its line feed. `id` is the client's name for the request; it is
  /// the last member. gpsd ends its lines with CR and LF, and Python's gps module reads no others (gps.py, release
  /// 3.22).
  package func encode(id: String? = nil, asGPSD: Bool = false) -> [UInt8] {
    var latest = LatestTexts()
    return encode(id: id, asGPSD: asGPSD, after: &latest)
  }

  /// The same, with what can be reused of the messages before: a position sent to many is written once.
  package func encode(
    id: String? = nil, asGPSD: Bool = false, after latest: inout LatestTexts
  ) -> [UInt8] {
    var json: JSONWriter
    switch self {
    case .sentences(let text): return Array(text.utf8)
    case .document(let text): json = JSONWriter(continuing: text)
    case .location(let delivery, let received):
      let location = DeliveredLocation(delivery, received: received)
      if let text = latest.location?.text(with: location) {
        json = JSONWriter(continuing: text)
      } else {
        json = members(after: &latest.fix)
        latest.location = LocationText(location, json.bytes)
      }
    default: json = members(after: &latest.fix)
    }
    if let id { json.extendObject { $0.member("id", id) } }
    json.endLine(withReturn: asGPSD)
    return json.bytes
  }

  private func members(after latestFix: inout FixText?) -> JSONWriter {
    var json = JSONWriter(after: latestFix)
    if let form = Self.forms.form(of: self) {
      json.object { json in
        json.member("class", form.word)
        form.write(&json)
      }
    }
    latestFix = json.latestFix
    return json
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

/// The texts of earlier messages that the next one can reuse.
package struct LatestTexts: Sendable {
  fileprivate var fix: FixText?
  fileprivate var location: LocationText?

  package init() {}
}

/// A `LOCATION` as it was written, for one that differs in nothing but its number.
private struct LocationText: Sendable {
  let location: DeliveredLocation
  let bytes: [UInt8]
  /// The place of the number: it is the first member.
  static let start = #"{"class":"LOCATION","sequence":"#.utf8.count

  init(_ location: DeliveredLocation, _ bytes: [UInt8]) {
    self.location = location
    self.bytes = bytes
  }

  /// The text of `other`; `nil` if more than its number differs.
  func text(with other: DeliveredLocation) -> [UInt8]? {
    var same = location
    same.sequence = other.sequence
    guard same == other else { return nil }
    if location.sequence == other.sequence { return bytes }
    let number = Array(String(other.sequence).utf8)
    let end = Self.start + String(location.sequence).utf8.count
    return Array(bytes[..<Self.start]) + number + bytes[end...]
  }
}
