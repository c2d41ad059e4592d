// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import LocationModel

// Theory
// ======
//
// Of a million lines all begin alike, up to the end of their settings, and four fifths of each are its sums:
//
//   {"schema":…,"settings":{…},   "traces":1,"names":[…],…   ,"sums":"base85"}
//   └─ as in the line before ──┘  └─ parsed as an object ─┘          └─ read into the memory of the line before
//
// A line that is written in another way, by whatever program it went through, is parsed as a whole.

/// Reads lines of one kind, release, settings and shape, one after the other; others are refused.
package struct PartialReader<Line: PartialLine> {
  private let release: String
  private let settings: [(name: String, value: String)]
  /// The sums of the line that was read last.
  package private(set) var sums: ExactSums
  /// How the last line began, with the comma behind its settings, and its members up to there.
  private var beginning: (bytes: [UInt8], members: [JSONValue.Member]) = ([], [])

  package init(release: String, settings: [(name: String, value: String)], shape: ExactSums) {
    (self.release, self.settings, sums) = (release, settings, shape)
  }

  /// What the line says beside its sums.
  package mutating func read(_ line: [UInt8]) throws(InputError) -> Line {
    let isAlike = !beginning.bytes.isEmpty && line.starts(with: beginning.bytes)
    let (json, words) = try parts(of: line, isAlike ? beginning : ([], []))
    guard json["schema"]?.string == Line.title else {
      throw InputError("no line of milepost \(Line.command) --partial; leave the file out")
    }
    let partial = try Line.table.read(
      object: JSONObjectReader(json, name: "the line"), into: .empty)
    guard partial.release == release else {
      throw InputError(
        "made by milepost \(Quoted.text(partial.release)), not \(release); make the line again")
    }
    if !isAlike { try check(partial) }
    let subjects = partial.subjects
    guard let words, sums.read(words), subjects.count > 0, !subjects.names.isEmpty,
      subjects.names.count <= PartialSubjects.mostNames
    else { throw InputError("'sums' is not as --partial writes it; make the line again") }
    if !isAlike { beginning = Self.beginning(of: line) }
    return partial
  }

  /// The members of a line, and its sums as words; they are no base85 if there are none.
  private func parts(
    of line: [UInt8], _ known: (bytes: [UInt8], members: [JSONValue.Member])
  ) throws(InputError) -> (JSONValue, [UInt32]?) {
    if let (end, words) = Self.cutSums(off: line, from: known.bytes.count),
      let members = Self.parse(
        known.bytes.isEmpty ? line[..<end] : [UInt8(ascii: "{")] + line[known.bytes.count..<end]),
      !members.contains(where: { own in
        own.key == "sums" || known.members.contains { $0.key == own.key }
      })
    {
      return (.object(known.members + members), words)
    }
    let json = line.first == UInt8(ascii: "{") ? try Self.parse(line) : .null
    if json["schema"]?.string == Line.title { try Self.checkKeys(json) }
    return (json, json["sums"]?.string.flatMap(Base85.words))
  }

  /// Where the comma before the sums stands, which are the last member, and their words; `nil` if it is not so.
  private static func cutSums(off line: [UInt8], from start: Int) -> (end: Int, words: [UInt32])? {
    guard line.count > start, line.suffix(2).elementsEqual("\"}".utf8) else { return nil }
    let key = Array(",\"sums\":\"".utf8)
    // A quote within a text has a backslash before it: so this is a key.
    var place = start
    while let comma = line[place...].firstIndex(of: key[0]) {
      if line[comma...].starts(with: key) {
        let text = comma + key.count..<line.count - 2
        guard !text.isEmpty, let words = Base85.words(line[text]) else { return nil }
        return (comma, words)
      }
      place = comma + 1
    }
    return nil
  }

  /// The members of an object without its last brace; `nil` if it is none, or a key stands twice.
  private static func parse(_ object: ArraySlice<UInt8>) -> [JSONValue.Member]? {
    let json = try? parse(Array(object) + [UInt8(ascii: "}")])
    guard let json, (try? checkKeys(json)) != nil else { return nil }
    return json.members
  }

  /// The bytes up to the comma behind the first object within, and the members up to there; nothing if there are none.
  private static func beginning(of line: [UInt8]) -> (bytes: [UInt8], members: [JSONValue.Member]) {
    var (depth, isText, isEscaped) = (0, false, false)
    for (place, byte) in line.enumerated() {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\"): isEscaped = isText
      case UInt8(ascii: "\""): isText.toggle()
      case UInt8(ascii: "{") where !isText: depth += 1
      case UInt8(ascii: "}") where !isText:
        depth -= 1
        guard depth == 1 else { return ([], []) }
        let isSettled = place + 1 < line.count && line[place + 1] == UInt8(ascii: ",")
        guard isSettled, let members = parse(line[...place]),
          members.contains(where: { $0.key == "settings" })
        else { return ([], []) }
        return (Array(line[...(place + 1)]), members)
      default: break
      }
    }
    return ([], [])
  }

  private static func parse(_ line: [UInt8]) throws(InputError) -> JSONValue {
    do throws(SyntaxError) {
      return try JSONValue.parse(line.span)
    } catch {
      throw InputError(
        "not JSON: \(error.message) at byte \(error.offset + 1); make the line again")
    }
  }

  private func check(_ partial: Line) throws(InputError) {
    for (name, value) in settings {
      let made = partial.settings.first { $0.name == name }?.value
      guard made != value else { continue }
      throw InputError(
        "made with \(name) \(made.map(Quoted.text) ?? "unknown"), not \(value); give --merge the options "
          + "that --partial had, or make the line again")
    }
  }

  /// Readers differ in which of two members of one key counts.
  private static func checkKeys(_ json: JSONValue) throws(InputError) {
    guard let members = json.members else { return }
    var keys: Set<String> = []
    for member in members {
      guard keys.insert(member.key).inserted else {
        throw InputError(
          "the key '\(Quoted.text(member.key))' stands twice in one object; make the line again")
      }
      try checkKeys(member.value)
    }
  }
}
