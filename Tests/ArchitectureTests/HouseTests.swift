// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite("The house stands as it is drawn")
struct HouseTests {
  private func expectNone(_ findings: [Finding], sourceLocation: SourceLocation = #_sourceLocation)
  {
    let text = findings.map(\.description).joined(separator: "\n")
    #expect(findings.isEmpty, "\(text)", sourceLocation: sourceLocation)
  }

  // Read once for all tests of the suite.
  private static let read = Result {
    (
      sources: try Repository.sources.get(),
      tests: try Repository.swiftFiles(in: "Tests"),
      manifest: try Repository.manifest()
    )
  }

  private let sources: [SourceFile]
  private let tests: [SourceFile]
  private let manifest: Manifest

  init() throws {
    (sources, tests, manifest) = try Self.read.get()
  }

  @Test("The manifest's rings are read, and the sources are found")
  func read() {
    #expect(manifest.rings["Geodesy"] == .value)
    #expect(manifest.rings["Replay"] == .logic)
    #expect(manifest.rings["TraceFiles"] == .edge)
    #expect(manifest.allowed["LocationModel"] == ["Geodesy"])
    #expect(manifest.allowed["FixFormats"]?.contains("CExpat") == true)
    #expect(Set((sources + tests).map(\.target)).isSuperset(of: manifest.rings.keys))
    #expect(sources.contains { $0.path == Checks.mathematics })
  }

  @Test("Only those who read XML may use the C parser")
  func parser() {
    #expect(
      manifest.allowed.filter { $1.contains("CExpat") }.map(\.key).sorted()
        == ["FixFormats", "RadioPower"])
  }

  @Test("Every import of a library follows an arrow that Package.swift states")
  func imports() {
    let libraries = (sources + tests).filter { manifest.rings[$0.target] != nil }
    expectNone(libraries.flatMap { Checks.imports(of: $0, by: manifest) })
  }

  @Test("Rings 0 and 1 read no clock, wait for nothing, print nothing and are nobody's public API")
  func calls() {
    let pure = (sources + tests).filter { manifest.isPure($0.target) }
    expectNone(pure.flatMap { Checks.calls(in: $0, banned: Checks.bannedInside) })
  }

  @Test("No test sleeps or reads a clock, except those that run the built programs")
  func sleeps() {
    // Those of the clock of a replay sleep in virtual time.
    let tests = tests.filter {
      $0.target != "CommandLineTests" && !$0.path.hasSuffix("/ReplayClockTests.swift")
    }
    expectNone(tests.flatMap { Checks.calls(in: $0, banned: Checks.bannedInTests) })
  }

  @Test(
    "In the layers that decide, a new case of a type of ours does not compile until it is decided")
  func defaults() {
    let deciding = sources.filter { file in Checks.deciding.contains { file.path.hasPrefix($0) } }
    #expect(deciding.count > 100)
    expectNone(deciding.flatMap(Checks.defaults))
  }

  @Test("Files have at most 400 lines and functions at most 70")
  func lengths() {
    expectNone((sources + tests).flatMap(Checks.fileLength))
    expectNone((sources + tests).flatMap(Checks.functionLengths))
  }

  @Test("Names say what a thing is")
  func names() {
    expectNone((sources + tests).flatMap(Checks.names))
  }

  @Test("Every Swift file begins with the licence")
  func headers() {
    expectNone((sources + tests).flatMap(Checks.header))
  }

  @Test("Nothing is left over, and no machine's paths are written down")
  func text() throws {
    let endings = [".swift", ".md", ".py", ".h", ".csv", ".json"]
    var paths = ["Package.swift", "README.md", ".ci/run"]
    paths += Repository.paths(in: "Sources", endingIn: endings)
    paths += Repository.paths(in: "Tests", endingIn: [".swift", ".md"])
    paths += Repository.paths(in: ".github", endingIn: [".md", ".yml"])
    paths += Repository.paths(in: "Tools", endingIn: [".py", ".md"])
    paths += [
      "setup", "try", "test", "check-format", "make-traces", "fetch-receiver-logs",
      "fuzz-trace", "fuzz", "check-meter", "fit-meter", "check-protocol", "package",
    ]
    .map { "Tools/" + $0 }
    for path in paths where !path.hasPrefix("Tools/logs/") {
      let text = try Repository.text(of: path)
      expectNone(Checks.leftovers(in: text, path: path))
      expectNone(Checks.machinePaths(in: text, path: path))
    }
  }

  @Test("The top of the repository holds exactly what the design says")
  func topLevel() throws {
    let expected: Set = [
      "LICENSE", "Package.swift", "README.md", "Sources", "Tests", "Tools", "Traces",
    ]
    let names = try Repository.topLevel()
    #expect(
      names == expected,
      "contribution guide and templates go into .github/, decisions into the DocC catalog")
  }
}
