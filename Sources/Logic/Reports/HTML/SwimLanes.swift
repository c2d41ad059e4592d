// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Replay
import ServiceContract

// Theory
// ======
//
// One time axis for all: a lane for the acts of user and system, a lane for each app, and the energy of the device. The
// height of its band and its colour show a state, so it can be read without colours:
//
//   in front  ████      deliveries are strokes above the band, wakes triangles, ends crosses
//   background▄▄▄▄
//   suspended ▁▁▁▁      not running: nothing
//
// The table below gives the content of the picture in words.

/// The picture of a timeline: a lane each for the user and the apps, and the energy below if it is known over time.
struct SwimLanes {
  /// What user and system do, with the time in its words.
  struct Act {
    let at: Double
    let words: String
  }

  /// The life of an app. Times are seconds from the start.
  struct Lane {
    let name: String
    let gist: String
    /// For those who do not see the picture.
    let description: String
    let bands: [Band]
    let marks: [AppLife.Mark]
  }

  /// A state from one instant to another: a share of the lane's height, and a colour.
  struct Band {
    let from: Double
    let to: Double
    let height: Double
    let styleClass: String

    /// `nil` for a state that is not drawn.
    init?(
      from start: Double, to end: Double, _ look: (height: Double, styleClass: String)?
    ) {
      guard let look else { return nil }
      (from, to) = (start, end)
      (height, styleClass) = look
    }
  }

  /// Joules above the baseline, from the start.
  struct Energy {
    let curve: Curve
    let end: Double
  }

  let acts: [Act]
  let lanes: [Lane]
  let energy: Energy?
  let axis: TimeAxis

  /// CSS pixels.
  private static let heights = (user: 30, app: 64, energy: 130)
  /// The height of a lane's upper part, which is for marks; pixels.
  private static let sky = 24.0

  func writeLanes(into html: inout HTMLWriter) {
    if !acts.isEmpty { writeActs(into: &html) }
    for lane in lanes { write(lane: lane, into: &html) }
    if let energy { write(energy: energy, into: &html) }
  }

  // MARK: The user's lane

  private func writeActs(into html: inout HTMLWriter) {
    let words = acts.map(\.words)
    html.element("div", ["class": "strip"]) { html in
      html.element("p", ["class": "name"], "User and system")
      html.element("div", ["class": "chart bare"]) { html in
        picture(
          height: Self.heights.user, title: "What user and system do",
          description: words.joined(separator: "; "), into: &html
        ) { html in
          for (number, act) in acts.enumerated() {
            let x = percentage(axis.share(of: act.at))
            html.element("svg", ["x": x, "y": "50%", "width": "1", "height": "1"]) { html in
              html.shape("path", ["class": "act", "d": "M0 -11v22"])
            }
            guard number < 60, isRoomy(number) else { continue }
            html.element(
              "text",
              [
                "class": "act", "x": x, "dx": anchor(act.at) == "end" ? "-4" : "4", "y": "50%",
                "dy": "4", "text-anchor": anchor(act.at),
              ],
              String(number + 1))
          }
        }
      }
      html.element("ol", ["class": "acts"]) { html in
        for line in words { html.element("li", line) }
      }
    }
    html.newline()
  }

  /// Whether the number beside an act has room before the next one.
  private func isRoomy(_ number: Int) -> Bool {
    guard number + 1 < acts.count else { return true }
    return axis.share(of: acts[number + 1].at) - axis.share(of: acts[number].at)
      > 0.045
  }

  private func anchor(_ seconds: Double) -> String {
    axis.share(of: seconds) > 0.94 ? "end" : "start"
  }

  // MARK: An app's lane

  private func write(lane: Lane, into html: inout HTMLWriter) {
    html.element("div", ["class": "strip"]) { html in
      html.element("p", ["class": "name"]) { html in
        html.element("bdi", lane.name)
        html.writeText(" ")
        html.element("small", lane.gist)
      }
      html.element("div", ["class": "chart bare"]) { html in
        picture(
          height: Self.heights.app, title: "The life of \(lane.name)",
          description: lane.description, into: &html
        ) { html in
          write(bands: lane.bands, into: &html)
          write(marks: lane.marks, into: &html)
        }
      }
    }
    html.newline()
  }

  private func write(bands: [Band], into html: inout HTMLWriter) {
    let ground = Double(Self.heights.app) - Self.sky
    for band in bands {
      let (a, b) = (axis.share(of: band.from), axis.share(of: band.to))
      let tall = ground * band.height
      html.shape(
        "rect",
        [
          "class": "life \(band.styleClass)", "x": percentage(a), "width": percentage(b - a),
          "y": tenths(Double(Self.heights.app) - tall), "height": tenths(tall),
        ])
    }
  }

  private func write(marks: [AppLife.Mark], into html: inout HTMLWriter) {
    html.stretched { html in
      // At most one stroke for each thousandth of the axis, over the lane's upper part.
      var strokes = ""
      var last = -1
      for mark in marks where mark.kind == .delivery {
        let x = Int((axis.share(of: mark.at) * 1_000).rounded())
        guard x != last else { continue }
        last = x
        strokes += "M\(x) 190v150"
      }
      if !strokes.isEmpty { html.shape("path", ["class": "line delivered", "d": strokes]) }
    }
    var last = -1.0
    for mark in marks where mark.kind != .delivery {
      let share = axis.share(of: mark.at)
      // Marks that would cover one another are one.
      if mark.kind == .wake {
        guard share - last > 0.004 else { continue }
        last = share
      }
      html.element("svg", ["x": percentage(share), "y": "0", "width": "1", "height": "1"]) {
        html in
        html.shape(
          "path",
          mark.kind == .wake
            ? ["class": "wake", "d": "M-4 1h8l-4 8z"]
            : ["class": "ended", "d": "M-4 56l8 8m0 -8l-8 8"])
      }
    }
  }

  // MARK: Energy

  private func write(energy: Energy, into html: inout HTMLWriter) {
    let total = energy.curve.values.compactMap(\.self).last ?? 0
    let plot = TimePlot(
      axis: axis, scale: LinearScale(upTo: total, most: 3), height: Self.heights.energy,
      label: Figures.round(joules:))
    html.element("div", ["class": "strip last"]) { html in
      html.element("p", ["class": "name"], "Energy of the device so far, above its baseline")
      html.element("div", ["class": "chart bare"]) { html in
        plot.drawFrame(
          title: "Energy of the device so far",
          description: "\(Figures.energy(total)) at the end", into: &html
        ) { html in
          html.stretched {
            $0.shape(
              "path",
              ["class": "line trail", "d": plot.path(energy.curve, end: (energy.end, total))])
          }
        }
      }
    }
    html.newline()
  }

  // MARK: Frame

  private func picture(
    height: Int, title: String, description: String, into html: inout HTMLWriter,
    _ body: (inout HTMLWriter) -> Void
  ) {
    html.element("svg", ["class": "y", "height": String(height), "aria-hidden": "true"]) { _ in }
    html.picture(
      "plot lane", ("height", String(height)), title: title, description: description
    ) { html in
      for gap in axis.gaps { gap.drawArea(as: "gap", into: &html) }
      html.shape("line", ["class": "grid", "x1": "0", "x2": "100%", "y1": "100%", "y2": "100%"])
      body(&html)
    }
  }
}
