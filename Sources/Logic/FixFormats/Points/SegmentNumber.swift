// SPDX-License-Identifier: Apache-2.0

/// Turns ends of segments into numbers of segments, and back.
///
/// Segments count from 0. An end of a segment before the first point, behind the last, or twice in a
/// row separates nothing, and is not kept.
struct SegmentNumber: Sendable {
  private(set) var current = 0
  private var isPending = false
  private var hasPoints = false
  private var lastRead: Int?

  init() {}

  mutating func endSegment() { isPending = hasPoints }

  /// The segment of the next point to write.
  mutating func next() -> Int {
    if isPending { current += 1 }
    isPending = false
    hasPoints = true
    return current
  }

  /// Whether a segment ended before the point just read, which states `segment`.
  mutating func didEnd(before segment: Int?) -> Bool {
    guard let segment else { return false }
    defer { lastRead = segment }
    return lastRead.map { $0 != segment } ?? false
  }
}
