// SPDX-License-Identifier: Apache-2.0

import Glibc
import Host
import JSONText
import LocationModel
import Reports

/// Files of lines that `--partial` wrote, checked, and passed on in the order of their addition.
///
/// Two passes, so that memory holds one line at a time: of the others only the places are kept.
struct PartialFiles<Line: PartialLine> {
  private struct Place {
    let order: SummingOrder
    let file: Int
    /// 1-based.
    let number: Int
    /// Bytes.
    let offset: Int
    let length: Int
  }

  private let paths: [String]
  private let settings: [(name: String, value: String)]
  private var places: [Place] = []

  /// As many as `SummableCount` allows for.
  private static var mostLines: Int { 1_000_000 }
  /// Bytes; a thousand worlds of a year stay far below it.
  private static var longestLine: Int { 1 << 28 }

  /// Reads and checks all lines; those of other `settings` or another release are refused.
  init(_ paths: [String], settings: [(name: String, value: String)]) throws {
    self.paths = paths
    self.settings = settings
    for file in paths.indices { try find(file) }
    guard !places.isEmpty else {
      throw Complaint(
        "\(paths[0]): no line to add up; milepost \(Line.command) --partial writes them")
    }
    places.sort { $0.order < $1.order }
    for (one, other) in zip(places, places.dropFirst()) where one.order == other.order {
      let name = one.order.list.isEmpty ? one.order.name : "\(one.order.list) on \(one.order.name)"
      throw Complaint(
        "\(place(other)): \(name) from \(one.order.start) to \(one.order.end) stands at "
          + "\(place(one)) too; leave one of them out")
    }
  }

  /// Passes on each line with its parsed head.
  func forEach(_ body: (Line, _ line: [UInt8]) throws -> Void) throws {
    for place in places {
      do {
        let line = try bytes(place)
        try body(try read(line: line), line)
      } catch let error as InputError {
        throw Complaint(error, in: self.place(place))
      }
    }
  }

  /// `part-3.jsonl:17`.
  private func place(_ place: Place) -> String { "\(paths[place.file]):\(place.number)" }

  private func read(line: [UInt8]) throws(InputError) -> Line {
    try Line.read(line: line, release: Release.version, settings: settings)
  }

  private mutating func find(_ file: Int) throws {
    var (number, offset) = (0, 0)
    var lines = LineBuffer(limit: Self.longestLine)
    try WholeFile.forEachChunk(of: paths[file]) { chunk in
      lines.append(chunk)
      while let line = lines.next() {
        number += 1
        try keepPlace(of: line, file, number, offset)
        offset += line.count + 1
      }
      guard !lines.isOverlong else {
        throw Complaint(
          "\(paths[file]):\(number + 1): longer than \(Self.longestLine >> 20) MB; no line of milepost "
            + "\(Line.command) --partial is; leave the file out")
      }
    }
    try keepPlace(of: lines.rest, file, number + 1, offset)
  }

  private mutating func keepPlace(
    of line: [UInt8], _ file: Int, _ number: Int, _ offset: Int
  ) throws {
    if line.isEmpty { return }
    guard places.count < Self.mostLines else {
      throw Complaint(
        "\(paths[file]):\(number): more than \(Self.mostLines) lines; add up fewer at a time")
    }
    do throws(InputError) {
      places.append(
        Place(
          order: try read(line: line).order, file: file, number: number, offset: offset,
          length: line.count))
    } catch {
      throw Complaint(error, in: "\(paths[file]):\(number)")
    }
  }

  private func bytes(_ place: Place) throws(InputError) -> [UInt8] {
    let descriptor = open(paths[place.file], O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw InputError(SystemError.text()) }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: place.length)
    var count = 0
    while count < bytes.count {
      let read = bytes.withUnsafeMutableBytes {
        pread(
          descriptor, $0.baseAddress?.advanced(by: count), place.length - count,
          off_t(place.offset + count))
      }
      if read < 0, errno == EINTR { continue }
      guard read > 0 else {
        let reason = read < 0 ? SystemError.text() : "it ends here now"
        throw InputError("\(reason); the file must not change while it is read")
      }
      count += read
    }
    return bytes
  }
}
