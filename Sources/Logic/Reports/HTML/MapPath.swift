// SPDX-License-Identifier: Apache-2.0

/// Path data in tenths of a unit; adjoining legs are joined.
struct MapPath {
  private var text = ""
  private var end: (x: Int, y: Int)?
  private var waiting: (x: Int, y: Int)?

  mutating func leg(from a: MapPoint, to b: MapPoint) {
    let (start, stop) = (Self.rounded(a), Self.rounded(b))
    if let at = waiting ?? end, at == start {
      // Continues.
    } else {
      flush()
      text += "M\(Self.number(start.x)) \(Self.number(start.y))"
      end = start
    }
    guard let end else { return }
    let isNear = (stop.x - end.x).magnitude < 5 && (stop.y - end.y).magnitude < 5
    if isNear { waiting = stop } else { line(to: stop) }
  }

  /// A new part, even if it begins at the end of the last one.
  mutating func moved() {
    flush()
    end = nil
  }

  mutating func finished() -> String {
    flush()
    return text
  }

  private mutating func flush() {
    if let waiting { line(to: waiting) }
  }

  private mutating func line(to stop: (x: Int, y: Int)) {
    guard let end else { return }
    waiting = nil
    guard stop != end else { return }
    text += "l\(Self.number(stop.x - end.x)) \(Self.number(stop.y - end.y))"
    self.end = stop
  }

  private static func rounded(_ point: MapPoint) -> (x: Int, y: Int) {
    (Int((point.x * 10).rounded()), Int((point.y * 10).rounded()))
  }

  private static func number(_ count: Int) -> String {
    tenths(Double(count) / 10)
  }
}
