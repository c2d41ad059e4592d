// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Reports

@Suite("The card")
struct ShareCardTests {
  private func card(_ traces: [ReportedTrace], total: ComparedTrace? = nil) throws -> String {
    let card = try #require(ShareCard(traces, total: total, options: try Drives.options()))
    return String(decoding: card.document(), as: UTF8.self)
  }

  @Test("One SVG of 1200 by 630 that needs nothing else and knows no variables")
  func selfContained() throws {
    let text = try card([try Drives.reported("drive.gpx")])
    let elements = try Elements(text)
    let picture = try #require(elements.all.first)
    #expect(picture.name == "svg" && picture.attributes["viewBox"] == "0 0 1200 630")
    #expect(picture.attributes["xmlns"] == "http://www.w3.org/2000/svg")
    for banned in ["script", "image", "use", "foreignObject", "a"] {
      #expect(elements.named(banned).isEmpty, "\(banned)")
    }
    #expect(!text.contains("var(") && !text.contains("url(") && !text.contains("@import"))
    #expect(elements.all.count { $0.attributes["class"]?.hasPrefix("map") == true } == 1)
    #expect(elements.all.count { $0.attributes["class"]?.hasPrefix("bar ") == true } == 2)
    #expect(text.utf8.count < 60_000)
  }

  @Test("It says the page's sentence, and every word stands on it")
  func words() throws {
    let trace = try Drives.reported("drive.gpx")
    let elements = try Elements(try card([trace]))
    let heads = elements.all.filter { $0.attributes["class"]?.hasPrefix("head") == true }.map(
      \.text)
    #expect(heads.joined(separator: " ") == PageAnswer(of: trace.figures).sentence)
    for text in elements.named("text") where !text.parents.dropFirst().contains("svg") {
      let number = { Double(text.attributes[$0] ?? "") ?? .nan }
      let width = TextLines.width(of: text.text, size: number("font-size"), isBold: true)
      #expect(number("x") + width <= 1_200, "\(text.text)")
      #expect((20...630).contains(number("y")))
    }
  }

  @Test("A hostile name is only a name, and a long one is cut")
  func hostile() throws {
    let name = "<script>alert(1)</script>" + String(repeating: "x", count: 300) + ".gpx"
    let elements = try Elements(try card([try Drives.reported(name)]))
    #expect(elements.named("script").isEmpty)
    #expect(
      elements.named("text").contains { $0.text.hasPrefix("<script>") && $0.text.hasSuffix("…") })
  }

  @Test("Several traces have bars and no map")
  func several() throws {
    let one = try Drives.reported("drive.gpx")
    var total = ComparedTrace(totalOf: [one.figures, one.figures])
    total?.assess(try Drives.options())
    let elements = try Elements(try card([one, one], total: total))
    #expect(elements.all.count { $0.attributes["class"] == "map" } == 0)
    #expect(elements.all.count { $0.attributes["class"]?.hasPrefix("bar ") == true } == 2)
    #expect(ShareCard([], total: nil, options: try Drives.options()) == nil)
  }

  @Test("Words have Helvetica's widths: H 722, e 556, l 222, o 556")
  func widths() {
    #expect(abs(TextLines.width(of: "Hello", size: 10) - 22.78) < 1e-9)
    // 0.86 of 40 is 34.4, which holds "Hello" (22.78), not "Hello Hello" (48.34); 0.86 of 57 is 49.02.
    #expect(TextLines.lines(of: "Hello Hello", within: 40, size: 10) == ["Hello", "Hello"])
    #expect(TextLines.lines(of: "Hello Hello", within: 57, size: 10) == ["Hello Hello"])
    // Bold, as it is 7 % wider (51.72) and 0.82 of 62 is 50.84, of 64 52.48.
    for (width, lines) in [(62.0, 2), (64.0, 1)] {
      #expect(
        TextLines.lines(of: "Hello Hello", within: width, size: 10, isBold: true).count == lines)
    }
    let fit = TextLines.fitting("Hello Hello Hello", within: 40, sizes: [10], most: 2)
    #expect(fit.lines.count == 2 && fit.lines.last?.hasSuffix("…") == true)
  }
}
