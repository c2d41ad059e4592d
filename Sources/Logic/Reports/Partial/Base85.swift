// SPDX-License-Identifier: Apache-2.0

/// Words as text, five characters each, which JSON need not escape: ZeroMQ's Z85 (https://rfc.zeromq.org/spec/32).
enum Base85 {
  private static let alphabet = Array(
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#".utf8)

  /// By character; 85 if it is none of the alphabet's.
  private static let values: [UInt64] = {
    var values = Array(repeating: UInt64(85), count: 256)
    for (value, digit) in alphabet.enumerated() { values[Int(digit)] = UInt64(value) }
    return values
  }()

  static func text(_ words: [UInt32]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(words.count * 5)
    for word in words {
      var divisor: UInt32 = 85 * 85 * 85 * 85
      for _ in 0..<5 {
        text.append(alphabet[Int(word / divisor % 85)])
        divisor /= 85
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// `nil` if `text` is not base85: a foreign character, a wrong length, a group above 2³² - 1.
  static func words(_ text: ArraySlice<UInt8>) -> [UInt32]? {
    guard text.count.isMultiple(of: 5) else { return nil }
    var words: [UInt32] = []
    // Who reads them appends some zeros.
    words.reserveCapacity(text.count / 5 + 3)
    // Not looked up for every character.
    let values = Self.values
    for start in stride(from: text.startIndex, to: text.endIndex, by: 5) {
      var (group, greatest): (UInt64, UInt64) = (0, 0)
      for place in start..<start + 5 {
        let value = values[Int(text[place])]
        group = group &* 85 &+ value
        greatest = max(greatest, value)
      }
      guard greatest < 85, let word = UInt32(exactly: group) else { return nil }
      words.append(word)
    }
    return words
  }

  static func words(_ text: String) -> [UInt32]? { words(Array(text.utf8)[...]) }
}
