// SPDX-License-Identifier: Apache-2.0

import JSONText

/// What a GPX document's elements mean, independent of XML.
///
/// Theory. Open elements are a stack of `GPXElement`. Outside a point only `trkpt`, `rtept` and `wpt`
/// (which begin one) and the ends of `trkseg`, `trk` and `rte` (which end a segment, if it had a
/// point) matter. Inside a point the text of a field is collected and stored at its end tag.
///
/// Waypoints and planned routes stand before tracks in GPX. Waypoints are the trace only if nothing else is (Xcode's
/// files), and points of a route that have no time only if there is no track. So they are held, at most `heldLimit`,
/// until the first point of a track drops them as `… beside a track`, or the end of the document releases them. A
/// document with more is taken for one of them: they are released, and a track that follows is read too.
struct GPXState {
  var intake: PointIntake
  var events: [TraceEvent] = []
  /// The reason why reading must stop.
  private(set) var failure: TraceError?
  private(set) var hasRoot = false
  /// The line on which the root ended.
  private(set) var endLine: Int?
  private var stack: [GPXElement] = []
  private(set) var isInPoint = false
  /// The point being read, while `isInPoint`.
  private var point = GPXPoint(.other, depth: 0)
  private var collected: GPXElement?
  private var text: [UInt8] = []
  /// Each with the number of the route that it ends, or stands before.
  private var held: [(point: GPXPoint, route: Int)] = []
  private var routes = 0
  private var hasTrack = false
  private var hasRoute = false
  private var hasReleased = false
  /// The innermost element if it is unknown and has had no child.
  private var leaf: (name: ElementName, depth: Int)?
  /// The number of each such element, bounded like the ledger's list.
  private var unused: [(name: ElementName, count: Int)] = []

  static let depthLimit = 256
  static let textLimit = 4_096
  static let heldLimit = 16_384

  init(options: DecodingOptions) {
    intake = PointIntake(unit: .points, options: options)
    text.reserveCapacity(Self.textLimit)
  }

  var isCollecting: Bool { collected != nil }
  /// Whether the root was closed.
  var isOver: Bool { hasRoot && stack.isEmpty }
  var hasPoints: Bool { intake.ledger.read > 0 || !held.isEmpty }

  mutating func fail(_ error: TraceError) { if failure == nil { failure = error } }

  /// Opens an element; a point's coordinates follow in `setCoordinate`.
  mutating func openElement(
    _ element: GPXElement, named name: ElementName?, line: @autoclosure () -> Int
  ) {
    if stack.count >= Self.depthLimit {
      return fail(
        TraceError(
          .limit, line: line(),
          "elements are nested more than \(Self.depthLimit) deep; not a GPX file"))
    }
    if stack.isEmpty {
      hasRoot = element == .gpx
      if !hasRoot {
        fail(TraceError(.unrecognised, line: line(), "the document's root is not <gpx>"))
      }
    }
    stack.append(element)
    leaf = element == .other ? (name ?? .tooLong, stack.count) : nil
    if isInPoint {
      let isChild = stack.count == point.depth + 1
      if element.isField, isChild || !element.isDirectOnly {
        collected = element
        text.removeAll(keepingCapacity: true)
      }
    } else if element.isPoint {
      isInPoint = true
      point = GPXPoint(element, depth: stack.count)
    }
  }

  mutating func setCoordinate(
    _ coordinate: GPXCoordinate, _ bytes: borrowing Span<UInt8>, _ range: Range<Int>
  ) {
    point.setCoordinate(coordinate, bytes, range)
  }

  /// Takes a piece of text; beyond `textLimit` the rest of a field is skipped.
  mutating func appendText(_ piece: borrowing Span<UInt8>) {
    let room = min(piece.count, Self.textLimit - text.count)
    text.append(copying: piece.extracting(0..<room))
  }

  /// Whether an element that holds text and nothing else may be given to `take(element:)` at once.
  func takesWhole(_ element: GPXElement) -> Bool {
    isInPoint && !isCollecting && (element.isField || element == .other)
      && stack.count < Self.depthLimit
  }

  /// Takes an element that holds the text in `range` and nothing else: the same as
  /// `openElement`, `appendText` and `closeElement`.
  mutating func take(
    element: GPXElement, named name: ElementName?, _ bytes: borrowing Span<UInt8>,
    _ range: Range<Int>
  ) {
    leaf = nil
    if element == .other {
      countUnused(name ?? .tooLong)
    } else if !element.isDirectOnly || stack.count == point.depth {
      let end = min(range.upperBound, range.lowerBound + Self.textLimit)
      point.set(element, bytes, range.lowerBound..<end)
    }
  }

