// SPDX-License-Identifier: Apache-2.0

/// Whether text may carry terminal attributes.
package struct TextStyle: Sendable {
  private let isDecorated: Bool

  private init(isDecorated: Bool) { self.isDecorated = isDecorated }

  /// Bytes for files and pipes: words only.
  package static let plain = TextStyle(isDecorated: false)
  /// For a terminal (ECMA-48 attributes; no colours that a background could swallow).
  package static let terminal = TextStyle(isDecorated: true)

  package func bold(_ text: String) -> String { isDecorated ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
}
