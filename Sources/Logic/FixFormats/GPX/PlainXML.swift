// SPDX-License-Identifier: Apache-2.0

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
  /// The part of the current tag behind its name.
  private var tag = TagRest()
  /// The start of the next token, in the bytes being read.
  private var position = 0
  /// The 1-based line of `counted`.
  private(set) var line: Int
  private var counted = 0
  /// Whether the declaration says so: then an undeclared entity is an error.
  private var isStandalone = false

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
  mutating func readTokens(_ bytes: borrowing Span<UInt8>, into state: inout GPXState) -> Outcome {
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
      case .content: return readText(bytes, &state)
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
      if !block.marks(of: 0x0D, or: 0x0A).isEmpty {
        if !block.marks(of: 0x0D).isEmpty { break }
        line += block.marks(of: 0x0A).count
      }
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
    while end < bytes.count, PlainText.isBlank(bytes[end]) { end += 1 }
    guard end < bytes.count else { return .cut }
    guard end > position else { return .unclear }
    if phase == .beginning { phase = .prolog }
    position = end
    return .taken
  }

  private mutating func readText(
    _ bytes: borrowing Span<UInt8>, _ state: inout GPXState
  ) -> Token {
    guard let run = CharacterRun(bytes, from: position, to: "<", odd: "]") else { return .cut }
    if run.isOdd {
      let context: PlainText.Place = state.isCollecting ? .field : .text
      guard PlainText.isCertain(bytes, run.range, context) else { return .unclear }
    }
    if state.isCollecting { state.appendText(bytes.extracting(run.range)) }
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
    state.closeElement(line: line(at: tag, bytes))
    return .taken
  }

  private mutating func startTag(
    _ bytes: borrowing Span<UInt8>, _ state: inout GPXState
  ) -> Token {
    let start = position + 1
    let end = RawName.nameEnd(bytes, from: start)
    guard end < bytes.count else { return end - start > RawName.longest ? .unclear : .cut }
    guard end > start, end - start <= RawName.longest else { return .unclear }
    let name = RawName(bytes, start..<end)
    guard let known = memory[name] ?? memory.learn(name, bytes, start..<end) else {
      return .unclear
    }
    if bytes[end] == UInt8(ascii: ">") {
      if state.takesWhole(known.element), let text = wholeText(bytes, from: end + 1, of: name) {
        state.take(element: known.element, named: known.name, bytes, text)
        position = text.upperBound + 3 + name.count
        return .taken
      }
      tag.end(at: end + 1)
    } else {
      let token = tag.readRest(bytes, from: end)
      guard token == .taken else { return token }
    }
    phase = .content
    let wasInPoint = state.isInPoint
    state.openElement(known.element, named: known.name, line: line(at: position, bytes))
    guard state.failure == nil else { return .taken }
    if known.element.isPoint, !wasInPoint {
      if let one = tag.first { state.setCoordinate(one.name, bytes, one.range) }
      if let one = tag.second { state.setCoordinate(one.name, bytes, one.range) }
    }
    position = tag.position
    if tag.isEmpty {
      if names.isEmpty { phase = .epilog }
      // Expat reports an empty element's end at the end of the tag.
      state.closeElement(line: line(at: position, bytes))
    } else {
      names.append(name)
    }
    return .taken
  }

  /// The text of an element, from the end of its start tag on, if its end tag follows in these bytes and nothing has to
  /// be judged.
  @inline(__always)
  private func wholeText(
    _ bytes: borrowing Span<UInt8>, from start: Int, of name: RawName
  ) -> Range<Int>? {
    guard let run = CharacterRun(bytes, from: start, to: "<", odd: "]"), !run.isOdd else {
      return nil
    }
    let nameStart = run.range.upperBound + 2
    let nameEnd = nameStart + name.count
    guard nameEnd < bytes.count, bytes[nameStart - 1] == UInt8(ascii: "/"),
      bytes[nameEnd] == UInt8(ascii: ">"), RawName(bytes, nameStart..<nameEnd) == name
    else { return nil }
    return run.range
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
}