  /// Closes the innermost element.
  mutating func closeElement(line: @autoclosure () -> Int) {
    guard let element = stack.popLast() else { return }
    if stack.isEmpty { endLine = line() }
    if let leaf {
      if leaf.depth == stack.count + 1 { countUnused(leaf.name) }
      self.leaf = nil
    }
    if element.isField {
      if collected == element {
        let field = text
        point.set(element, field.span, 0..<field.count)
        collected = nil
      }
      return
    }
    switch element {
    case .trackPoint, .routePoint, .waypoint:
      if isInPoint, point.depth == stack.count + 1 { endPoint(line: line()) }
    case .segment, .track, .route:
      if element == .route { routes += 1 }
      if intake.isInSegment { intake.endSegment(line: line(), into: &events) }
    default: break
    }
  }

  private mutating func countUnused(_ name: ElementName) {
    for index in unused.indices where unused[index].name == name {
      unused[index].count += 1
      return
    }
    if unused.count < TraceLedger.typeLimit {
      unused.append((name, 1))
    } else {
      intake.ledger.count(unused: "other")
    }
  }

  /// Releases the held points and closes the account.
  mutating func finishDocument() throws(TraceError) {
    for (name, count) in unused { intake.ledger.count(unused: name.text, times: count) }
    if isInPoint { intake.skip("cut off") }
    isInPoint = false
    try release()
    if hasRoute, intake.isInSegment { intake.endSegment(line: point.line, into: &events) }
    try intake.finish(into: &events)
  }

  private mutating func endPoint(line: Int) {
    isInPoint = false
    collected = nil
    point.line = line
    let point = point
    do throws(TraceError) {
      if point.element != .trackPoint, point.element == .waypoint || point.draft.time == nil {
        return try hold(point)
      }
      if !hasTrack { try beginTrack(at: point) }
      try takePoint(point)
    } catch {
      fail(error)
    }
  }

  /// Begins the track, or a route that was gone: nothing planned is the trace.
  private mutating func beginTrack(at point: GPXPoint) throws(TraceError) {
    if point.element == .routePoint { try release() }
    hasTrack = true
    for (other, _) in held { skip(other) }
    held = []
    if hasReleased, intake.isInSegment { intake.endSegment(line: point.line, into: &events) }
  }

  private mutating func skip(_ point: GPXPoint) {
    intake.skip(
      point.element == .waypoint ? "waypoint beside a track" : "route beside a track")
  }

  private mutating func hold(_ point: GPXPoint) throws(TraceError) {
    if hasTrack { return skip(point) }
    if hasReleased {
      return hasRoute && point.element == .waypoint ? skip(point) : try takePoint(point)
    }
    if point.element == .routePoint { hasRoute = true }
    held.append((point, routes))
    if held.count > Self.heldLimit { try release() }
  }

  /// Takes what was held: beside a route no waypoints.
  private mutating func release() throws(TraceError) {
    if held.isEmpty { return }
    hasReleased = true
    let released = held
    held = []
    for (index, (point, route)) in released.enumerated() {
      if hasRoute, point.element == .waypoint {
        skip(point)
        continue
      }
      if index > 0, released[index - 1].route != route, intake.isInSegment {
        intake.endSegment(line: point.line, into: &events)
      }
      try takePoint(point)
    }
  }

  private mutating func takePoint(_ point: GPXPoint) throws(TraceError) {
    switch point.flaw {
    case .coordinate(let name, let text):
      let hint =
        text.utf8.contains(UInt8(ascii: ",")) ? " (decimals need a point, not a comma)" : ""
      return try intake.refuse(
        "coordinate not a number", line: point.line, "\(name) is '\(text)', not a number\(hint)")
    case .time(let text):
      return try intake.refuse(
        "time not understood", line: point.line,
        "the time is '\(text)'; it should look like 2026-05-04T07:08:09Z")
    case nil: break
    }
    for value in point.unread { try intake.leaveOut(value, line: point.line) }
    if point.hasZonelessTime {
      intake.ledger.note(
        "zoneless_time", "times without a zone were read as UTC", line: point.line)
    }
    if point.isWithoutFix {
      return intake.takeNoFix(time: point.draft.time, line: point.line, into: &events)
    }
    try intake.admit(point.draft, line: point.line, into: &events)
  }
}
