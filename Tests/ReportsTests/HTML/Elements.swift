// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Elements of a document, read by a parser that is not ours.
final class Elements: NSObject, XMLParserDelegate {
  struct Element {
    let name: String
    let attributes: [String: String]
    let parents: [String]
    var text = ""
    var children: [String] = []
  }

  private(set) var all: [Element] = []
  private var open: [Int] = []

  init(_ page: String) throws {
    super.init()
    let parser = XMLParser(data: Data(page.utf8))
    parser.delegate = self
    let isWellFormed = parser.parse()
    #expect(
      isWellFormed,
      "\(parser.parserError.map(String.init(describing:)) ?? "") line \(parser.lineNumber)")
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    if let parent = open.last { all[parent].children.append(name) }
    all.append(Element(name: name, attributes: attributes, parents: open.map { all[$0].name }))
    open.append(all.count - 1)
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    open.removeLast()
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    for index in open { all[index].text += text }
  }

  func named(_ name: String) -> [Element] { all.filter { $0.name == name } }
}
