// SPDX-License-Identifier: Apache-2.0

// Theory
// ======
//
// A report is a tree of few kinds of nodes. One function makes it, and decides what is told and in which order; one
// renderer a form decides how a kind of node looks there: `TextForm` on a terminal, `PageForm` on a page.
//
//   node      terminal                              page
//   title     a line, its name in bold              nothing: the page's head has it
//   sentence  lines broken between words            a paragraph
//   fact      a name, and its text in a column      a paragraph, its name in bold
//   list      lines below a name                    a heading and a list
//   table     columns                               a table that scrolls by itself, with exact figures
//   bars      blocks                                bars with their ranges
//   part      an empty line, its heading in bold    a section, or below one a heading
//   fold      the same                              a part that folds, its gist beside its heading
//   picture   nothing: the tables say it            a plot, a map, or what only a page has
//
// JSON is no form of the tree. Its documents are contracts with a schema: exact values under keys that end in their
// unit, for each subject in full, whereas a tree has what fits people: rounded, left out where it is nothing, in
// sentences. Both read the same columns (`Column`) where they tell the same.

/// A report before it has a form.
package struct Report {
  let nodes: [Node]

  init(@ReportBuilder _ nodes: () -> [Node]) { self.nodes = nodes() }
}

/// A part of a report.
enum Node {
  case title(String, String = "")
  /// On a terminal its first line begins with `indent` blanks, the others with `hanging`.
  case sentence(String, indent: Int = 0, hanging: Int = 0, isBold: Bool = false)
  /// A name, and the text that begins in a column of a terminal.
  case fact(String, String, column: Int)
  /// Sentences below a name; those that are marked have a dash each, for they are several things.
  case list([String], under: String, isMarked: Bool = false)
  case table(Table)
  case bars(Bars)
  case section(Section)
  case picture((inout HTMLWriter) -> Void)

  struct Section {
    /// Empty for none.
    let heading: String
    /// What it comes to, in a few words; `nil` if it does not fold.
    var gist: String?
    /// Whether it is unfolded at first.
    var isOpen = false
    /// For links to it.
    var id: String?
    let nodes: [Node]
  }

  static func part(_ heading: String = "", @ReportBuilder _ nodes: () -> [Node]) -> Node {
    .section(Section(heading: heading, nodes: nodes()))
  }

  static func fold(
    _ heading: String, _ gist: String = "", isOpen: Bool = false, id: String? = nil,
    @ReportBuilder _ nodes: () -> [Node]
  ) -> Node {
    .section(Section(heading: heading, gist: gist, isOpen: isOpen, id: id, nodes: nodes()))
  }
}

/// The nodes of a report, one below the other; those of a condition that does not hold are left out.
@resultBuilder
enum ReportBuilder {
  static func buildExpression(_ node: Node) -> [Node] { [node] }
  static func buildExpression(_ nodes: [Node]) -> [Node] { nodes }
  static func buildBlock(_ parts: [Node]...) -> [Node] { parts.flatMap(\.self) }
  static func buildOptional(_ part: [Node]?) -> [Node] { part ?? [] }
  static func buildEither(first: [Node]) -> [Node] { first }
  static func buildEither(second: [Node]) -> [Node] { second }
  static func buildArray(_ parts: [[Node]]) -> [Node] { parts.flatMap(\.self) }
}
