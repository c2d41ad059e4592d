// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

extension Live {
  /// The page of `milepost compare --html` in a real browser: three widths, dark, on paper, and as a picture.
  @Suite(
    "The page that is shared",
    .enabled(
      if: BrowserLook.chromium != nil, "chromium is not installed (Tools/setup test does it)"))
  struct ReportPageTests {
    private static let traces = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Traces").path

    /// A lake, a motorway, a road and thirty towns at the place of the commute.
    private static let ground: String = {
      let towns = (0..<30).map {
        """
        {"type":"Feature","geometry":{"type":"Point","coordinates":[\(14.98 + Double($0 % 6) * 0.04),\(-23.4 - Double($0 / 6) * 0.06)]},"properties":{"place":"town","name":"Oase Nummer \($0)"}}
        """
      }
      return """
        {"type":"FeatureCollection","features":[
        {"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[15.1,-23.45],[15.2,-23.45],[15.2,-23.55],[15.1,-23.45]]]},"properties":{"natural":"water"}},
        {"type":"Feature","geometry":{"type":"LineString","coordinates":[[14.5,-23.5],[15.6,-23.55]]},"properties":{"highway":"motorway"}},
        {"type":"Feature","geometry":{"type":"LineString","coordinates":[[15.0,-23.2],[15.0,-23.9]]},"properties":{"highway":"primary"}},
        \(towns.joined(separator: ",\n"))
        ]}
        """
    }()

    private func page() throws -> (station: Station, address: String) {
      let station = try Station()
      try Self.ground.write(
        toFile: station.path("ground.geojson"), atomically: true, encoding: .utf8)
      let made = try station.milepost([
        "compare", "--worlds", "1", "--map", station.path("ground.geojson"), "--html",
        station.path("page.html"), Self.traces + "/car-commute.gpx",
      ])
      #expect(made.code == 0, "\(made.text)")
      return (station, "file://" + station.path("page.html"))
    }

    /// No word of the answer ends beyond its column.
    private static let nothingSpills =
      "[...document.querySelectorAll('.first .name, .first .figure, .first p, .first figcaption')].every(e => e.getBoundingClientRect().right <= e.closest('.pair, figure').getBoundingClientRect().right + 1)"

    /// The conditions on any screen.
    private func always(_ width: Int) -> [String] {
      [
        "document.documentElement.scrollWidth <= \(width)",
        "document.querySelectorAll('h1').length === 1",
        Self.nothingSpills,
        "document.querySelectorAll('.large .ground path.highway').length === 1",
        "document.querySelectorAll('.large .ground text').length >= 4",
        // No name of a town touches another word of the map, in the fonts of this browser.
        """
        (() => { const boxes = [...document.querySelectorAll('.large svg.map text')].map(t => t.getBoundingClientRect());
        return boxes.every((a, i) => boxes.slice(0, i).every(b => a.right <= b.left || b.right <= a.left || a.bottom <= b.top + 2 || b.bottom <= a.top + 2)); })()
        """,
        // Each name is fully visible.
        """
        (() => { const map = document.querySelector('.large svg.map').getBoundingClientRect();
        return [...document.querySelectorAll('.large .ground text')].map(t => t.getBoundingClientRect()).every(t => t.left >= map.left - 1 && t.right <= map.right + 1 && t.top >= map.top - 1 && t.bottom <= map.bottom + 1); })()
        """,
        // The small maps show the ground of the first one.
        "[...document.querySelectorAll('.maps use')].every(u => document.querySelector(u.getAttribute('href')).classList.contains('ground'))",
      ]
    }

    @Test("It fits three widths, in the light and in the dark, and asks nobody for anything")
    func widths() throws {
      let (station, address) = try page()
      for (width, scheme) in [(390, "light"), (820, "dark"), (1_440, "light")] {
        let (paper, water) =
          scheme == "dark"
          ? ("rgb(23, 22, 20)", "rgb(29, 49, 64)") : ("rgb(253, 252, 248)", "rgb(211, 227, 236)")
        let look = try BrowserLook(
          at: address, in: station, width: width, scheme: scheme,
          [
            // All parts unfolded: nothing hides.
            "(document.querySelectorAll('details').forEach(d => d.open = true), true)",
            "getComputedStyle(document.documentElement).backgroundColor === '\(paper)'",
            "getComputedStyle(document.querySelector('.large .ground path.water')).fill === '\(water)'",
          ] + always(width))
        #expect(look.failed.isEmpty, "\(width), \(scheme): \(look.failed)")
        #expect(look.log.isEmpty, "\(look.log)")
        #expect(look.hosts == [""], "a file, and nothing besides: \(look.hosts)")
      }
    }

    @Test(
      "The answer, the map and both bars are on the first screen of a laptop and of a phone's width"
    )
    func firstScreen() throws {
      let (station, address) = try page()
      for width in [1_280, 1_440] {
        let look = try BrowserLook(
          at: address, in: station, width: width,
          ["h1", ".large svg.map", ".pair .bar:nth-of-type(2)"].map {
            "document.querySelector('\($0)').getBoundingClientRect().bottom <= 900"
          })
        #expect(look.failed.isEmpty, "\(width): \(look.failed)")
      }
      // A phone's screen is 844 high: sentence and map.
      let phone = try BrowserLook(
        at: address, in: station, width: 390,
        ["h1", ".large svg.map"].map {
          "document.querySelector('\($0)').getBoundingClientRect().bottom <= 844"
        })
      #expect(phone.failed.isEmpty, "\(phone.failed)")
    }

    @Test("On paper all parts are open, and the colours are those of the light")
    func paper() throws {
      let (station, address) = try page()
      let look = try BrowserLook(
        at: address, in: station, width: 740, scheme: "dark", options: ["--print"],
        [
          "[...document.querySelectorAll('details')].every(d => d.querySelector('.folded').getBoundingClientRect().height > 20)",
          "getComputedStyle(document.querySelector('.large .ground path.water')).fill === 'rgb(211, 227, 236)'",
          "getComputedStyle(document.querySelector('summary'), '::before').content === 'none'",
          Self.nothingSpills,
          // The answer is on the first of pages that are 1000 high: A4 less its margins, at this width.
          "document.querySelector('header').getBoundingClientRect().bottom <= 1000",
        ])
      #expect(look.failed.isEmpty, "\(look.failed)")
    }
  }
}
