// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel

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
      if let text = latest.location?.text(with: delivery, received: received) {
        json = JSONWriter(continuing: text)
      } else {
        json = members(after: &latest.fix)
        latest.location = LocationText(delivery, received: received, json.bytes)
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
    do throws(SyntaxError) {
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
    do throws(InputError) {
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
  private let delivery: Delivery
  private let received: UTCInstant
  /// The text before its number, which is the first member, and behind it.
  private let start: ArraySlice<UInt8>
  private let rest: ArraySlice<UInt8>

  private static let start = #"{"class":"LOCATION","sequence":"#.utf8.count

  init(_ delivery: Delivery, received: UTCInstant, _ bytes: [UInt8]) {
    (self.delivery, self.received) = (delivery, received)
    start = bytes[..<Self.start]
    rest = bytes[Self.start...].drop { (0x30...0x39).contains($0) }
  }

  /// The text of another delivery, with room for the line's end; `nil` if more than its number differs.
  func text(with other: Delivery, received: UTCInstant) -> [UInt8]? {
    guard received == self.received, delivery.isSame(as: other) else { return nil }
    var text: [UInt8] = []
    text.reserveCapacity(start.count + 20 + rest.count + 2)
    text += start
    text.append(copying: String(other.sequence).utf8Span.span)
    text += rest
    return text
  }
}

extension Delivery {
  /// Whether the `LOCATION` of another delivery differs in nothing but its number.
  fileprivate func isSame(as other: Delivery) -> Bool {
    service == other.service && isCached == other.isCached && moved == other.moved
      && since == other.since && occasion == other.occasion && fix == other.fix
  }
}
