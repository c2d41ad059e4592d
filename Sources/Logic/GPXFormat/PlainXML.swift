// SPDX-License-Identifier: Apache-2.0

import FixFormats
import JSONText

// Theory
// ======
//
// Nearly all GPX is plain: tags, attributes, text, comments, in UTF-8, without a document type. That is
// read here, in place. Everything else is left to expat, and so is every judgement: a token is taken only
// if expat certainly takes it too, with the same result. At the first token that is not certain this reader
// stops for good, and expat continues from there, with the elements open that are open here (`opening`):
//
//     beginning --XML declaration--> prolog --root--> content --its end--> epilog
//         \______________________________|________________|_________________/
//                                        v
//                         left: expat reads on, to the end
//
// Not certain are: malformed text; DOCTYPE, processing instructions, other encodings than UTF-8;
// references except &amp; &lt; &gt; &quot; &apos;, and those too in a field; a carriage return in a
// field, which XML makes a line feed; blanks around the = of an attribute; names that are not ASCII or
// longer than 32 bytes. Valid text is often not certain: that costs time and changes nothing.
//
// A token cut off by the end of the bytes is not touched until more of them come.

/// Reads the plain part of a document into `GPXState`.
struct PlainXML {
  /// The outcome of reading.
  enum Outcome: Equatable {
    /// All tokens up to `position` are read; the next one needs more bytes.
    case needsMore(position: Int)
    /// The token at `position` and all that follow are for expat.
    case left(position: Int)
    /// `GPXState` failed.
    case failed
  }

  private enum Phase { case beginning, prolog, content, epilog }

  /// The outcome of reading one token.
  enum Token { case taken, cut, unclear }

  private var phase = Phase.beginning
  private var hasByteOrderMark = false
  private var names: [RawName] = []
  private var memory = NameMemory()
  /// The places of the attributes' names in the current tag.
  private var attributes: [Range<Int>] = []
  /// The start of the next token, in the bytes being read.
  private var position = 0
  /// The 1-based line of `counted`.
  private(set) var line: Int
  private var counted = 0
  /// Whether the declaration says so: then an undeclared entity is an error.
  private var isStandalone = false

  static let attributeLimit = 32

  /// `line` is that of the first byte.
  init(line: Int) {
    self.line = line
    names.reserveCapacity(GPXState.depthLimit)
  }

  /// A document that leaves a parser at this reader's state.
  var opening: [UInt8] { (isStandalone ? PlainText.standalone : []) + opened }

  private var opened: [UInt8] {
    switch phase {
    case .beginning: hasByteOrderMark ? PlainText.byteOrderMark : []
    case .prolog: Array("<!---->".utf8)
    case .content:
      names.flatMap { [UInt8(ascii: "<")] + $0.bytes + [UInt8(ascii: ">")] }
    case .epilog: Array("<gpx/>".utf8)
    }
  }

  /// Reads tokens from the start of `bytes` on.
  mutating func read(_ bytes: borrowing Span<UInt8>, into state: inout GPXState) -> Outcome {
    (position, counted) = (0, 0)
    defer { count(upTo: position, bytes) }
    while position < bytes.count {
      switch next(bytes, &state) {
      case .taken: if state.failure != nil { return .failed }
      case .cut: return .needsMore(position: position)
      case .unclear: return .left(position: position)
      }
    }
    return .needsMore(position: position)
  }

  @inline(__always)
  private mutating func next(
    _ bytes: borrowing Span<UInt8>, _ state: inout GPXState
  ) -> Token {
    if bytes[position] != UInt8(ascii: "<") {
      switch phase {
      case .content: return text(bytes, &state)
      case .beginning where !hasByteOrderMark && bytes[position] == 0xEF:
        return byteOrderMark(bytes)
      case .beginning, .prolog, .epilog: return blanks(bytes)
      }
    }
    guard position + 1 < bytes.count else { return .cut }
    let second = bytes[position + 1]
    if second == UInt8(ascii: "/") { return endTag(bytes, &state) }
    if second == UInt8(ascii: "!") { return markup(bytes, state.isCollecting) }
    if second == UInt8(ascii: "?") { return phase == .beginning ? declaration(bytes) : .unclear }
    guard phase != .epilog else { return .unclear }
    return startTag(bytes, &state)
  }

  // MARK: - Lines

  /// The line of the byte at `place`, which is not before the last one requested.
  private mutating func line(at place: Int, _ bytes: borrowing Span<UInt8>) -> Int {
    count(upTo: place, bytes)
    return line
  }

