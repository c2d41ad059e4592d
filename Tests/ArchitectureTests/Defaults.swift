// SPDX-License-Identifier: Apache-2.0

// In the layers that decide, a new case of a type of ours has to be decided: the compiler says where, unless a `default`
// takes it. So no `switch` with a case that is named with a dot (`case .start`) has one. A number, a text or a byte is
// no such type: its cases are values (`case 6...`, `case "log"`), and their rest needs a `default`.

extension Checks {
  /// The folders of the layers that decide.
  static let deciding = [
    "Sources/Logic/LocationEngine/", "Sources/Logic/ServiceContract/Events/",
    "Sources/Logic/ServiceContract/Service", "Sources/Logic/ServiceContract/Store/",
    "Sources/Logic/ServiceCore/", "Sources/Logic/Replay/",
  ]

  /// The `default`s of switches that name cases.
  static func defaults(in file: SourceFile) -> [Finding] {
    let code = file.code
    return code.words.compactMap { word in
      guard word.text == "default", word.after == UInt8(ascii: ":"),
        let open = enclosing(word.start, in: code.bytes),
        code.bytes[open] == UInt8(ascii: "{"), namesCases(from: open, in: code.bytes)
      else { return nil }
      return Finding(
        path: file.path, line: word.line,
        message:
          "a `default` over a type of ours: name the rest of its cases, so that a new one does not "
          + "compile until somebody has decided it")
    }
  }

  /// The bracket around a place; `nil` if there is none.
  private static func enclosing(_ place: Int, in bytes: [UInt8]) -> Int? {
    var depth = 0
    for position in stride(from: place - 1, through: 0, by: -1) {
      if isClosing(bytes[position]) { depth += 1 }
      guard isOpening(bytes[position]) else { continue }
      if depth == 0 { return position }
      depth -= 1
    }
    return nil
  }

  /// Whether a pattern of the switch that opens there has a word behind a dot.
  private static func namesCases(from open: Int, in bytes: [UInt8]) -> Bool {
    var (depth, position, isPattern) = (0, open, false)
    repeat {
      let byte = bytes[position]
      // Braces of a pattern's `where` and of nested code are not its names; its parentheses are.
      if byte == UInt8(ascii: "{") { depth += 1 }
      if byte == UInt8(ascii: "}") { depth -= 1 }
      if depth == 1 {
        if isWord("case", at: position, in: bytes) { isPattern = true }
        if byte == UInt8(ascii: ":"), isPattern, !isInParentheses(position, from: open, in: bytes) {
          isPattern = false
        }
        if isPattern, byte == UInt8(ascii: "."), position + 1 < bytes.count,
          bytes[position - 1] != byte,
          (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[position + 1])
        {
          return true
        }
      }
      position += 1
    } while depth > 0 && position < bytes.count
    return false
  }

  private static func isWord(_ word: String, at position: Int, in bytes: [UInt8]) -> Bool {
    let end = position + word.utf8.count
    return end < bytes.count && bytes[position..<end].elementsEqual(word.utf8)
      && !Code.isPartOfWord(bytes[position - 1]) && !Code.isPartOfWord(bytes[end])
  }

  private static func isInParentheses(_ place: Int, from open: Int, in bytes: [UInt8]) -> Bool {
    guard let around = enclosing(place, in: bytes) else { return false }
    return around != open && bytes[around] != UInt8(ascii: "{")
  }

  private static func isOpening(_ byte: UInt8) -> Bool {
    [UInt8(ascii: "{"), UInt8(ascii: "("), UInt8(ascii: "[")].contains(byte)
  }

  private static func isClosing(_ byte: UInt8) -> Bool {
    [UInt8(ascii: "}"), UInt8(ascii: ")"), UInt8(ascii: "]")].contains(byte)
  }
}
