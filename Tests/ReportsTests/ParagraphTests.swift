// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Reports

@Suite("Text that fits 100 columns")
struct ParagraphTests {
  @Test("Lines break between words, never between a number and its unit")
  func units() {
    let text = String(repeating: "x", count: 95) + " and (12 %, 3.2 km of it)"
    #expect(
      Paragraph.text(text, indent: 2)
        == String(repeating: "x", count: 95) + " and\n  (12 %, 3.2 km of it)\n")
    let long = String(repeating: "y", count: 94) + " a 12 %, b"
    #expect(Paragraph.text(long) == String(repeating: "y", count: 94) + " a\n12 %, b\n")
  }

  @Test("A table aligns its first column left and the others right, two spaces apart")
  func table() {
    var table = Table()
    table.header(["", "energy"])
    table.row(["standard", "12 J"])
    table.row(["a", "5.6 kJ"])
    #expect(
      table.text(.plain) == """
                  energy
        standard    12 J
        a         5.6 kJ

        """)
  }

  @Test("A table that would be too wide has its columns one space apart")
  func narrow() {
    var table = Table()
    table.row((0..<10).map { _ in String(repeating: "z", count: 9) })
    #expect(table.text(.plain).count == 100)
  }

  @Test("A table that does not fit is folded into several, each with the first column")
  func folded() {
    var table = Table()
    table.header(["", "aaaa", "bbbb", "cccc"])
    table.row(["name", "1", "2", "3"])
    #expect(table.folded(to: 19).map { $0.text(.plain) } == [table.text(.plain)])
    #expect(
      table.folded(to: 18).map { $0.text(.plain, width: 18) } == [
        "      aaaa  bbbb\nname     1     2\n", "      cccc\nname     3\n",
      ])
    // Nothing is cut where not even two columns fit.
    #expect(table.folded(to: 5).count == 3)
  }

  @Test("A last column of words is aligned to the left")
  func lastLeft() {
    var table = Table(alignment: .lastWords)
    table.row(["a", "10", "call()"])
    table.row(["b", "9", "go()"])
    #expect(table.text(.plain) == "a  10  call()\nb   9  go()\n")
  }

  @Test("Only a terminal gets attributes")
  func style() {
    #expect(TextStyle.plain.bold("a") == "a")
    #expect(TextStyle.terminal.bold("a") == "\u{1B}[1ma\u{1B}[0m")
  }
}