  /// Counts line ends: LF, CR LF, and CR alone.
  private mutating func count(upTo place: Int, _ bytes: borrowing Span<UInt8>) {
    while place - counted >= ByteBlock.length {
      let block = ByteBlock(bytes, at: counted)
      if !block.marks(of: 0x0D).isEmpty { break }
      line += block.marks(of: 0x0A).count
      counted += ByteBlock.length
    }
    while counted < place {
      let end = min(counted + ByteWord.length, place)
      let word = ByteWord(bytes, from: counted, to: end)
      line += ByteWord.count(of: word.marks(of: 0x0A))
      var returns = word.marks(of: 0x0D)
      while returns != 0 {
        let next = counted + ByteWord.place(of: returns) + 1
        // A CR as the very last byte looks the same as one before a LF: then expat counts.
        if next >= bytes.count || bytes[next] != 0x0A { line += 1 }
        returns &= returns &- 1
      }
      counted = end
    }
  }

  // MARK: - Tokens

  private mutating func byteOrderMark(_ bytes: borrowing Span<UInt8>) -> Token {
    guard position + 3 <= bytes.count else { return .cut }
    for place in 0..<3 where bytes[position + place] != PlainText.byteOrderMark[place] {
      return .unclear
    }
    hasByteOrderMark = true
    position += 3
    return .taken
  }

  /// Blanks before and behind the root.
  private mutating func blanks(_ bytes: borrowing Span<UInt8>) -> Token {
    var end = position
    while end < bytes.count, Self.isBlank(bytes[end]) { end += 1 }
    guard end < bytes.count else { return .cut }
    guard end > position else { return .unclear }
    if phase == .beginning { phase = .prolog }
    position = end
    return .taken
  }

  private mutating func text(
    _ bytes: borrowing Span<UInt8>, _ state: inout GPXState
  ) -> Token {
    guard let run = CharacterRun(bytes, from: position, to: "<", odd: "]") else { return .cut }
    if run.isOdd {
      let context: PlainText.Place = state.isCollecting ? .field : .text
      guard PlainText.isCertain(bytes, run.range, context) else { return .unclear }
    }
    if state.isCollecting { state.append(bytes.extracting(run.range)) }
    position = run.range.upperBound
    return .taken
  }

  private mutating func endTag(
    _ bytes: borrowing Span<UInt8>, _ state: inout GPXState
  ) -> Token {
    guard let name = names.last else { return .unclear }
    let start = position + 2
    let end = start + name.count
    guard end < bytes.count else { return .cut }
    guard bytes[end] == UInt8(ascii: ">"), RawName(bytes, start..<end) == name else {
      return .unclear
    }
    let tag = position
    position = end + 1
    names.removeLast()
    if names.isEmpty { phase = .epilog }
    state.close(line: line(at: tag, bytes))
    return .taken
  }

  private mutating func startTag(
    _ bytes: borrowing Span<UInt8>, _ state: inout GPXState
  ) -> Token {
    let tag = position
    let start = tag + 1
    var end = start
    while end < bytes.count, Self.isOfName(bytes[end]) { end += 1 }
    guard end < bytes.count else { return end - start > RawName.longest ? .unclear : .cut }
    guard end > start, Self.startsName(bytes[start]), end - start <= RawName.longest else {
      return .unclear
    }
    let name = RawName(bytes, start..<end)
    var tagEnd = TagEnd()
    if bytes[end] == UInt8(ascii: ">") {
      tagEnd.position = end + 1
    } else {
      switch readAttributes(bytes, from: end, &tagEnd) {
      case .taken: break
      case .cut: return .cut
      case .unclear: return .unclear
      }
    }
    phase = .content
    let known = memory.entry(name)
    let wasInPoint = state.isInPoint
    let isEmpty = tagEnd.isEmpty
    state.open(known.element, named: known.name, line: line(at: tag, bytes))
    guard state.failure == nil else { return .taken }
    if known.element.isPoint, !wasInPoint {
      if let one = tagEnd.coordinates.first {
        state.setCoordinate(one.name, bytes.extracting(one.range))
      }
      if let one = tagEnd.coordinates.second {
        state.setCoordinate(one.name, bytes.extracting(one.range))
      }
    }
    position = tagEnd.position
    if isEmpty {
      if names.isEmpty { phase = .epilog }
      // Expat reports an empty element's end at the end of the tag.
      state.close(line: line(at: tagEnd.position, bytes))
    } else {
      names.append(name)
    }
    return .taken
  }

  // MARK: - Attributes

  private struct TagEnd {
    /// The place behind the tag.
    var position = 0
    var isEmpty = false
    var coordinates = Coordinates()
  }

  /// The places of the values of `lat` and `lon`, in the order of the tag: the first bad one is reported.
  private struct Coordinates {
    private(set) var first: (name: String, range: Range<Int>)?
    private(set) var second: (name: String, range: Range<Int>)?

    mutating func append(_ name: String, _ range: Range<Int>) {
      if first == nil { first = (name, range) } else { second = (name, range) }
    }
  }

