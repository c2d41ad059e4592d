// SPDX-License-Identifier: Apache-2.0

package import JSONText
import LocationModel

extension JSONForm where Value == String {
  /// A text that `isRight` accepts.
  private static func text(
    _ expected: String, _ isRight: @escaping @Sendable (String) -> Bool
  ) -> Self {
    JSONForm(.text, write: { $1.string($0) }) { (json, place) throws(InputError) in
      let text = try String.json.read(json, place)
      guard isRight(text) else { throw place.wrong(json, expected) }
      return text
    }
  }

  /// The name of an app.
  package static let appName = text("a name: \(AppName.words)", AppName.isValid)

  /// The name of an app, or nothing for the daemon.
  static let appOrDaemon = text("the name of an app, or empty") {
    $0.isEmpty || AppName.isValid($0)
  }

  /// A text of at most `limit` bytes.
  static func text(upTo limit: Int) -> Self {
    text("a text of at most \(limit) bytes") { $0.utf8.count <= limit }
  }

  static let fileName = text("a file's name without its directory") {
    !$0.isEmpty && !$0.utf8.contains(UInt8(ascii: "/"))
  }

  static let absolutePath = text("a path that begins with /") {
    $0.utf8.first == UInt8(ascii: "/")
  }
}

extension JSONForm where Value == [UInt8] {
  static let base64 = JSONForm(
    .text, "base64 (RFC 4648)", write: { $1.string(Base64.text($0)) },
    convert: { $0.string.flatMap(Base64.bytes) })
}

extension JSONForm where Value == Double {
  /// Metres, and −1 and −2 for the best. `kCLLocationAccuracyReduced` is the largest number.
  static let accuracy = number(in: -2...Double.greatestFiniteMagnitude)
}

extension JSONForm where Value == WakeReason? {
  /// A reason; one known only to a newer daemon is read as none.
  static let known = reason(WakeReason.json.shape)
  /// The same, or null.
  static let knownOrNull = reason(.nullable(WakeReason.json.shape))

  private static func reason(_ shape: JSONShape) -> Self {
    JSONForm(shape, "a reason") { reason, json in
      nullable(WakeReason.json).write(reason, &json)
    } convert: { json in
      switch json {
      case .null: .some(nil)
      case .string(let word): .some(WakeReason(rawValue: word))
      default: nil
      }
    }
  }
}
