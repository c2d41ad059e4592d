// SPDX-License-Identifier: Apache-2.0

import CExpat
package import JSONText

/// The items and arrays of an Android `power_profile.xml`.
///
/// The format: <https://source.android.com/docs/core/power/values>. Values are currents in mA at the battery's nominal
/// voltage, or at the Wi-Fi controller's own; `battery.capacity` is in mAh. A value that is not a number is left
/// out and counted.
package struct PowerProfileXML: Sendable, Equatable {
  /// The largest plausible current or charge of a phone, mA and mAh.
  package static let most = 100_000.0

  /// `<item name="gps.on">50</item>` by name; the last of a repeated name counts.
  package fileprivate(set) var items: [String: Double] = [:]
  /// `<array name="gps.signalqualitybased">` with its `<value>`s by name.
  package fileprivate(set) var arrays: [String: [Double]] = [:]
  /// Names of items and arrays with a value that is not a number.
  package fileprivate(set) var unreadable: [String] = []

  /// The greatest size of a document, bytes; real ones have some 20,000.
  package static let sizeLimit = 1 << 20

  /// Reads a whole document.
  package init(_ bytes: borrowing Span<UInt8>) throws(InputError) {
    guard bytes.count <= Self.sizeLimit else {
      throw InputError("the document is longer than \(Self.sizeLimit) bytes; refused")
    }
    let reader = PowerProfileReader()
    try reader.parse(bytes)
    self = reader.profile
    if !reader.isPowerProfile {
      throw InputError(
        "this is XML, but no power profile: it has no <device> with <item name=\"…\">")
    }
  }

  fileprivate init() {}
}

/// Owns expat's parser for the length of one document.
///
/// Safety: the C pointer never leaves this class, callbacks run only inside `XML_Parse`, which `parse` calls while it
/// holds `self`, and texts are copied out at once. No entity can expand: a power profile has no document type
/// declaration, and expat bounds its effect.
@safe
private final class PowerProfileReader {
  private let parser: XML_Parser?
  var profile = PowerProfileXML()
  var isPowerProfile: Bool { !profile.items.isEmpty || !profile.arrays.isEmpty }
  private var name: String?
  private var array: [Double]?
  private var text: [UInt8] = []

  init() {
    unsafe parser = XML_ParserCreate(nil)
    guard let parser = unsafe parser else { return }
    unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    unsafe XML_SetElementHandler(
      parser,
      { user, element, attributes in
        guard let user = unsafe user, let element = unsafe element else { return }
        unsafe Unmanaged<PowerProfileReader>.fromOpaque(user)._withUnsafeGuaranteedRef {
          unsafe $0.openElement(String(cString: element), attributes)
        }
      },
      { user, element in
        guard let user = unsafe user, let element = unsafe element else { return }
        unsafe Unmanaged<PowerProfileReader>.fromOpaque(user)._withUnsafeGuaranteedRef {
          unsafe $0.closeElement(String(cString: element))
        }
      })
    unsafe XML_SetCharacterDataHandler(parser) { user, text, count in
      guard let user = unsafe user, let text = unsafe text else { return }
      unsafe Unmanaged<PowerProfileReader>.fromOpaque(user)._withUnsafeGuaranteedRef {
        unsafe $0.takeText(text, Int(count))
      }
    }
  }

  deinit { unsafe XML_ParserFree(parser) }

  func parse(_ bytes: borrowing Span<UInt8>) throws(InputError) {
    guard let parser = unsafe parser else {
      throw .init("no memory for the XML parser")
    }
    let status = unsafe bytes.withUnsafeBytes { buffer in
      unsafe XML_Parse(
        parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count), 1)
    }
    guard status == XML_STATUS_ERROR else { return }
    let words = unsafe XML_ErrorString(XML_GetErrorCode(parser)).map { unsafe String(cString: $0) }
    throw .init(
      line: unsafe Int(XML_LineBeingParsed(parser)),
      "this is not XML: \(words ?? "unknown error")")
  }

  private func openElement(
    _ element: String, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) {
    text = []
    guard element == "item" || element == "array", var next = unsafe attributes else { return }
    while let key = unsafe next.pointee, let value = unsafe next.successor().pointee {
      if unsafe String(cString: key) == "name" { name = unsafe String(cString: value) }
      unsafe next += 2
    }
    array = element == "array" ? [] : nil
  }

  private func closeElement(_ element: String) {
    guard let name else { return }
    switch element {
    case "item":
      if let number { profile.items[name] = number } else { profile.unreadable.append(name) }
      self.name = nil
    case "value":
      if let number { array?.append(number) } else { profile.unreadable.append(name) }
    case "array":
      profile.arrays[name] = array
      array = nil
      self.name = nil
    default: break
    }
    text = []
  }

  private func takeText(_ characters: UnsafePointer<CChar>, _ count: Int) {
    guard text.count + count <= 1_000 else { return }
    for index in 0..<count { text.append(UInt8(bitPattern: unsafe characters[index])) }
  }

  /// The number between the tags, if it is one from 0 to `most`.
  private var number: Double? {
    let trimmed = text.drop { $0 <= 0x20 }.reversed().drop { $0 <= 0x20 }.reversed()
    guard let value = Double(String(decoding: Array(trimmed), as: UTF8.self)),
      (0...PowerProfileXML.most).contains(value)
    else { return nil }
    return value
  }
}
