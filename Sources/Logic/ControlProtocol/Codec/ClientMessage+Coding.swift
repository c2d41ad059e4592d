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
  /// gpsd's. `watching` is the report of `?WATCH;` without an object. The client's name for the message is a text or a
  /// whole number of at most 64 bytes as `id`, even if the rest is wrong; `nil` if there is none that can be read.
  static func request(
    in bytes: borrowing Span<UInt8>, watching: Bool
  ) -> ClientMessageReader.Request {
    let object = object(in: bytes)
    let id = try? id(in: object?.get())
    do throws(ProtocolError) {
      return .init(message: .success(try readMessage(bytes, object, SyntaxError: watching)), id: id)
    } catch {
      return .init(message: .failure(error), id: id)
    }
  }

  /// The object behind the `=`; `nil` if there is none.
  private static func object(in bytes: borrowing Span<UInt8>) -> Result<JSONValue, SyntaxError>? {
    let start = bytes.first(UInt8(ascii: "="), from: 0, to: bytes.count)
    guard start < bytes.count else { return nil }
    do throws(SyntaxError) {
      return .success(try JSONValue.parse(bytes.extracting((start + 1)...)))
    } catch {
      return .failure(error)
    }
  }

  private static func readMessage(
    _ bytes: borrowing Span<UInt8>, _ object: Result<JSONValue, SyntaxError>?, SyntaxError: Bool
  ) throws(ProtocolError) -> ClientMessage {
    let (form, offset) = try readWord(bytes)
    let value: JSONValue
    switch object {
    case .success(let object)?: value = object
    case .failure(let error)?:
      throw ProtocolError(
        "?\(form.word) is followed by what is no JSON object: \(error.message) at byte "
          + "\(offset + 1 + error.offset + 1)")
    case nil where form.word == "WATCH": return .watch(isOn: SyntaxError)
    // gpsd's `?DEVICE;` asks; with an object it is a user's message.
    case nil where form.word == "DEVICE": return .devices
    case nil: value = .object([])
    }
    do throws(InputError) {
      let object = try JSONObjectReader(value, name: "?\(form.word)")
      if form.word != "WATCH" { try object.allow(form.members.map(\.name), and: "id") }
      guard let message = try form.read(object) else {
        throw InputError("\(object.name) makes no message")
      }
      return message
    } catch {
      throw ProtocolError(error)
    }
  }

  private static func id(in object: JSONValue?) -> String? {
    let id: String? =
      switch object?["id"] {
      case .string(let text)?: text
      case .number(let number)?: Int64(exactly: number).map(String.init)
      default: nil
      }
    guard let id, (1...64).contains(id.utf8.count) else { return nil }
    return id
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
    guard let form = formsByWord[name] else {
      throw ProtocolError(unknownName: Quoted.text(name), among: forms.map(\.word))
    }
    return (form, offset < end ? offset : bytes.count)
  }
}
