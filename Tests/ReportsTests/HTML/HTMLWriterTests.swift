// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Reports

@Suite("Writing HTML")
struct HTMLWriterTests {
  private func written(_ body: (inout HTMLWriter) -> Void) -> String {
    var html = HTMLWriter()
    body(&html)
    return String(decoding: html.bytes, as: UTF8.self).replacing("<!DOCTYPE html>\n", with: "")
  }

  @Test("Text and attributes are escaped without being asked to")
  func escapes() {
    let hostile = "<script>alert(\"x\")</script>&'"
    let safe = "&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;&#39;"
    #expect(written { $0.element("p", hostile) } == "<p>\(safe)</p>")
    #expect(
      written { $0.element("a", ["title": hostile], "") } == "<a title=\"\(safe)\"></a>")
  }

  @Test("What XML cannot hold, and what turns the direction of writing, becomes U+FFFD")
  func controls() {
    #expect(written { $0.writeText("a\0b\u{1B}c") } == "a\u{FFFD}b\u{FFFD}c")
    #expect(written { $0.writeText("gpx.\u{202E}exe") } == "gpx.\u{FFFD}exe")
    #expect(written { $0.writeText("tab\tline\n") } == "tab\tline\n")
  }

  @Test("Letters of other scripts stay")
  func letters() {
    #expect(written { $0.writeText("Straße 東京 🚗") } == "Straße 東京 🚗")
  }
}
