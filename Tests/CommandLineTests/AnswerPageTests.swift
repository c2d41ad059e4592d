// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The first screen of `milepost trip.gpx --html page.html`.
@Suite("The first screen of a page")
struct AnswerPageTests {
  @Test(
    "The picture of arrivals is no way full of blind spots, its caption has no option, and a card needs an answer"
  )
  func pictures() throws {
    let scratch = try Scratch()
    let page = scratch.path("page.html")
    let made = try Program.run([
      "compare", "--html", page, "--map", "none", Package.trace("commute-day.gpx"),
    ])
    #expect(made.code == 0, "\(made.errors)")
    let html = try String(contentsOfFile: page, encoding: .utf8)
    #expect(html.contains(" events"))
    // Each arrival and departure of the day, at its place, and how late the app was told: no later than documents say.
    let stays = html.matches(
      of:
        /<th scope="row">(left|came to) ([A-H])<\/th>\s*<td>(\d\d:\d\d)<\/td>\s*<td>(?:\+(\d+)\u{A0}?\s?(s|min)|at once)<\/td>/
    ).map(\.output)
    #expect(
      stays.map { "\($0.1) \($0.2)" } == [
        "left A", "came to B", "left B", "came to A", "left A", "came to A",
      ])
    #expect(stays.map { String($0.3) }.sorted() == stays.map { String($0.3) })
    #expect(stays.map { String($0.3.prefix(2)) } == ["07", "07", "16", "17", "19", "19"])
    #expect(html.components(separatedBy: "class=\"stay\"").count == 3)
    // The trade of each mode, with what to call.
    #expect(
      html.contains("<caption><span>In 95 % of cases, over 24")
        && html.contains(">startMonitoringVisits<"))
    // The headline is the mode and its price; what makes it unsure and where it turns stands below it.
    let headline = try #require(
      html.components(separatedBy: "<h1").dropFirst().first?.components(separatedBy: "</h1>").first)
    #expect(headline.contains("likely visits, 1/") && !headline.contains("simulations"))
    #expect(html.contains("of 20 simulations"))
    // The battery as on the terminal, at the bars of the pair.
    #expect(html.contains("of the battery in") && html.contains("<b>9"))
    let caption = try #require(
      html.components(separatedBy: "<figcaption>").dropFirst().first?.components(
        separatedBy: "</figcaption>"
      ).first)
    #expect(
      caption.contains("Where ") && caption.contains("told the app something")
        && !caption.contains("--"))
    let card = try Program.run([
      "compare", "--worlds", "2", "--card", scratch.path("card.svg"), Package.trace("home-day.gpx"),
    ])
    #expect(card.code == 2)
    #expect(
      card.errors.contains(
        "milepost: error: --card: nothing to share: the trace answers none of the purposes"))
    #expect(!FileManager.default.fileExists(atPath: scratch.path("card.svg")))
  }
}
