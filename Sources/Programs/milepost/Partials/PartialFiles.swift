// SPDX-License-Identifier: Apache-2.0

import Glibc
import Host
import JSONText
import LocationModel
import Reports
import TraceFiles

/// Adds up the lines that `--partial` wrote, file by file, in one pass; memory holds their sum, one line,
/// and where each line stood.
struct PartialFiles<Line: PartialLine> {
  private var reader: PartialReader<Line>
  private(set) var sum: Line?
  /// Where lines stood, by what stands in them: a line that comes twice is a trip that counts twice.
  private var places: [Int: (path: String, number: Int)] = [:]

  /// Bytes; a thousand worlds stay far below it.
  private static var longestLine: Int { 1 << 24 }

  /// Lines of other `settings`, of another release or of another `shape` are refused.
  init(settings: [(name: String, value: String)], shape: ExactSums) {
    reader = PartialReader(release: Release.version, settings: settings, shape: shape)
  }

  /// The sum of all lines in these files, of which there must be one.
  mutating func total(of paths: [String]) throws -> Line {
    for path in paths { try addFile(path) }
    guard let sum else {
      throw Complaint(
        "\(InputName.full(paths[0])): no line to add up; milepost \(Line.command) --partial writes them"
      )
    }
    return sum
  }

  private mutating func addFile(_ path: String) throws {
    let name = InputName.full(path)
    var number = 0
    var lines = LineBuffer(limit: Self.longestLine)
    try UnpackedFile.forEachChunk(of: path) { chunk in
      lines.append(chunk)
      while let line = lines.next() {
        number += 1
        try addLine(line, name, number)
      }
      guard !lines.isOverlong else {
        throw Complaint(
          "\(name):\(number + 1): longer than \(Self.longestLine >> 20) MB; no line of milepost "
            + "\(Line.command) --partial is; leave the file out")
      }
    }
    try addLine(lines.rest, name, number + 1)
  }

  private mutating func addLine(_ line: [UInt8], _ path: String, _ number: Int) throws {
    if line.isEmpty { return }
    do throws(InputError) {
      let head = try reader.read(line)
      if sum == nil {
        sum = head
        sum?.sums = reader.sums
      } else {
        sum?.add(head, reader.sums)
      }
    } catch {
      throw Complaint(error, in: "\(path):\(number)")
    }
    var hasher = Hasher()
    line.withUnsafeBytes { hasher.combine(bytes: $0) }
    if let other = places.updateValue((path, number), forKey: hasher.finalize()) {
      throw Complaint(
        "\(path):\(number): the same line stands at \(other.path):\(other.number) too; leave one of them out"
      )
    }
  }
}
