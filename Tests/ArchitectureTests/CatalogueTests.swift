// SPDX-License-Identifier: Apache-2.0

import Testing

/// What is one file and one line of a catalogue: no compiler misses the line.
@Suite("Each kind stands in its catalogue")
struct CatalogueTests {
  /// The text of `all` in a file.
  private func catalogue(_ path: String) throws -> String {
    let text = try Repository.text(of: path)
    let begin = try #require(text.firstRange(of: /static let all\b[^=]*= \[/))
    let end = try #require(text[begin.upperBound...].firstIndex(of: "]"))
    return String(text[begin.upperBound..<end])
  }

  @Test(
    "Every constant of the type is in `all`",
    arguments: [
      ("SinkKind", "Sources/Edges/Sinks", "Sources/Edges/Sinks/Sink.swift"),
      (
        "LinkShape", "Sources/Logic/RadioPower/Machines",
        "Sources/Logic/RadioPower/Machines/LinkShape.swift"
      ),
      (
        "TraceFormat", "Sources/Logic/FixFormats", "Sources/Edges/TraceFiles/TraceFormats.swift"
      ),
    ])
  func constants(type: String, folder: String, file: String) throws {
    let all = try catalogue(file)
    var count = 0
    let declaration = try Regex("\n  (?:package )?static let (\\w+) = (?:\(type)|Self)\\(")
    for source in try Repository.swiftFiles(in: folder)
    where source.text.contains("extension \(type) {") {
      for match in source.text.matches(of: declaration) {
        let name = try #require(match.output[1].substring)
        count += 1
        #expect(all.contains(try Regex("\\b\(name)\\b")), "\(source.path): \(name)")
      }
    }
    #expect(count >= 5, "\(type)")
  }

  @Test("Every sentence is in the catalogue of sentences, and every policy in that of policies")
  func files() throws {
    let sentences = "Sources/Logic/FixFormats/NMEA/Sentences/"
    let decoded = try catalogue(sentences + "Sentence.swift")
    let letters = Repository.paths(in: String(sentences.dropLast()), endingIn: [".swift"])
      .compactMap { $0.wholeMatch(of: /.*\/([A-Z]{3})\.swift/)?.1 }
    #expect(letters.count >= 9)
    for name in letters { #expect(decoded.contains("\(name).self"), "\(name)") }

    let policies = "Sources/Logic/LocationEngine/Policies"
    let kinds = try catalogue(policies + "/PolicyKind.swift")
    let makers = try Repository.swiftFiles(in: policies).filter {
      $0.text.contains("= PolicyKind(") || $0.text.contains("-> PolicyKind {")
    }
    #expect(makers.count >= 5)
    for file in makers {
      let name = try #require(file.path.firstMatch(of: /(\w+)(?:\+\w+)?\.swift$/)).1
      #expect(kinds.contains("\(name)."), "\(file.path)")
    }
  }
}
