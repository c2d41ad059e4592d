// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import Glibc
import Host
import JSONText
import LocationModel

// Theory
// ======
//
// A file of points has a foot after the last one. New points are written over it, with a new foot, in one call, so that
// the file is whole before and after:
//
//     head │ p1 │ p2 │ foot           head │ p1 │ p2 │ p3 │ foot
//
// Only a machine that stops within that call leaves a file without its foot; the points of the call were never reported
// as safe, and come again. So the next writer removes everything after the last whole point. A point is a line, and
// whole lines are found from the end; a file with another kind of end belongs to another program, and is left alone.

/// Growing files of points with a foot.
struct PointFile<Encoder: TraceEncoder>: Sendable {
  /// The number of bytes at the end of a torn file in which the last point is searched.
  private static var reach: Int { 1 << 16 }

  /// Returns the length of the whole point in a line, up to its line feed; `nil` if there is none.
  let wholePoint: @Sendable (ArraySlice<UInt8>) -> Int?
  /// Whether a point's line feed belongs to it, and not to the following text.
  let endsWithLineFeed: Bool

  /// Adds points; when it returns they are on the disk. Makes the file if it is missing, mode 0600. Returns the fault
  /// in words; then no existing data is lost.
  func append(fixes: [Fix], to path: String) -> String? {
    guard !fixes.isEmpty else { return nil }
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return SystemError.text() }
    defer { close(descriptor) }
    if let error = FileLock.wait(for: descriptor) { return SystemError.text(error) }
    let length = lseek(descriptor, 0, SEEK_END)
    guard length >= 0 else { return SystemError.text() }
    guard let end = lastPoint(descriptor, length) else {
      return "it does not end as a file of points does; move it away"
    }
    var encoder = Encoder()
    var bytes: [UInt8] = []
    encoder.begin(into: &bytes)
    if end > 0 {
      // Its head and its first point are there; the rest is written as after a point.
      encoder.encode(.fix(fixes[0], line: 0), into: &bytes)
      bytes = []
    }
    for fix in fixes { encoder.encode(.fix(fix, line: 0), into: &bytes) }
    encoder.finish(into: &bytes)
    guard lseek(descriptor, end, SEEK_SET) == end else { return SystemError.text() }
    if let error = WholeWrite.write(bytes[...], to: descriptor).error {
      restore(descriptor, end)
      return SystemError.text(error)
    }
    guard ftruncate(descriptor, end + off_t(bytes.count)) == 0, fsync(descriptor) == 0 else {
      return SystemError.text()
    }
    return length == 0
      ? Directory.sync(Directory.parent(of: path)).map { SystemError.text($0) } : nil
  }

  /// Restores the foot after a failed write; if that fails too, the next writer does it.
  private func restore(_ descriptor: Int32, _ end: off_t) {
    guard end > 0 else {
      ftruncate(descriptor, 0)
      return
    }
    let foot = Self.foot
    guard lseek(descriptor, end, SEEK_SET) == end,
      WholeWrite.write(foot[...], to: descriptor).error == nil
    else { return }
    ftruncate(descriptor, end + off_t(foot.count))
  }

  /// The end of a file with points.
  private static var foot: [UInt8] {
    var encoder = Encoder()
    var bytes: [UInt8] = []
    encoder.encode(
      .fix(Fix(time: nil, coordinate: .init(clampingLatitude: 0, wrappingLongitude: 0)), line: 0),
      into: &bytes)
    bytes = []
    encoder.finish(into: &bytes)
    return bytes
  }

  /// The end of the last whole point; 0 if there is none and the file holds at most a torn head, `nil` if it is no file
  /// of this kind.
  private func lastPoint(_ descriptor: Int32, _ length: off_t) -> off_t? {
    guard length > 0 else { return 0 }
    let start = max(0, length - off_t(Self.reach))
    var bytes = [UInt8](repeating: 0, count: Int(length - start))
    guard pread(descriptor, &bytes, bytes.count, start) == bytes.count else { return nil }
    var end = bytes.count
    while end > 0 {
      let feed = bytes[..<end].lastIndex(of: UInt8(ascii: "\n"))
      let begin = feed.map { $0 + 1 } ?? 0
      if let whole = wholePoint(bytes[begin..<end]) {
        let hasFeed = endsWithLineFeed && begin + whole < bytes.count
        return start + off_t(begin + whole + (hasFeed ? 1 : 0))
      }
      end = feed ?? 0
    }
    var head: [UInt8] = []
    var encoder = Encoder()
    encoder.begin(into: &head)
    let isOurs =
      start == 0 && bytes.count <= 4_096 && bytes.prefix(head.count) == head.prefix(bytes.count)
    return isOurs ? 0 : nil
  }
}
