// SPDX-License-Identifier: Apache-2.0

import JSONText

extension ClientMessage {
  /// The message's word: `HELLO` of `?HELLO={...};`.
  package var name: String { Self.forms.form(of: self)?.word ?? "" }

  /// The message as sent over the wire, its line end included; `id` is the client's name for it, which
  /// its answer carries.
  package func encode(id: String? = nil) -> [UInt8] {
    let form = Self.forms.form(of: self)
    var json = JSONWriter()
    json.object { json in
      form?.write(&json)
      if let id { json.member("id", id) }
    }
    let members = json.text == "{}" ? [] : [UInt8(ascii: "=")] + json.bytes
    return Array("?\(form?.word ?? "")".utf8) + members + [UInt8(ascii: ";"), 0x0A]
  }

  /// Decodes one message, without its `;` and line end (`ClientMessageReader` cuts them).
  ///
  /// An unknown member is an error, so that a misspelt one is not overlooked; `?WATCH` takes all of
  /// gpsd's. `watching` is the report of `?WATCH;` without an object.
  package static func decode(
    _ bytes: borrowing Span<UInt8>, watching: Bool = false
  ) throws(ProtocolError) -> ClientMessage {
    let (form, offset) = try readWord(bytes)
    var value = JSONValue.object([])
    if offset < bytes.count {
      do throws(JSONError) {
        value = try JSONValue.parse(rest(of: bytes, behind: offset).span)
      } catch {
        throw ProtocolError(
          "?\(form.word) is followed by what is no JSON object: \(error.message) at byte "
            + "\(offset + 1 + error.offset + 1)")
      }
    } else if form.word == "WATCH" {
      return .watch(isOn: watching)
    } else if form.word == "DEVICE" {
      // gpsd's `?DEVICE;` asks; with an object it is a user's message.
      return .devices
    }
    do throws(JSONFieldError) {
      let object = try JSONObjectReader(value, name: "?\(form.word)")
      if form.word != "WATCH" { try object.allow(form.members.map(\.name), and: "id") }
      guard let message = try form.read(object) else {
        throw JSONFieldError("\(object.name) makes no message")
      }
      return message
    } catch {
      throw ProtocolError(error)
    }
  }

  /// The client's name for the message in `bytes`: a text or a whole number of at most 64 bytes as `id`,
  /// even if the rest is wrong; `nil` if there is none that can be read.
  package static func requestID(of bytes: borrowing Span<UInt8>) -> String? {
    var start = 0
    while start < bytes.count, bytes[start] != UInt8(ascii: "=") { start += 1 }
    guard start < bytes.count,
      let value = try? JSONValue.parse(rest(of: bytes, behind: start).span)
    else { return nil }
    let id: String? =
      switch value["id"] {
      case .string(let text)?: text
      case .number(let number)?: Int64(exactly: number).map(String.init)
      default: nil
      }
    guard let id, (1...64).contains(id.utf8.count) else { return nil }
    return id
  }

  private static func rest(of bytes: borrowing Span<UInt8>, behind offset: Int) -> [UInt8] {
    var rest: [UInt8] = []
    rest.reserveCapacity(bytes.count - offset)
    for index in (offset + 1)..<bytes.count { rest.append(bytes[index]) }
    return rest
  }

  /// The message's form, and the offset of the `=` behind its word (or of the end).
  private static func readWord(
    _ bytes: borrowing Span<UInt8>
  ) throws(ProtocolError) -> (MessageForm<ClientMessage>, Int) {
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
    guard let form = forms.first(where: { $0.word == name }) else {
      throw ProtocolError(unknownName: Quoted.text(name), among: forms.map(\.word))
    }
    return (form, offset < end ? offset : bytes.count)
  }
}
