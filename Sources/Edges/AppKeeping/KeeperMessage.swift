// SPDX-License-Identifier: Apache-2.0

package import Host

// Messages between a daemon and a keeper: lines of words, separated by one space, at most
// `Words.limit` bytes long. In a word, bytes up to 0x20, `%`, `=` and 0x7F are written as `%20`.
// Both sides come from one build; an unknown word is an error of the connection and ends it.

/// A line of words.
package enum Words {
  /// The limit of a line, bytes.
  package static let limit = 8_192

  private static let digits = Array("0123456789ABCDEF".utf8)

  package static func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if byte <= 0x20 || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "=") || byte == 0x7F {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Words for people, escaped and cut so that their line keeps its limit.
  package static func escaped(remark text: String) -> String {
    escaped(String(decoding: text.utf8.prefix(limit / 4), as: UTF8.self))
  }

  package static func unescaped(_ word: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(word.utf8)[...]
    while let byte = rest.popFirst() {
      let pair = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      guard byte == UInt8(ascii: "%"), let pair else {
        bytes.append(byte)
        continue
      }
      bytes.append(pair)
      rest = rest.dropFirst(2)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A message of a daemon to a keeper.
package enum Order: Sendable, Equatable {
  case freeze
  case thaw
  /// SIGTERM, and SIGKILL after `grace` seconds.
  case end(grace: Double)
  case kill
  /// The daemon has noted the end; the keeper may leave.
  case done

  package var line: String {
    switch self {
    case .freeze: "freeze\n"
    case .thaw: "thaw\n"
    case .end(let grace): "end \(grace)\n"
    case .kill: "kill\n"
    case .done: "done\n"
    }
  }

  package init?(line: Substring) {
    let words = line.split(separator: " ")
    switch (words.first, words.count) {
    case ("freeze", 1): self = .freeze
    case ("thaw", 1): self = .thaw
    case ("end", 2):
      guard let grace = Double(words[1]), grace >= 0, grace.isFinite else { return nil }
      self = .end(grace: grace)
    case ("kill", 1): self = .kill
    case ("done", 1): self = .done
    default: return nil
    }
  }
}

/// A message of a keeper to its daemon.
package enum Report: Sendable, Equatable {
  /// To a daemon that has just connected: the held app.
  case holds(pid: Int32, isFrozen: Bool)
  case started(pid: Int32)
  case frozen
  case thawed
  case warning(String)
  case ended(KeeperMachine.Ending)
  /// Another daemon has connected; this one no longer has any control.
  case superseded

  package var line: String {
    switch self {
    case .holds(let pid, let isFrozen): "holds \(pid) \(isFrozen ? "frozen" : "running")\n"
    case .started(let pid): "started \(pid)\n"
    case .frozen: "frozen\n"
    case .thawed: "thawed\n"
    case .warning(let text): "warning \(Words.escaped(remark: text))\n"
    case .ended(let ending): "ended \(ending.words)\n"
    case .superseded: "superseded\n"
    }
  }

  package init?(line: Substring) {
    let words = line.split(separator: " ")
    switch (words.first, words.count) {
    case ("holds", 3):
      guard let pid = Int32(words[1]), words[2] == "frozen" || words[2] == "running"
      else { return nil }
      self = .holds(pid: pid, isFrozen: words[2] == "frozen")
    case ("started", 2):
      guard let pid = Int32(words[1]) else { return nil }
      self = .started(pid: pid)
    case ("frozen", 1): self = .frozen
    case ("thawed", 1): self = .thawed
    case ("warning", 2): self = .warning(Words.unescaped(words[1]))
    case ("ended", 3):
      guard let ending = KeeperMachine.Ending(words: words[1...]) else { return nil }
      self = .ended(ending)
    case ("superseded", 1): self = .superseded
    default: return nil
    }
  }
}

extension KeeperMachine.Ending {
  /// Two words, as in reports and state files.
  package var words: String {
    switch self {
    case .exited(let status): "exited \(status)"
    case .signalled(let signal): "signalled \(signal)"
    case .failed(let reason): "failed \(Words.escaped(remark: reason))"
    case .prevented(let reason): "prevented \(Words.escaped(remark: reason))"
    }
  }

  package init?(words: ArraySlice<Substring>) {
    guard words.count == 2, let kind = words.first, let value = words.last else { return nil }
    switch (kind, Int32(value)) {
    case ("exited", let status?): self = .exited(status)
    case ("signalled", let signal?): self = .signalled(signal)
    case ("failed", _): self = .failed(Words.unescaped(value))
    case ("prevented", _): self = .prevented(Words.unescaped(value))
    default: return nil
    }
  }
}

extension LineBuffer {
  /// A buffer for lines of words.
  package static var ofWords: LineBuffer { LineBuffer(limit: Words.limit) }

  package mutating func nextWords() -> Substring? {
    next().map { Substring(decoding: $0, as: UTF8.self) }
  }
}
