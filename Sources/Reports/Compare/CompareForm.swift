// SPDX-License-Identifier: Apache-2.0

package import Replay

// Theory
// ======
//
// A form is a value: what its option is called, what the help says of it, and what it writes for each trace.
// Options, help and the command read the catalogue; a new form is one file and one line of `all`.

/// A form in which a comparison goes to standard output, trace by trace.
package struct CompareForm: Sendable {
  /// What is told of a trace.
  package struct Subject: Sendable {
    package let trace: ComparedTrace
    package let options: ReplayOptions
    /// The only one that is asked for; `nil` for all.
    package let purpose: Purpose?
    /// What the page draws, where documents are to have it; empty elsewhere.
    package var curves: [CurveRecord] = []
    package let style: TextStyle

    package init(
      _ trace: ComparedTrace, _ options: ReplayOptions, purpose: Purpose? = nil,
      curves: [CurveRecord] = [], style: TextStyle
    ) {
      self.trace = trace
      self.options = options
      self.purpose = purpose
      self.curves = curves
      self.style = style
    }
  }

  /// The option, without its dashes.
  package let name: String
  package let help: String
  /// Whether it is for people, so that what changed since a baseline may follow it.
  package var isForPeople = false
  /// Whether what the figures rest on stands under the last table.
  package var hasFootnotes = false
  /// What stands before the first trace, and between two.
  var head = ""
  var separator = ""
  let write: @Sendable (Subject) -> [UInt8]

  /// The forms that have an option; without one it is `text`.
  package static let all = [details, json, markdown, csv]

  /// The bytes of one trace.
  package func bytes(_ subject: Subject, isFirst: Bool) -> [UInt8] {
    Array((isFirst ? head : separator).utf8) + write(subject)
  }
}
