// SPDX-License-Identifier: Apache-2.0

/// Rings and arrows from `Package.swift`: its functions `value`, `logic`, `edge`, `wiring`, `apple` and `program` are read, so
/// that this test and the manifest cannot disagree.
struct Manifest {
  enum Ring: String {
    /// Rings 0 and 1: computation only.
    case value, logic
    /// Ring 2 and outwards: may touch the world.
    case edge, wiring, apple, program
  }

  private(set) var rings: [String: Ring] = [:]
  private(set) var allowed: [String: Set<String>] = [:]

  /// Whether `target` is in ring 0 or 1.
  func isPure(_ target: String) -> Bool {
    switch rings[target] {
    case .value, .logic: true
    case .edge, .wiring, .apple, .program, nil: false
    }
  }

  init(text: String) {
    let names = Self.names(in: text)
    let code = Code(text)
    for word in code.words where word.after == UInt8(ascii: "(") {
      guard let ring = Ring(rawValue: word.text), word.before != UInt8(ascii: ".") else { continue }
      let call = Self.call(from: word, in: code)
      guard let first = call.first, let target = names[first] else { continue }
      rings[target] = ring
      // A module's name has no dash: tests import programs, too.
      allowed[target] = Set(
        call.dropFirst().compactMap { names[$0]?.replacing("-", with: "_") })
    }
  }

  /// `["geodesy": "Geodesy"]` of `case geodesy = "Geodesy"`.
  private static func names(in text: String) -> [String: String] {
    var names: [String: String] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ")
      if parts.count == 4, parts[0] == "case", parts[2] == "=", parts[3].hasPrefix("\"") {
        names[String(parts[1])] = String(parts[3].dropFirst().dropLast())
      }
    }
    return names
  }

  /// The words after a leading dot between the parentheses that follow `word`.
  private static func call(from word: Code.Word, in code: Code) -> [String] {
    var depth = 0
    var end = word.start
    repeat {
      if code.bytes[end] == UInt8(ascii: "(") { depth += 1 }
      if code.bytes[end] == UInt8(ascii: ")") { depth -= 1 }
      end += 1
    } while end < code.bytes.count
      && (depth > 0 || end <= word.start + word.text.utf8.count)
    return code.words
      .filter { $0.start > word.start && $0.start < end && $0.before == UInt8(ascii: ".") }
      .map(\.text)
  }
}
