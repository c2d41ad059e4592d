// SPDX-License-Identifier: Apache-2.0

/// A document of one file: no script, no font, no picture from elsewhere, and a policy that forbids them.
struct HTMLPage {
  /// The text of the browser's tab.
  let title: String
  /// The text of a shared link to the page (Open Graph, ogp.me): one sentence, and what follows from it.
  let headline: String
  let description: String

  /// A page whose body begins with its headline: what it is about above, a sentence below, which may be missing, and
  /// where its figures come from.
  func document(
    kicker: String, standfirst: String?, dateline: ((inout HTMLWriter) -> Void)? = nil,
    @ReportBuilder _ nodes: () -> [Node]
  ) -> [UInt8] {
    document { html in
      html.element("main") { html in
        html.element("header") { html in
          html.element("p", ["class": "kicker"], "Milepost · " + kicker)
          html.element("h1", Prose.glued(headline))
          if let standfirst {
            html.element("p", ["class": "standfirst"], Prose.glued(standfirst))
          }
          if let dateline { html.element("p", ["class": "dateline"], dateline) }
        }
        html.newline()
        html.writeReport(nodes())
      }
    }
  }

  func document(_ body: (inout HTMLWriter) -> Void) -> [UInt8] {
    var html = HTMLWriter()
    html.element("html", ["lang": "en"]) { html in
      head(into: &html)
      html.newline()
      html.element("body", [:], body)
    }
    html.newline()
    return html.bytes
  }

  private func head(into html: inout HTMLWriter) {
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
      html.void("meta", ["name": "description", "content": description])
      html.void("meta", ["property": "og:type", "content": "article"])
      html.void("meta", ["property": "og:title", "content": headline])
      html.void("meta", ["property": "og:description", "content": description])
      html.newline()
      html.style([.text, .map], naming: Palette.rules)
    }
  }
}
