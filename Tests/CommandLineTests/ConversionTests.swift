// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Formats that gpsbabel reads: with it, and without. Their samples are the car's drive, a point every 500 m, as gpsbabel
/// writes it.
@Suite("What gpsbabel reads is read through it")
struct ConversionTests {
  private static let hasGPSBabel = ["/usr/bin/gpsbabel", "/usr/local/bin/gpsbabel"]
    .contains(where: FileManager.default.isExecutableFile)

  /// The sample in a format of gpsbabel's.
  private func sample(_ type: String, _ ending: String, in scratch: Scratch) throws -> String {
    let path = scratch.path("drive.\(ending)")
    let made = try Program.shell(
      "gpsbabel -i gpx -f '\(Package.trace("car-commute.gpx"))' -x position,distance=500m -o \(type) -F '\(path)'",
      in: scratch)
    #expect(made.code == 0, "\(made.errors)")
    return path
  }

  @Test(
    "Each has the points and times that gpsbabel was given, and it is said through what",
    .enabled(if: hasGPSBabel, "gpsbabel is not installed"),
    arguments: [
      ("garmin_fit", "fit", "a FIT activity, read by gpsbabel -i garmin_fit -o gpx"),
      ("gtrnctr", "tcx", "TCX, read by gpsbabel -i gtrnctr -o gpx"),
      ("kml,track=1", "kml", "KML, read by gpsbabel -i kml -o gpx"),
      ("gdb", "gdb", "a MapSource database, read by gpsbabel -i gdb -o gpx"),
      (
        "igc", "igc",
        "an IGC flight record, read by gpsbabel -i igc -x track,name=GNSSALTTRK -o gpx"
      ),
    ])
  func read(type: String, ending: String, words: String) throws {
    let scratch = try Scratch()
    // Beside the track with times gpsbabel writes it as a line without.
    let count = ending == "kml" ? 114 : 57
    let path = try sample(type, ending, in: scratch)
    let answer = try Program.run(["info", "--json", path])
    let info = try #require(try answer.documents().first)
    #expect(answer.errors.hasPrefix("milepost: drive.\(ending): \(words)\n"), "\(answer.errors)")
    #expect(info["fixes"] as? Int == count)
    // Of the 57 points by Vincenty's formula: 31,859 m. The line without times beside the track is no second way.
    let distance = try #require(info["distance_m"] as? Double)
    #expect(abs(distance - 31_859) < 1, "\(distance)")
    #expect(info["start"] as? String == "2026-03-17T06:31:10.000Z")
    // By its bytes, not by its name; and from a pipe.
    let piped = try Program.shell("cat '\(path)' | '\(Program.path)' info --json -", in: scratch)
    #expect(try piped.documents().first?["fixes"] as? Int == count, "\(piped.errors)")
    #expect(try Program.run([path, "--worlds", "1"]).output.hasPrefix("drive.\(ending) · "))
  }

  @Test(
    "A KMZ is unpacked first",
    .enabled(
      if: hasGPSBabel && FileManager.default.isExecutableFile(atPath: "/usr/bin/unzip"),
      "gpsbabel or unzip is not installed"))
  func unpack() throws {
    let scratch = try Scratch()
    let kml = try sample("kml,track=1", "kml", in: scratch)
    let path = scratch.path("drive.kmz")
    let script =
      "import sys, zipfile; zipfile.ZipFile(sys.argv[2], 'w', 8).write(sys.argv[1], 'doc.kml')"
    _ = try Program.shell("python3 -c \"\(script)\" '\(kml)' '\(path)'", in: scratch)
    let answer = try Program.run(["info", "--json", path])
    #expect(try answer.documents().first?["fixes"] as? Int == 114)
    #expect(
      answer.errors.hasPrefix(
        "milepost: drive.kmz: KMZ, read by unzip and gpsbabel -i kml -o gpx\n"))
  }

  @Test(
    "A flight that has both altitudes is flown once, and one with the pressure's alone too",
    .enabled(if: hasGPSBabel, "gpsbabel is not installed"))
  func flight() throws {
    let scratch = try Scratch()
    let lines = try String(contentsOfFile: sample("igc", "igc", in: scratch), encoding: .utf8)
      .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    // A fix is B, time, place and validity in 25 characters, then five of each altitude (FAI, 4.1).
    for (name, isBoth) in [("both.igc", true), ("pressure.igc", false)] {
      let text: [String] = lines.map { line in
        guard line.hasPrefix("B") else { return String(line) }
        let altitude = String(line.dropFirst(30).prefix(5))
        return String(line.prefix(25)) + altitude + (isBoth ? altitude : "00000")
          + String(line.dropFirst(35))
      }
      let path = scratch.path(name)
      try text.joined(separator: "\r\n").write(toFile: path, atomically: true, encoding: .utf8)
      let info = try #require(try Program.run(["info", "--json", path]).documents().first)
      #expect(info["fixes"] as? Int == 57, "\(name)")
    }
  }

  @Test(
    "Without gpsbabel it is said how to convert it, with the options that make one flight of a flight"
  )
  func without() throws {
    let scratch = try Scratch()
    let path = scratch.path("flight.igc")
    try "AXXXABC FLIGHT:1\r\nHFFXA035\r\nHFDTE160701\r\n"
      .write(toFile: path, atomically: true, encoding: .utf8)
    let answer = try Program.shell("PATH=/nonexistent '\(Program.path)' '\(path)'", in: scratch)
    #expect(answer.code == 2)
    #expect(
      answer.errors
        == "milepost: error: flight.igc: an IGC flight record; with gpsbabel installed it is read as it is; else convert "
        + "it to GPX first: gpsbabel -i igc -f FILE -x track,name=GNSSALTTRK -o gpx -F trace.gpx\n")
  }

  @Test(
    "What gpsbabel refuses is refused with its words",
    .enabled(if: hasGPSBabel, "gpsbabel is not installed"))
  func broken() throws {
    let scratch = try Scratch()
    let path = scratch.path("broken.fit")
    let head: [UInt8] = [14, 0x10, 0, 0, 9, 0, 0, 0] + Array(".FIT".utf8)
    try Data(head).write(to: URL(fileURLWithPath: path))
    let answer = try Program.run([path])
    #expect(answer.code == 2)
    #expect(
      answer.errors.contains("milepost: error: broken.fit: gpsbabel could not read it: "),
      "\(answer.errors)")
  }
}
