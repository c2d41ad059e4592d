// SPDX-License-Identifier: Apache-2.0

/// A document of one file: no script, no font, no picture from elsewhere, and a policy that forbids them.
enum HTMLPage {
  static func document(_ title: String, _ body: (inout HTMLWriter) -> Void) -> [UInt8] {
    var html = HTMLWriter()
    html.element("html", ["lang": "en"]) { html in
      head(title, into: &html)
      html.newline()
      html.element("body", [:], body)
    }
    html.newline()
    return html.bytes
  }

  private static func head(_ title: String, into html: inout HTMLWriter) {
    html.element("head") { html in
      html.void("meta", ["charset": "utf-8"])
      html.void(
        "meta",
        [
          "http-equiv": "Content-Security-Policy",
          "content": "default-src 'none'; style-src 'unsafe-inline'",
        ])
      html.void("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
      html.element("title", title)
      html.newline()
      html.style(StyleSheet.text, Palette.rules)
    }
  }
}