  /// Reads attributes, each after at least one blank, and the end of the tag.
  private mutating func readAttributes(
    _ bytes: borrowing Span<UInt8>, from start: Int, _ tag: inout TagEnd
  ) -> Token {
    attributes.removeAll(keepingCapacity: true)
    var place = start
    while true {
      let blank = place
      while place < bytes.count, Self.isBlank(bytes[place]) { place += 1 }
      guard place < bytes.count else { return .cut }
      if bytes[place] == UInt8(ascii: ">") {
        tag.position = place + 1
        return .taken
      }
      if bytes[place] == UInt8(ascii: "/") {
        guard place + 1 < bytes.count else { return .cut }
        (tag.position, tag.isEmpty) = (place + 2, true)
        return bytes[place + 1] == UInt8(ascii: ">") ? .taken : .unclear
      }
      guard place > blank else { return .unclear }
      let token = readAttribute(bytes, &place, &tag)
      guard token == .taken else { return token }
    }
  }

  private mutating func readAttribute(
    _ bytes: borrowing Span<UInt8>, _ place: inout Int, _ tag: inout TagEnd
  ) -> Token {
    let start = place
    while place < bytes.count, Self.isOfName(bytes[place]) { place += 1 }
    guard place + 1 < bytes.count else { return .cut }
    let name = start..<place
    let quote = bytes[place + 1]
    guard !name.isEmpty, Self.startsName(bytes[start]), bytes[place] == UInt8(ascii: "="),
      quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"), remember(name, bytes)
    else { return .unclear }
    let mark: Unicode.Scalar = quote == UInt8(ascii: "'") ? "'" : "\""
    guard let run = CharacterRun(bytes, from: place + 2, to: mark, odd: "<") else { return .cut }
    place = run.range.upperBound + 1
    let isLatitude = Self.isCoordinate(bytes, name, 0x61, 0x74)
    if isLatitude || Self.isCoordinate(bytes, name, 0x6F, 0x6E) {
      // Its value is used, so it must be literal.
      if run.isOdd { return .unclear }
      tag.coordinates.append(isLatitude ? "lat" : "lon", run.range)
    } else if run.isOdd, !PlainText.isCertain(bytes, run.range, .attribute) {
      return .unclear
    }
    return .taken
  }

  /// Whether a name is `l` and the two given letters.
  @inline(__always)
  private static func isCoordinate(
    _ bytes: borrowing Span<UInt8>, _ name: Range<Int>, _ second: UInt8, _ third: UInt8
  ) -> Bool {
    name.count == 3 && bytes[name.lowerBound] == 0x6C && bytes[name.lowerBound + 1] == second
      && bytes[name.lowerBound + 2] == third
  }

  /// Keeps the name of an attribute; `false` if the tag has it already, or has too many.
  private mutating func remember(_ name: Range<Int>, _ bytes: borrowing Span<UInt8>) -> Bool {
    for other in attributes where other.count == name.count {
      var isSame = true
      for offset in 0..<name.count
      where bytes[other.lowerBound + offset] != bytes[name.lowerBound + offset] {
        isSame = false
        break
      }
      if isSame { return false }
    }
    attributes.append(name)
    return attributes.count <= Self.attributeLimit
  }

  // MARK: - Declaration, comments, CDATA

  private mutating func declaration(_ bytes: borrowing Span<UInt8>) -> Token {
    switch PlainText.declaration(bytes, at: position) {
    case .read(let length, let isStandalone):
      self.isStandalone = isStandalone
      position += length
      phase = .prolog
      return .taken
    case .cut: return .cut
    case .other: return .unclear
    }
  }

  private mutating func markup(
    _ bytes: borrowing Span<UInt8>, _ isCollecting: Bool
  ) -> Token {
    guard position + 9 <= bytes.count else { return .cut }
    let isComment = PlainText.has("<!--", bytes, at: position)
    let isCharacters =
      phase == .content && !isCollecting && PlainText.has("<![CDATA[", bytes, at: position)
    guard isComment || isCharacters else { return .unclear }
    let start = position + (isComment ? 4 : 9)
    let mark = isComment ? UInt8(ascii: "-") : UInt8(ascii: "]")
    var end = start
    while true {
      end = end >= bytes.count ? bytes.count : bytes.first(mark, from: end, to: bytes.count)
      guard end + 2 < bytes.count else { return .cut }
      if bytes[end + 1] == mark {
        if bytes[end + 2] == UInt8(ascii: ">") { break }
        // In a comment two hyphens are an error; any number of brackets is allowed.
        if isComment { return .unclear }
      }
      end += 1
    }
    guard PlainText.isCertain(bytes, start..<end, .literal) else { return .unclear }
    if phase == .beginning { phase = .prolog }
    position = end + 3
    return .taken
  }

  // MARK: - Characters

  @inline(__always)
  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  @inline(__always)
  private static func startsName(_ byte: UInt8) -> Bool {
    byte | 0x20 &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "_")
  }

  @inline(__always)
  private static func isOfName(_ byte: UInt8) -> Bool {
    byte | 0x20 &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
      || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: ".")
  }
}
