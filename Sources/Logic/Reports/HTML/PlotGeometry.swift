// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText

// Theory
// ======
//
// Pictures fit any width without a script: the outer SVG has no view box and places text and rules by
// percentage, so that letters keep their size on a phone; lines lie in an inner SVG of 1000 × 1000 units
// that is stretched, with strokes that are not.

/// A place on an axis as a share of it, 0 to 1.
protocol AxisScale {
  func share(of value: Double) -> Double
  /// The values with a rule.
  var rules: [Double] { get }
}

/// Even steps from 0 on.
struct LinearScale: AxisScale {
  let high: Double
  let rules: [Double]

  /// From 0 to `high` or a little more, with a rule at each step of 1, 2 or 5 times a power of ten, at most
  /// `most` of them above 0.
  init(upTo high: Double, most: Int = 5) {
    let top = high > 0 && high.isFinite ? high : 1
    let decade = tenTo(LogScale.exponent(top / Double(most)))
    let step = [1.0, 2, 5].map { $0 * decade }.first { top / $0 <= Double(most) } ?? 10 * decade
    rules = (0...most).map { Double($0) * step }.filter { $0 <= top * 1.0001 }
    self.high = top * 1.04
  }

  func share(of value: Double) -> Double { min(1, max(0, value / high)) }
}

/// Powers of ten.
struct LogScale: AxisScale {
  /// Exponents of ten at both ends.
  let low: Int
  let high: Int
  /// The number of powers between two rules.
  var step = 1

  var rules: [Double] { stride(from: low, through: high, by: step).map(tenTo) }

  /// The decades that hold `values`; values of 0 and less are left out.
  init(holding values: [Double], atLeast decades: Int = 2) {
    let positive = values.filter { $0 > 0 && $0.isFinite }
    let top = Self.exponent(positive.max() ?? 1)
    let ceiling = (positive.max() ?? 1) > tenTo(top) ? top + 1 : top
    let bottom = Self.exponent(positive.min() ?? 1)
    low = min(bottom, ceiling - decades)
    high = ceiling
  }

  init(low: Int, high: Int) {
    self.low = low
    self.high = max(high, low + 1)
  }

  func share(of value: Double) -> Double {
    guard value > 0 else { return 0 }
    let exponent = logarithm(value) / logarithm(10)
    return min(1, max(0, (exponent - Double(low)) / Double(high - low)))
  }

  /// The greatest whole exponent whose power is at most `value`.
  static func exponent(_ value: Double) -> Int {
    var exponent = 0
    while tenTo(exponent + 1) <= value, exponent < 30 { exponent += 1 }
    while tenTo(exponent) > value, exponent > -30 { exponent -= 1 }
    return exponent
  }
}

func tenTo(_ exponent: Int) -> Double {
  var power = 1.0
  for _ in 0..<exponent.magnitude { power *= 10 }
  return exponent < 0 ? 1 / power : power
}

/// A place in a picture, to the tenth of a unit.
func tenths(_ value: Double) -> String { Decimal.text(value, decimals: 1, trimmed: true) }

/// `12.34%` of a share.
func percentage(_ share: Double) -> String {
  Decimal.text(min(1, max(0, share)) * 100, decimals: 2, trimmed: true) + "%"
}

extension HTMLWriter {
  /// A picture with the rules of a scale and their labels on the left; `corner` stands below them. `body` draws in the
  /// outer system, by percentages.
  mutating func plot(
    _ scale: some AxisScale, height: Int, isTicked: Bool, corner: String = "", title: String,
    description: String, label: (Double) -> String, _ body: (inout HTMLWriter) -> Void
  ) {
    let rules = scale.rules.map { (value: $0, y: percentage(1 - scale.share(of: $0))) }
    element("svg", ["class": "y", "height": String(height), "aria-hidden": "true"]) { html in
      for rule in rules {
        html.element(
          "text", ["x": "100%", "dx": "-6", "y": rule.y, "dy": "4", "text-anchor": "end"],
          label(rule.value))
      }
      guard !corner.isEmpty else { return }
      html.element(
        "text", ["x": "100%", "dx": "-6", "y": "100%", "dy": "32", "text-anchor": "end"], corner)
    }
    picture(
      isTicked ? "plot ticked" : "plot", ("height", String(height)), title: title,
      description: description
    ) { html in
      for rule in rules {
        html.shape(
          "line", ["class": "grid", "x1": "0", "x2": "100%", "y1": rule.y, "y2": rule.y])
      }
      body(&html)
    }
  }

  /// An inner system of 1000 × 1000 units, stretched.
  mutating func stretched(_ body: (inout HTMLWriter) -> Void) {
    element(
      "svg",
      [
        "class": "inner", "viewBox": "0 0 1000 1000", "preserveAspectRatio": "none",
        "width": "100%", "height": "100%",
      ], body)
  }
}

/// Path data in whole units; points equal to the one before are left out.
struct PathData {
  private(set) var text = ""
  private var last: (x: Int, y: Int)?
  private var run: (x: Int, y: Int)?

  /// Begins a new line at a point.
  mutating func move(_ x: Double, _ y: Double) {
    flush()
    let point = (x: Int(x.rounded()), y: Int(y.rounded()))
    text += "M\(point.x) \(point.y)"
    last = point
  }

  /// Continues to a point; runs of equal height are one line.
  mutating func drawLine(to x: Double, _ y: Double) {
    guard let last else { return move(x, y) }
    let point = (x: Int(x.rounded()), y: Int(y.rounded()))
    if let run, run.y != point.y || last.y != run.y { flush() }
    if let last = self.last, point == last { return }
    run = point
  }

  /// The data, complete.
  mutating func finished() -> String {
    flush()
    return text
  }

  private mutating func flush() {
    guard let run, let last else { return }
    self.run = nil
    guard run != last else { return }
    text += "l\(run.x - last.x) \(run.y - last.y)"
    self.last = run
  }
}
