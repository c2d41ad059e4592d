// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Foundation
import Geodesy
import Glibc
import JSONText
import LocationModel
import ServiceContract
import Testing

@testable import Sinks

@Suite("Files of points, one for each day")
struct PointFileTests {
  private static func sink(_ format: String, in folder: String) throws -> any Sink {
    try Samples.sink(
      [.init("kind", "file"), .init("folder", "."), .init("format", .string(format))], in: folder)
  }

  /// A delivery a second later than that of the previous number, a little further north.
  private static func delivery(_ number: UInt64) -> PendingDelivery {
    var fix = Samples.fix
    fix.time = Samples.moment.advanced(bySeconds: Double(number) - 100)
    fix.coordinate = Coordinate(
      clampingLatitude: 48 + Double(number) / 1_000, wrappingLongitude: 11.25)
    return Samples.delivery(
      number, fix: fix, received: Samples.moment.advanced(bySeconds: Double(number) - 100))
  }

  /// An independent parser's view of a file: the latitudes in it, or nothing if it is not well formed.
  private static func latitudes(_ path: String) throws -> [Double]? {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    if path.hasSuffix(".geojson") {
      let found = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
      return (found?["features"] as? [[String: Any]])?.compactMap {
        (($0["geometry"] as? [String: Any])?["coordinates"] as? [Double])?[1]
      }
    }
    let script = """
      import sys, xml.etree.ElementTree as e
      print(*[p.get("lat") for p in e.parse(sys.argv[1]).iter("{http://www.topografix.com/GPX/1/1}trkpt")])
      """
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script, path]
    process.standardOutput = output
    process.standardError = Pipe()
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return process.terminationStatus == 0
      ? text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) } : nil
  }

  @Test(
    "After each batch the file is well formed and holds all points", arguments: ["gpx", "geojson"])
  func growth(_ format: String) async throws {
    try await Samples.withFolder { folder in
      let sink = try Self.sink(format, in: folder)
      let path = folder + "/deliveries-2026-11-22.\(format)"
      try await sink.send([Self.delivery(1)])
      #expect(try Self.latitudes(path) == [48.001])
      try await sink.send([Self.delivery(2), Self.delivery(3)])
      #expect(try Self.latitudes(path) == [48.001, 48.002, 48.003])
      // A repeated position is in the file already.
      try await sink.send([Samples.delivery(4, isCached: true, received: Samples.moment)])
      try await sink.send([Self.delivery(5), Self.delivery(102)])
      #expect(try Self.latitudes(path) == [48.001, 48.002, 48.003, 48.005])
      #expect(try Self.latitudes(folder + "/deliveries-2026-11-23.\(format)") == [48.102])
    }
  }

  /// The possible contents after a machine stopped within the write that added the second of two points.
  private static func torn(_ one: [UInt8], _ two: [UInt8]) -> [[UInt8]] {
    let same = zip(one, two).prefix { $0 == $1 }.count
    return (0...two.count).map { count in
      count < same ? Array(one[..<count]) : Array(two[..<count]) + one.dropFirst(count)
    }
  }

  @Test(
    "Cut off anywhere, the next batch makes it whole, with every whole point",
    arguments: ["gpx", "geojson"])
  func torn(_ format: String) async throws {
    try await Samples.withFolder { folder in
      let sink = try Self.sink(format, in: folder)
      let path = folder + "/deliveries-2026-11-22.\(format)"
      let file = URL(fileURLWithPath: path)
      try await sink.send([Self.delivery(1)])
      let one = Array(try Data(contentsOf: file))
      try await sink.send([Self.delivery(2)])
      let two = Array(try Data(contentsOf: file))
      let same = zip(one, two).prefix { $0 == $1 }.count
      // An independent parser examines only few of them: it is a process.
      for (index, bytes) in Self.torn(one, two).enumerated() {
        try Data(bytes).write(to: file)
        try await sink.send([Self.delivery(3)])
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains("48.003"), "cut at \(index)")
        // The first point had been reported as safe.
        #expect(index < same || text.contains("48.001"), "cut at \(index)")
        let isFirst = index < same && !text.contains("48.001")
        let whole =
          isFirst
          ? [48.003] : text.contains("48.002") ? [48.001, 48.002, 48.003] : [48.001, 48.003]
        if format == "geojson" || index % 40 == 0 || abs(index - same) < 3 {
          #expect(try Self.latitudes(path) == whole, "cut at \(index)")
        }
      }
    }
  }

  @Test("A file that is no such file is left alone, and a full disk is said")
  func strange() async throws {
    try await Samples.withFolder { folder in
      let sink = try Self.sink("gpx", in: folder)
      let path = folder + "/deliveries-2026-11-22.gpx"
      try "notes\n".write(toFile: path, atomically: false, encoding: .utf8)
      await #expect(
        throws: SinkError(
          "cannot write \(path): it does not end as a file of points does; move it away")
      ) { try await sink.send([Self.delivery(1)]) }
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "notes\n")
      unlink(path)
      symlink("/dev/full", path)
      await #expect(throws: SinkError("cannot write \(path): No space left on device")) {
        try await sink.send([Self.delivery(1)])
      }
    }
  }
}
