// SPDX-License-Identifier: Apache-2.0

import CExpat

/// The one owner of expat's parser: makes it, feeds it, frees it.
///
/// Safety. The C pointer never leaves this class, and no data that expat hands to a callback outlive the callback:
/// names and texts are read there and copied. The callbacks get `self` unretained; they run only inside `XML_Parse`,
/// which only `parse` calls, which holds `self`. Expat does no I/O here: external entities have no handler and are not
/// fetched.
///
/// `@unchecked Sendable`: a parser may move between threads but not be used by two at once. `GPXDecoder`
/// owns it privately and all of its entries are `mutating`, so exclusive access to the decoder is
/// exclusive access to the parser. A decoder must not be copied and both copies fed.
@safe
final class ExpatParser: @unchecked Sendable {
  private let parser: XML_Parser?
  var state: GPXState
  private var fed: Int
  private var delivered = 0
  private let linesBefore: Int

  /// Texts longer than this and three times the input come from entities that feed on entities.
  static let expansionAllowance = 1 << 20

  /// Continues where `PlainXML` stopped: with its `state`, behind `bytes` bytes and `lines` lines, and with the
  /// elements open that `opening` opens, which are not reported.
  init(_ state: GPXState, behind bytes: Int, lines: Int, opening: [UInt8]) {
    self.state = state
    fed = bytes
    linesBefore = lines
    unsafe parser = XML_ParserCreate(nil)
    guard let parser = unsafe parser else {
      self.state.fail(TraceError(.limit, "no memory for the XML parser"))
      return
    }
    unsafe XML_SetUnknownEncodingHandler(
      parser,
      { _, name, info in
        guard let name = unsafe name, let info = unsafe info else { return 0 }
        return unsafe SingleByteEncoding.fill(info, named: name) ? 1 : 0
      }, nil)
    // With this an entity that only an external DTD could declare is skipped, not an error.
    _ = unsafe XML_UseForeignDTD(parser, 1)
    _ = unsafe opening.withUnsafeBytes { unsafe Self.parse($0, parser, isFinal: false) }
    tellOfWhatFollows()
  }

  private func tellOfWhatFollows() {
    guard let parser = unsafe parser else { return }
    unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    unsafe XML_SetElementHandler(
      parser,
      { user, name, attributes in
        guard let user = unsafe user, let name = unsafe name else { return }
        unsafe Unmanaged<ExpatParser>.fromOpaque(user)._withUnsafeGuaranteedRef {
          unsafe $0.openElement(name, attributes)
        }
      },
      { user, _ in
        guard let user = unsafe user else { return }
        unsafe Unmanaged<ExpatParser>.fromOpaque(user)._withUnsafeGuaranteedRef {
          $0.closeElement()
        }
      })
    unsafe XML_SetCharacterDataHandler(parser) { user, text, count in
      guard let user = unsafe user, let text = unsafe text else { return }
      unsafe Unmanaged<ExpatParser>.fromOpaque(user)._withUnsafeGuaranteedRef {
        unsafe $0.takeText(text, Int(count))
      }
    }
  }

  deinit { unsafe XML_ParserFree(parser) }

  /// The 1-based line being parsed.
  var line: Int {
    guard let parser = unsafe parser else { return 0 }
    return unsafe Int(XML_LineBeingParsed(parser)) + linesBefore
  }

  /// The reason why expat stopped.
  struct Damage {
    let code: UInt32
    let line: Int
    let words: String

    /// Whether the only fault is that no more bytes follow.
    var isEnd: Bool {
      [
        XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN, XML_ERROR_PARTIAL_CHAR,
        XML_ERROR_UNCLOSED_CDATA_SECTION,
      ].contains(XML_Error(rawValue: code))
    }
  }

