// SPDX-License-Identifier: Apache-2.0

// Theory
// ======
//
// A picture has no line breaks, so the words of a card are set here, with the widths of Helvetica (Adobe Core 14 AFM
// files; Arial and Liberation Sans are made to the same widths). If the reader's machine has none of them, its letters
// may be wider: those of DejaVu Sans by a sixth, in bold by a fifth (both measured on such lines). So a line is filled
// to 0.86, in bold to 0.82.

/// Words set in lines of a given width.
enum TextLines {
  /// From the space to the tilde, thousandths of the size.
  private static let widths: [Double] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
  ]
  /// The extra width of Helvetica Bold over a text [its AFM: 3 to 9 % for English].
  private static let bold = 1.07
  private static let fill = (plain: 0.86, bold: 0.82)

  /// Width of a text, in the unit of its size; letters beyond ASCII count as a full square.
  static func width(of text: String, size: Double, isBold: Bool = false) -> Double {
    let sum = text.unicodeScalars.reduce(0.0) { sum, scalar in
      switch scalar {
      case " "..."~": sum + widths[Int(scalar.value) - 32]
      case "\u{A0}": sum + widths[0]
      case "\u{C0}"..."\u{24F}", "–", "·", "±", "×": sum + 600
      default: sum + 1_000
      }
    }
    return sum / 1_000 * size * (isBold ? bold : 1)
  }

  /// The lines of a text; a word wider than a line has its own line.
  static func lines(
    of text: String, within width: Double, size: Double, isBold: Bool = false
  ) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      let longer = (lines.last.map { $0 + " " } ?? "") + word
      let room = width * (isBold ? fill.bold : fill.plain)
      if !lines.isEmpty, Self.width(of: longer, size: size, isBold: isBold) <= room {
        lines[lines.count - 1] = longer
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// The largest of the falling `sizes` at which a text takes at most `most` lines; at the last one the overflow ends
  /// with an ellipsis.
  static func fitting(
    _ text: String, within width: Double, sizes: [Double], most: Int
  ) -> (lines: [String], size: Double) {
    var fit: (lines: [String], size: Double) = ([], 0)
    for size in sizes {
      fit = (lines(of: text, within: width, size: size, isBold: true), size)
      if fit.lines.count <= most { return fit }
    }
    return (fit.lines.prefix(most - 1) + [shortened(fit.lines[most - 1])], fit.size)
  }

  private static func shortened(_ line: String) -> String {
    line.split(separator: " ").dropLast().joined(separator: " ") + " …"
  }

  /// The part of a text that fits a line of `width`, with an ellipsis if that is not all.
  static func cut(_ text: String, within width: Double, size: Double) -> String {
    guard self.width(of: text, size: size) > width * fill.plain else { return text }
    var kept = ""
    for character in text {
      if self.width(of: kept + String(character) + "…", size: size) > width * fill.plain { break }
      kept.append(character)
    }
    return kept + "…"
  }
}
