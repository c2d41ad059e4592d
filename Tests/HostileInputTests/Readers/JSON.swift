// SPDX-License-Identifier: Apache-2.0

import JSONText

extension HostileReader {
  static let documents: [HostileReader] = [json]

  /// JSON. Promised: a document that is read is written and read again as the same, bit for bit.
  private static let json = HostileReader("json", of: ["JSONText"]) { bytes in
    guard let value = try? JSONValue.parse(bytes.span) else { return }
    var writer = JSONWriter()
    writer.value(value)
    let again = try? JSONValue.parse(writer.bytes.span)
    try promise(again == value, "read as \(value), written and read as \(again as Any)")
  }
}
