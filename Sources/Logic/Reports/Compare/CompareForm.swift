// SPDX-License-Identifier: Apache-2.0

package import Replay

// Theory
// ======
//
// A form is a value: the name of its option, its help text, and its output for each trace. Options, help and the
// command read the catalogue; a new form is one file and one line of `all`.

/// A form in which a comparison goes to standard output, trace by trace.
package struct CompareForm: Sendable {
  /// The subject of a report: one trace.
  package struct Subject: Sendable {
    package let trace: ComparedTrace
    package let options: ReplayOptions
    /// The only requested purpose; `nil` for all.
    package let purpose: Purpose?
    /// The page's pictures, if documents include them; else empty.
    package var curves: [CurveRecord] = []
    package let style: TextStyle
    /// Columns of the screen.
    package let width: Int

    package init(
      _ trace: ComparedTrace, _ options: ReplayOptions, purpose: Purpose? = nil,
      curves: [CurveRecord] = [], style: TextStyle, width: Int = AnswerText.usualWidth
    ) {
      self.trace = trace
      self.options = options
      self.purpose = purpose
      self.curves = curves
      self.style = style
      self.width = width
    }
  }

  /// The option, without its dashes.
  package let name: String
  package let help: String
  /// Whether it is for people, so that the changes since a baseline may follow it.
  package var isForPeople = false
  /// Whether the basis of the figures stands under the last table.
  package var hasFootnotes = false
  /// The text before the first trace, and between two.
  var head = ""
  var separator = ""
  let write: @Sendable (Subject) -> [UInt8]

  /// The forms with an option; without one it is `text`.
  package static let all = [details, json, csv]

  /// The bytes of one trace.
  package func bytes(_ subject: Subject, isFirst: Bool) -> [UInt8] {
    Array((isFirst ? head : separator).utf8) + write(subject)
  }
}
