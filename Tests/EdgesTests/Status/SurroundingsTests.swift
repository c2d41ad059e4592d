// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Servers

@Suite("What the page is served with")
struct SurroundingsTests {
  @Test("Nothing comes from elsewhere, but for tiles that were set")
  func policy() {
    #expect(
      PageSurroundings(leaflet: nil).contentPolicy
        == "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
    let tiled = PageSurroundings(
      tiles: "https://tile.openstreetmap.org/{z}/{x}/{y}.png", leaflet: nil)
    #expect(
      tiled.contentPolicy.contains("img-src 'self' data: https://tile.openstreetmap.org; connect"))
    let many = PageSurroundings(tiles: "https://{s}.example.org/{z}/{x}/{y}.png", leaflet: nil)
    #expect(many.contentPolicy.contains("data: https://*.example.org; connect"))
  }

  @Test("OpenStreetMap is told which page asks; without tiles nobody is told anything")
  func referrer() {
    func policy(_ tiles: String?) -> String? {
      WebResponse.common(PageSurroundings(tiles: tiles, leaflet: nil))
        .first { $0.name == "Referrer-Policy" }?.value
    }
    #expect(policy(nil) == "no-referrer")
    #expect(policy("https://a.org/{z}/{x}/{y}.png") == "strict-origin-when-cross-origin")
  }

  @Test("No answer lets another origin read, and none is kept")
  func headers() {
    let headers = WebResponse.common(PageSurroundings(leaflet: nil))
    #expect(!headers.contains { $0.name.lowercased().hasPrefix("access-control") })
    #expect(headers.contains { $0.name == "Cache-Control" && $0.value == "no-store" })
    #expect(
      headers.contains { $0.name == "Cross-Origin-Resource-Policy" && $0.value == "same-origin" })
  }

  @Test("Leaflet is taken as a whole or not at all, and tiles are written as text")
  func leaflet() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("L".utf8).write(to: folder.appendingPathComponent("leaflet.js"))
    #expect(!PageSurroundings(leaflet: folder.path).hasLeaflet)
    try Data("S".utf8).write(to: folder.appendingPathComponent("leaflet.css"))
    let whole = PageSurroundings(tiles: "https://a/\"><script>&{z}", leaflet: folder.path)
    #expect(whole.hasLeaflet)
    let page = String(decoding: whole.page(EmbeddedFiles.pageHTML), as: UTF8.self)
    #expect(page.contains("<script src=\"leaflet.js\" defer></script>"))
    #expect(page.contains("data-tiles=\"https://a/&quot;>&lt;script>&amp;{z}\""))
  }

  @Test("The page has nothing inline, which its policy would forbid, and asks nobody else")
  func inline() {
    let html = EmbeddedFiles.pageHTML
    #expect(!html.contains(" style=") && !html.contains("<style") && !html.contains(" onclick"))
    #expect(!html.contains("<script>") && !html.contains("http://") && !html.contains("https://"))
    #expect(!EmbeddedFiles.pageCSS.contains("url(") && !EmbeddedFiles.pageCSS.contains("@import"))
    // One for the names of SVG's elements, one for the link required by OpenStreetMap's policy.
    let addresses = EmbeddedFiles.pageJS.ranges(of: "http").count
    #expect(addresses == 2)
    #expect(!EmbeddedFiles.pageJS.contains("innerHTML") && !EmbeddedFiles.pageJS.contains("eval("))
  }
}
