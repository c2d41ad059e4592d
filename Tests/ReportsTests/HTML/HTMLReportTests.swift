// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import LocationModel
import Replay
import Testing

@testable import Reports

@Suite("The report as one page")
struct HTMLReportTests {
  @Test("It is well formed, says its language, and needs nothing from elsewhere")
  func selfContained() throws {
    let page = try Drives.page([try Drives.reported("drive.gpx")])
    let elements = try Elements(page)
    #expect(elements.named("html").first?.attributes["lang"] == "en")
    for banned in ["script", "link", "img", "iframe", "object", "embed", "base", "form"] {
      #expect(elements.named(banned).isEmpty, "\(banned)")
    }
    for element in elements.all {
      for (key, value) in element.attributes {
        #expect(!key.hasPrefix("on"), "\(key) is a script")
        #expect(key != "src" && key != "style" && key != "srcset")
        if key == "href" { #expect(value.hasPrefix("#")) }
        #expect(!value.contains("http:") && !value.contains("https:"))
      }
    }
    let sheet = try #require(elements.named("style").first).text
    #expect(!sheet.contains("url(") && !sheet.contains("@import"))
    #expect(sheet.contains("prefers-color-scheme:dark") && sheet.contains("@media print"))
  }

  @Test("What a shared link says: title, the sentence, and what follows from it (Open Graph)")
  func shared() throws {
    let elements = try Elements(try Drives.page([try Drives.reported("drive.gpx")]))
    let title = try #require(elements.named("title").first).text
    #expect(title == "drive.gpx: what background location costs · Milepost")
    var properties: [String: String] = [:]
    for meta in elements.named("meta") {
      if let name = meta.attributes["property"] { properties[name] = meta.attributes["content"] }
    }
    let headline = try #require(elements.named("h1").first).text
    let spoken = headline.replacing("\u{A0}", with: " ").replacing("\u{2060}", with: "")
    #expect(properties["og:title"]?.replacing("\u{A0}", with: " ") == spoken)
    #expect(properties["og:type"] == "article")
    #expect(properties["og:description"]?.contains("To record the way within 100 m: ") == true)
  }

  @Test("The first screen answers all four purposes; the bars are the pair that the headline names")
  func purposes() throws {
    let trace = try Drives.reported("drive.gpx").figures
    let answer = PageAnswer(of: trace)
    let elements = try Elements(try Drives.page([try Drives.reported("drive.gpx")]))
    let header = try #require(elements.named("header").first).text
    for purpose in Purpose.allCases { #expect(header.contains(purpose.aim)) }
    let arrival = try #require(trace.answers.first { $0.purpose == .arrival })
    #expect(Set(answer.pair) == Set([arrival.row, arrival.against].compactMap(\.self)))
    #expect(trace.rows[answer.pair[0]].joules >= trace.rows[answer.pair[1]].joules)
    #expect(elements.named("h2").map(\.text).contains("What to call"))
  }

  @Test("The first screen has one map and two bars; all else folds, and unfolds on paper")
  func firstScreen() throws {
    let elements = try Elements(try Drives.page([try Drives.reported("drive.gpx")]))
    let first = elements.all.filter { $0.parents.contains("header") }
    #expect(first.count { $0.attributes["class"] == "map" } == 1)
    #expect(first.count { $0.attributes["class"]?.hasPrefix("bar ") == true } == 2)
    // Beside the map only when one came and left.
    for table in elements.named("table") {
      #expect(table.parents.contains("details") || table.text.hasPrefix("When one came and left"))
    }
    let open = elements.named("details").filter { $0.attributes["open"] != nil }
    #expect(open.count == 1)
    let sheet = try #require(elements.named("style").first).text
    let paper = try #require(sheet.split(separator: "@media print").last)
    #expect(paper.contains("details::details-content{content-visibility:visible"))
  }

  @Test("A battery is spoken of as the share that location takes, not as what lasts")
  func battery() throws {
    let page = try Drives.page([try Drives.reported("drive.gpx")])
    #expect(!page.contains("Nothing running"))
    #expect(page.contains("%/h"))
    #expect(page.contains("Of the location part only"))
  }

  @Test("Pictures have names and descriptions, tables have captions and headed rows and columns")
  func accessible() throws {
    let elements = try Elements(try Drives.page([try Drives.reported("drive.gpx")]))
    let ids = elements.all.compactMap { $0.attributes["id"] }
    #expect(Set(ids).count == ids.count)
    for picture in elements.named("svg") where !picture.parents.contains("svg") {
      if picture.attributes["aria-hidden"] == "true" { continue }
      #expect(picture.attributes["role"] == "img")
      let label = picture.attributes["aria-label"] ?? ""
      let references = picture.attributes["aria-labelledby"]?.split(separator: " ") ?? []
      #expect(!label.isEmpty || references.count == 2)
      for id in references { #expect(ids.contains(String(id))) }
    }
    for table in elements.named("table") {
      #expect(table.children == ["caption", "thead", "tbody"])
    }
    for heading in elements.named("th") {
      #expect(["row", "col"].contains(heading.attributes["scope"]))
    }
    for frame in elements.named("div") where frame.attributes["class"] == "table" {
      #expect(frame.attributes["tabindex"] == "0")
      #expect(frame.attributes["aria-label"]?.isEmpty == false)
    }
    #expect(elements.named("h1").count == 1)
  }

  @Test(
    "A hostile name is only a name",
    arguments: [
      "<script>alert(1)</script>.gpx", "\"><img src=x onerror=alert(1)>.gpx", "' onload='x.gpx",
      "</title></style><b>&amp;.gpx", "]]><!--.gpx",
    ])
  func hostile(name: String) throws {
    let one = try Drives.reported(name)
    for page in [try Drives.page([one]), try Drives.page([one, one])] {
      let elements = try Elements(page)
      #expect(elements.named("script").isEmpty && elements.named("img").isEmpty)
      #expect(elements.named("title").first?.parents.last == "head")
      #expect(elements.named("bdi").contains { $0.text == name })
      #expect(!elements.all.contains { $0.attributes.keys.contains { $0.hasPrefix("on") } })
    }
  }

  @Test("Every figure of the table is the JSON's, exactly")
  func totals() throws {
    let trace = try Drives.reported("drive.gpx")
    let elements = try Elements(try Drives.page([trace]))
    let exact = elements.named("data").compactMap { $0.attributes["value"] }
    let bytes = CompareJSON.line(trace.figures, options: try Drives.options())
    let runs = try #require(try JSONValue.parse(bytes.span)["runs"]?.array)
    let names = [
      "energy_j", "average_mw", "battery_percent", "gnss_on_s", "fixes_seen",
      "deliveries", "crossings_missed", "wakes", "launches", "blind_s", "blind_m",
    ]
    let decimals = [
      "energy_j": 6, "average_mw": 4, "battery_percent": 6, "blind_m": 1,
    ]
    let expected = runs.flatMap { run in
      names.map { name in
        run[name]?.number.map { Decimal.text($0, decimals: decimals[name] ?? 3, trimmed: true) }
          ?? "?"
      }
    }
    #expect(exact.count == expected.count + delays(trace))
    #expect(Array(exact.suffix(expected.count)) == expected)
  }

  /// Counts in the table of delays, which come before those of the comparison.
  private func delays(_ trace: ReportedTrace) -> Int {
    2 * trace.curves.count { $0.crossingCount > 0 }
  }

  @Test("The same input gives the same bytes, and a small page")
  func deterministic() throws {
    let first = try Drives.page([try Drives.reported("drive.gpx")])
    let place = Coordinate(clampingLatitude: 48, wrappingLongitude: 11)
    #expect(first == (try Drives.page([try Drives.reported("drive.gpx", from: place)])))
    #expect(first.utf8.count < 220_000)
  }

  @Test("Several traces: a total, each by itself, and the days")
  func several() throws {
    let monday = try Drives.reported("monday.gpx")
    let tuesday = try Drives.reported(
      "tuesday.gpx", from: Coordinate(clampingLatitude: 48, wrappingLongitude: 11),
      at: UTCInstant(microseconds: 1_773_815_470_000_000))
    let elements = try Elements(try Drives.page([monday, tuesday]))
    let headings = elements.named("h2").map(\.text)
    #expect(headings.contains("monday.gpx") && headings.contains("tuesday.gpx"))
    #expect(headings.contains("Day by day"))
    let rows = elements.named("th").map(\.text)
    #expect(rows.contains("Tue 17 Mar 2026") && rows.contains("Wed 18 Mar 2026"))
    let targets = elements.named("a").compactMap { $0.attributes["href"]?.dropFirst() }
    let ids = Set(elements.all.compactMap { $0.attributes["id"] })
    #expect(targets.count == 2 && targets.allSatisfy { ids.contains(String($0)) })
  }

  @Test("A gap is a break in the curve and a grey band, and takes little of the axis")
  func gap() throws {
    let page = try Drives.page([
      try Drives.reported(
        "drive.gpx", from: Coordinate(clampingLatitude: 48, wrappingLongitude: 11), gap: 4_000)
    ])
    #expect(page.contains("class=\"gap cut\""))
    #expect(page.contains("a break in the line is a gap of the trace"))
    #expect(
      page.contains("left out: 1 gap of 67\u{A0}min") || page.contains("left out: 1 gap of 67 min"))
    let whole = try Drives.page([try Drives.reported("drive.gpx")])
    #expect(!whole.contains("class=\"gap") && !whole.contains("a break in the line"))
  }

  @Test("A track across the antimeridian is drawn as one line in its own neighbourhood")
  func antimeridian() throws {
    let place = Coordinate(clampingLatitude: -18, wrappingLongitude: 179.8)
    let trace = try Drives.reported("flight.gpx", from: place)
    let projection = try #require(MapProjection(trace.curves.map(\.track), places: []))
    let points = projection.points(trace.curves[2].track)
    for (a, b) in zip(points, points.dropFirst()) { #expect((b.x - a.x).magnitude < 200) }
    #expect(points.allSatisfy { (0...projection.width).contains($0.x) })
    #expect(points.allSatisfy { (0...projection.height).contains($0.y) })
    // 72 km from west to east: the map is some 86 km wide, not 40,000.
    #expect(abs(projection.scale * (projection.width - 52) - 72_000) < 1_500)
    #expect(projection.scaleBar.metres == 20_000)
    // Both sides of the meridian lie where they belong.
    let west = projection.point(Coordinate(clampingLatitude: -18, wrappingLongitude: 179.9))
    let east = projection.point(Coordinate(clampingLatitude: -18, wrappingLongitude: -179.9))
    #expect(east.x > west.x && east.x - west.x < projection.width)
  }

  @Test("Without curves the figures are still told")
  func withoutCurves() throws {
    let trace = ReportedTrace(try Drives.reported("drive.gpx").figures, curves: [])
    let elements = try Elements(try Drives.page([trace]))
    #expect(elements.named("h2").map(\.text).contains("All figures"))
  }
}
