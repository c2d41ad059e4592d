// SPDX-License-Identifier: Apache-2.0

import LocationModel

/// The attributes of a point, by their names.
enum GPXCoordinate: String {
  case latitude = "lat"
  case longitude = "lon"
}

/// One `trkpt`, `rtept` or `wpt` while its elements are read, and its faults.
struct GPXPoint {
  /// The fault of an unreadable coordinate or time; the offending text is kept for the message.
  enum Flaw {
    case coordinate(name: String, text: String)
    case time(text: String)
  }

  let element: GPXElement
  /// The number of elements open at its start.
  let depth: Int
  var draft = FixDraft()
  var flaw: Flaw?
  var hasNoFix = false
  var hasZonelessTime = false
  var line = 0
  /// Fields that could not be read.
  private(set) var unread: [UnreadValue] = []

  init(_ element: GPXElement, depth: Int) {
    self.element = element
    self.depth = depth
  }

  mutating func setCoordinate(
    _ coordinate: GPXCoordinate, _ bytes: borrowing Span<UInt8>, _ range: Range<Int>
  ) {
    let value = NumberText.value(bytes, range)
    if value == nil, flaw == nil {
      flaw = .coordinate(
        name: coordinate.rawValue, text: Self.quoted(bytes.extracting(range)))
    }
    switch coordinate {
    case .latitude: draft.latitude = value
    case .longitude: draft.longitude = value
    }
  }

  /// Takes the text of a field; if a field occurs twice the first counts, so that a child of the
  /// point goes before the same word in its extensions.
  mutating func set(_ element: GPXElement, _ bytes: borrowing Span<UInt8>, _ range: Range<Int>) {
    let text = bytes.extracting(range)
    switch element {
    case .time: setTime(text)
    case .fixKind: hasNoFix = Self.says("none", text)
    case .source:
      if Self.says("network", text) || Self.says("cell", text) || Self.says("wifi", text) {
        draft.source = .network
      }
    case .comment: CommentConvention.readComment(text, into: &draft)
    default:
      let value = NumberText.value(bytes, range)
      if value == nil { leaveOut(element, text) }
      setNumber(element, value)
    }
  }

  private mutating func setNumber(_ element: GPXElement, _ value: Double?) {
    switch element {
    case .elevation: draft.altitude = draft.altitude ?? value
    case .speed: draft.speed = draft.speed ?? value
    case .course: draft.course = draft.course ?? value
    case .hdop: draft.hdop = draft.hdop ?? value
    case .vdop: draft.vdop = draft.vdop ?? value
    case .satellites: draft.satellites = draft.satellites ?? value
    case .geoidHeight: draft.geoidHeight = draft.geoidHeight ?? value
    case .accuracy: draft.accuracy = draft.accuracy ?? value
    case .verticalAccuracy: draft.verticalAccuracy = draft.verticalAccuracy ?? value
    case .ellipsoidalHeight: draft.ellipsoidalHeight = draft.ellipsoidalHeight ?? value
    case .speedAccuracy: draft.speedAccuracy = draft.speedAccuracy ?? value
    case .courseAccuracy: draft.courseAccuracy = draft.courseAccuracy ?? value
    default: break
    }
  }

  private mutating func leaveOut(_ element: GPXElement, _ text: borrowing Span<UInt8>) {
    let words = Self.quoted(text).split(separator: " ").joined(separator: " ")
    if !UnreadValue.isUnknown(words) { unread.append(UnreadValue(element.fieldName, words)) }
  }

  private mutating func setTime(_ text: borrowing Span<UInt8>) {
    var start = 0
    var end = text.count
    while start < end, text[start] <= 0x20 { start += 1 }
    while end > start, text[end - 1] <= 0x20 { end -= 1 }
    if start == end { return }
    guard let time = RFC3339.parse(text.extracting(start..<end)) else {
      if flaw == nil { flaw = .time(text: Self.quoted(text)) }
      return
    }
    hasZonelessTime = draft.setTime(time)
  }

  /// Whether `fix` says "none" and nothing in the point contradicts it.
  ///
  /// Converters write `none` for unknown values: GPSBabel does so for positions that state three
  /// satellites and a speed. A position with three or more satellites was computed.
  var isWithoutFix: Bool { hasNoFix && (draft.satellites ?? 0) < 3 }

  private static func says(_ word: StaticString, _ text: borrowing Span<UInt8>) -> Bool {
    var place = 0
    var isEqual = true
    for index in 0..<text.count where text[index] > 0x20 {
      let byte = text[index] | 0x20
      let wanted: UInt8? = place < word.utf8CodeUnitCount ? word.byte(at: place) : nil
      if wanted != byte { isEqual = false }
      place += 1
    }
    return isEqual && place == word.utf8CodeUnitCount
  }

  /// At most 40 bytes of a text, for a message.
  private static func quoted(_ text: borrowing Span<UInt8>) -> String {
    var bytes: [UInt8] = []
    for index in 0..<min(40, text.count) { bytes.append(text[index] < 0x20 ? 0x20 : text[index]) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
