// SPDX-License-Identifier: Apache-2.0

import Testing

/// Each check must be able to fail: these are the violations that it must find.
@Suite("The checks find what they look for")
struct ChecksTests {
  private let manifest = Manifest(
    text: """
      enum Value: String {
        case geodesy = "Geodesy"
        case locationModel = "LocationModel"
      }
      enum Logic: String {
        case gpxFormat = "GPXFormat"
      }
      enum Edge: String {
        case traceFiles = "TraceFiles"
      }
      enum CLibrary: String {
        case expat = "CExpat"
      }
      func value(_ name: Value, uses values: [Value] = []) -> Target { .target(name: name.rawValue) }
      let targets = [
        value(.geodesy), value(.locationModel, uses: [.geodesy]),
        logic(.gpxFormat, uses: [.geodesy, .locationModel], and: [], c: [.expat]),
        edge(.traceFiles, uses: [.geodesy], and: [.gpxFormat]),
      ]
      """)

  private func file(_ text: String, at path: String = "Sources/Values/LocationModel/Sample.swift")
    -> SourceFile
  {
    SourceFile(path: path, text: text)
  }

  private func lines(_ findings: [Finding]) -> [Int] { findings.map(\.line) }

  @Test("Rings and arrows are read from a manifest")
  func rings() {
    #expect(manifest.rings.count == 4)
    #expect(manifest.rings["GPXFormat"] == .logic)
    #expect(manifest.allowed["Geodesy"] == [])
    #expect(manifest.allowed["LocationModel"] == ["Geodesy"])
    #expect(manifest.allowed["GPXFormat"] == ["Geodesy", "LocationModel", "CExpat"])
    #expect(manifest.isPure("GPXFormat"))
    #expect(!manifest.isPure("TraceFiles"))
  }

  @Test("An import against the arrows is found, in each of its spellings")
  func wrongArrows() {
    let sample = file(
      """
      import Geodesy
      package import GPXFormat
      internal import struct TraceFiles.TraceFile
      @testable import CExpat
      // import Replay
      let text = "import Reports"
      """)
    let findings = Checks.imports(of: sample, by: manifest)
    #expect(lines(findings) == [2, 3, 4])
    #expect(
      findings.first?.description
        == "Sources/Values/LocationModel/Sample.swift:2: LocationModel may not import GPXFormat; "
        + "Package.swift states the arrows, and an arrow points inwards")
  }

  @Test(
    "The inner rings may not import the system, and are told what to use",
    arguments: ["Foundation", "Glibc", "Dispatch"])
  func system(module: String) {
    let inside = Checks.imports(of: file("import \(module)\n"), by: manifest)
    #expect(inside.first?.message.hasPrefix("rings 0 and 1 have no \(module); take") == true)
    let edge = file("import \(module)\n", at: "Sources/Edges/TraceFiles/Sample.swift")
    #expect(Checks.imports(of: edge, by: manifest).isEmpty)
  }

  @Test("Glibc is for the file of mathematics alone")
  func mathematics() {
    let text = "internal import Glibc\n"
    #expect(Checks.imports(of: file(text, at: Checks.mathematics), by: manifest).isEmpty)
    let other = file(text, at: "Sources/Values/Geodesy/Other.swift")
    #expect(lines(Checks.imports(of: other, by: manifest)) == [1])
  }

  @Test("The C parser is for GPXFormat alone")
  func parser() {
    let text = "internal import CExpat\n"
    let right = file(text, at: "Sources/Logic/GPXFormat/Sample.swift")
    #expect(Checks.imports(of: right, by: manifest).isEmpty)
    let wrong = file(text, at: "Sources/Edges/TraceFiles/Sample.swift")
    #expect(lines(Checks.imports(of: wrong, by: manifest)) == [1])
  }

  @Test(
    "Clocks, waiting and printing are found",
    arguments: [
      "let now = Date()", "let clock = ContinuousClock()", "try await clock.sleep(for: pause)",
      "print(fix)", "_ = readLine()", "var generator = SystemRandomNumberGenerator()",
      "public struct Fix {}", "let text = \"at \\(Date())\"", "Swift.print(1)",
    ])
  func calls(line: String) {
    let findings = Checks.calls(in: file("\n" + line + "\n"), banned: Checks.bannedInside)
    #expect(lines(findings) == [2])
    #expect(findings.first?.message.contains("has no place here: ") == true)
  }

  @Test(
    "Words that only look alike, comments and literals are not",
    arguments: [
      "let day = CivilDate(year: 1, month: 1, day: 1)", "fingerprint(x)", "// print(x)",
      "public import CVector",
      "/* sleep(1) /* Date() */ print(2) */", "let text = \"print(x)\"", "func asleep() {}",
      "let raw = #\"Date() \" print(1)\"#", "let printed = printing(x)",
      "let text = \"\"\"\n  sleep(1) \"quoted\" Date()\n  \"\"\"",
    ])
  func harmless(text: String) {
    #expect(Checks.calls(in: file(text), banned: Checks.bannedInside).isEmpty)
  }

  @Test("A test that sleeps is found")
  func sleepingTest() {
    let sample = file("try await Task.sleep(for: .seconds(1))", at: "Tests/ATests/A.swift")
    #expect(lines(Checks.calls(in: sample, banned: Checks.bannedInTests)) == [1])
  }

  @Test("Names that promise nothing are found in types and in file names")
  func names() {
    let sample = file("struct FixManager {}\nenum DateUtils {}\nstruct ReceiverPlan {}\n")
    #expect(lines(Checks.names(in: sample)) == [1, 2])
    let named = file("struct Plan {}\n", at: "Sources/Logic/Replay/ReplayHelpers.swift")
    #expect(lines(Checks.names(in: named)) == [1])
  }

  @Test("A missing licence line is found")
  func header() {
    #expect(lines(Checks.header(of: file("import Geodesy\n"))) == [1])
    #expect(Checks.header(of: file("// SPDX-License-Identifier: Apache-2.0\n")).isEmpty)
  }

  @Test("What is left over is found, as a word of its own")
  func leftovers() {
    let text = "fine\n// TO" + "DO: later\nlet to" + "Do = 1\n// FIX" + "ME"
    #expect(lines(Checks.leftovers(in: text, path: "a.swift")) == [2, 4])
  }

  @Test("A path of somebody's machine is found; one of every machine, or of a site, is not")
  func machinePaths() {
    let home = "/" + "home/ada/trip.gpx"
    let text =
      "let a = \"\(home)\"\n/usr/include/expat.h\nhttps://example.org" + home + "\n(\(home))"
    #expect(lines(Checks.machinePaths(in: text, path: "a.swift")) == [1, 4])
  }
}
