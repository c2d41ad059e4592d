// SPDX-License-Identifier: Apache-2.0

import ServiceContract

// Theory
// ======
//
// A picture of letters: energy to the right, delay upwards, both by powers of ten. A letter is a place of the front,
// `·` a beaten one, `◆` the recommended one. If two fall on one cell the more important one is shown: recommended,
// front, beaten.

/// The front as plain text, for a terminal.
enum FrontPlot {
  private static let width = 78
  private static let height = 17

  static func text(_ report: AdviseReport, style: TextStyle) -> String {
    let front = report.front
    guard !front.front.isEmpty else { return "" }
    let scales = front.scales
    var cells = [[Character]](
      repeating: [Character](repeating: " ", count: width), count: height)
    func put(_ mark: Character, _ energy: Double, _ delay: Double?) {
      let x = Int((scales.energy.share(of: energy) * Double(width - 1)).rounded())
      let y = Int((scales.delay.share(of: ParetoFront.drawn(delay)) * Double(height - 1)).rounded())
      cells[height - 1 - y][x] = mark
    }
    for place in front.others where place.delay != nil { put("·", place.energy, place.delay) }
    for place in front.front { put(place.letter?.first ?? "·", place.energy, place.delay) }
    if let place = report.recommended { put("◆", place.energy, place.delay) }
    return rows(cells, scales.delay, style) + axis(scales.energy)
  }

  private static func rows(
    _ cells: [[Character]], _ scale: LogScale, _ style: TextStyle
  ) -> String {
    var labels: [Int: String] = [:]
    for exponent in scale.low...scale.high {
      let share = scale.share(of: tenTo(exponent))
      labels[height - 1 - Int((share * Double(height - 1)).rounded())] = seconds(exponent)
    }
    return cells.enumerated().map { row, cells in
      let label = labels[row] ?? ""
      var line = String(repeating: " ", count: 7 - label.count) + label
      line += labels[row] == nil ? " │" : " ┤"
      while line.count < 9 { line += " " }
      var body = String(cells)
      while body.hasSuffix(" ") { body.removeLast() }
      return line
        + body.split(separator: "◆", omittingEmptySubsequences: false)
        .joined(separator: style.bold("◆")) + "\n"
    }.joined()
  }

  /// `1 s`, `100 s`; in seconds throughout, as rules are powers of ten.
  private static func seconds(_ exponent: Int) -> String { Figures.plain(tenTo(exponent)) + " s" }

  private static func axis(_ scale: LogScale) -> String {
    var rule = [Character](repeating: "─", count: width)
    var labels = [Character](repeating: " ", count: width + 9)
    for exponent in scale.low...scale.high {
      let x = Int((scale.share(of: tenTo(exponent)) * Double(width - 1)).rounded())
      rule[x] = "┬"
      let label = Array(Figures.milliwattHours(tenTo(exponent)))
      let start = min(max(0, x + 9 - label.count / 2), labels.count - label.count)
      labels.replaceSubrange(start..<(start + label.count), with: label)
    }
    var names = String(labels)
    while names.hasSuffix(" ") { names.removeLast() }
    return "        └" + String(rule) + "\n" + names + "\n"
  }
}