  /// Parses the next bytes, the last ones if `isFinal`; returns the reason for stopping, if it did.
  func parse(_ bytes: borrowing Span<UInt8>, isFinal: Bool) -> Damage? {
    guard let parser = unsafe parser, state.failure == nil else { return nil }
    fed += bytes.count
    let status = unsafe bytes.withUnsafeBytes { unsafe Self.parse($0, parser, isFinal: isFinal) }
    guard status == XML_STATUS_ERROR, state.failure == nil else { return nil }
    let code = unsafe XML_GetErrorCode(parser)
    let words = unsafe XML_ErrorString(code).map { unsafe String(cString: $0) }
    return Damage(code: code.rawValue, line: line, words: words ?? "unknown error")
  }

  private static func parse(
    _ bytes: UnsafeRawBufferPointer, _ parser: XML_Parser, isFinal: Bool
  ) -> XML_Status {
    unsafe XML_Parse(
      parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count),
      isFinal ? 1 : 0)
  }

  private func openElement(
    _ name: UnsafePointer<CChar>, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) {
    var length = 0
    while unsafe name[length] != 0 { length += 1 }
    let known = unsafe ElementName(Self.bytes(name, length))
    let element = known.map(GPXElement.named) ?? .other
    let wasInPoint = state.isInPoint
    state.openElement(element, named: known, line: line)
    if state.failure != nil { return stop() }
    guard element.isPoint, !wasInPoint, var next = unsafe attributes else { return }
    while let key = unsafe next.pointee, let value = unsafe next.successor().pointee {
      unsafe next += 2
      guard unsafe key[0] == 0x6C, unsafe key[1] != 0, unsafe key[2] != 0, unsafe key[3] == 0
      else { continue }
      let isLatitude = unsafe key[1] == 0x61 && key[2] == 0x74
      let isLongitude = unsafe key[1] == 0x6F && key[2] == 0x6E
      if isLatitude || isLongitude {
        var count = 0
        while unsafe value[count] != 0 { count += 1 }
        let text = unsafe Self.bytes(value, count)
        state.setCoordinate(
          isLatitude ? .latitude : .longitude, unsafe Span(_unsafeElements: text), 0..<count)
      }
    }
  }

  private func closeElement() {
    // A parser that was stopped in an empty element reports its end all the same (expat.h, XML_StopParser).
    guard state.failure == nil else { return }
    state.closeElement(line: line)
    if state.failure != nil { stop() }
  }

  private func takeText(_ text: UnsafePointer<CChar>, _ count: Int) {
    delivered += count
    if delivered > Self.expansionAllowance + 3 * fed {
      state.fail(
        TraceError(
          .limit, line: line,
          "the document's entities expand to more than three times its size; refused"))
      return stop()
    }
    if state.isCollecting {
      state.appendText(unsafe Span(_unsafeElements: Self.bytes(text, count)))
    }
  }

  private static func bytes(
    _ text: UnsafePointer<CChar>, _ count: Int
  ) -> UnsafeBufferPointer<UInt8> {
    unsafe UnsafeBufferPointer(
      start: UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self), count: count)
  }

  private func stop() {
    guard let parser = unsafe parser else { return }
    _ = unsafe XML_StopParser(parser, 0)
  }
}

/// Encodings that expat does not know by itself and that are ASCII below 128.
///
/// A trace uses only ASCII from a document: tags, numbers, times. So the upper half of any such code
/// page is read as Latin-1; names that come out wrong are not used.
enum SingleByteEncoding {
  private static let prefixes = [
    "windows-125", "cp125", "iso-8859-", "iso8859-", "koi8", "macroman", "latin", "us-ascii",
    "ascii", "windows-874",
  ]

  /// Fills expat's table if `name` is such an encoding; `false` if it is not.
  static func fill(
    _ info: UnsafeMutablePointer<XML_Encoding>, named name: UnsafePointer<CChar>
  ) -> Bool {
    let lowered = unsafe String(cString: name).lowercased()
    guard prefixes.contains(where: lowered.hasPrefix) else { return false }
    unsafe withUnsafeMutableBytes(of: &info.pointee.map) { bytes in
      let codes = unsafe bytes.bindMemory(to: Int32.self)
      for code in 0..<256 { unsafe codes[code] = Int32(code) }
    }
    unsafe info.pointee.data = nil
    unsafe info.pointee.convert = nil
    unsafe info.pointee.release = nil
    return true
  }
}
