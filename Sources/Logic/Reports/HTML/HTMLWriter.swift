// SPDX-License-Identifier: Apache-2.0

// Theory
// ======
//
// One way to write HTML, and it escapes. Names of elements and attributes are literals of this program
// (`StaticString`); everything else passes `append(escaped:)`, whether it comes from a trace or from us.
// The only raw text is the style sheet, which is built from files of this program and the palette. The result is also
// well-formed XML, so that a test can read it with any parser: every element is closed, attributes are
// quoted, there are no named entities beyond XML's own.

/// Writes an HTML document, or an SVG picture; text and attribute values are escaped, always.
struct HTMLWriter {
  private(set) var bytes: [UInt8]
  private var lastID = 0

  typealias Attributes = KeyValuePairs<StaticString, String>

  init(head: StaticString = "<!DOCTYPE html>\n") {
    bytes = Array(head.description.utf8)
    bytes.reserveCapacity(1 << 18)
  }

  /// An identifier unique in the document.
  mutating func newID() -> String {
    lastID += 1
    return "i\(lastID)"
  }

  /// An element with the output of `body`.
  mutating func element(
    _ name: StaticString, _ attributes: Attributes = [:], _ body: (inout HTMLWriter) -> Void
  ) {
    openElement(name, attributes)
    append(literal: ">")
    body(&self)
    append(literal: "</")
    append(literal: name.description)
    append(literal: ">")
  }

  /// An element that holds `text`.
  mutating func element(_ name: StaticString, _ attributes: Attributes = [:], _ text: String) {
    element(name, attributes) { $0.writeText(text) }
  }

  /// An element without attributes that holds `text`.
  mutating func element(_ name: StaticString, _ text: String) {
    element(name) { $0.writeText(text) }
  }

  /// An element that has no content by definition (`meta`, `br`).
  mutating func void(_ name: StaticString, _ attributes: Attributes = [:]) {
    openElement(name, attributes)
    append(literal: "/>")
  }

  /// A shape of a picture.
  mutating func shape(_ name: StaticString, _ attributes: Attributes) {
    element(name, attributes) { _ in }
  }

  /// A picture with its title and its content in words, for those who do not see it.
  mutating func picture(
    _ styleClass: String, _ size: (name: StaticString, value: String), title: String,
    description: String, _ body: (inout HTMLWriter) -> Void
  ) {
    let ids = (newID(), newID())
    element(
      "svg",
      [
        "class": styleClass, size.name: size.value, "role": "img",
        "aria-labelledby": "\(ids.0) \(ids.1)",
      ]
    ) { html in
      html.element("title", ["id": ids.0], title)
      html.element("desc", ["id": ids.1], description)
      body(&html)
    }
  }

  mutating func writeText(_ text: String) { append(escaped: text) }

  /// A line feed between blocks, so that the source can be read and compared.
  mutating func newline() { append(literal: "\n") }

  /// A style sheet after the rules that name its colours.
  mutating func style(_ sheets: [StyleSheet], naming palette: [Palette.Rule]) {
    append(literal: "<style>\n")
    for rule in palette { append(literal: rule.text) }
    for sheet in sheets { append(literal: sheet.rules) }
    append(literal: "</style>\n")
  }

  /// A style sheet whose colours are written out, for programs that know no variables.
  mutating func style(literal sheets: [StyleSheet]) {
    append(literal: "<style>\n")
    for sheet in sheets { append(literal: Palette.literal(sheet).text) }
    append(literal: "</style>\n")
  }

  private mutating func openElement(_ name: StaticString, _ attributes: Attributes) {
    append(literal: "<")
    append(literal: name.description)
    for (key, value) in attributes {
      append(literal: " ")
      append(literal: key.description)
      append(literal: "=\"")
      append(escaped: value)
      append(literal: "\"")
    }
  }

  private mutating func append(literal: String) { bytes.append(contentsOf: literal.utf8) }

  /// Escapes the five characters of XML; characters that no XML document may hold become U+FFFD, and so
  /// do the marks that turn the direction of writing and could make a name look like another.
  private mutating func append(escaped text: String) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": append(literal: "&amp;")
      case "<": append(literal: "&lt;")
      case ">": append(literal: "&gt;")
      case "\"": append(literal: "&quot;")
      case "'": append(literal: "&#39;")
      case "\t", "\n", "\r", " "..."~": bytes.append(UInt8(truncatingIfNeeded: scalar.value))
      case "\0"..."\u{9F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}", "\u{FFFE}",
        "\u{FFFF}":
        append(literal: "\u{FFFD}")
      default: append(literal: String(scalar))
      }
    }
  }
}
