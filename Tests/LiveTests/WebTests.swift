// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

extension Live {
  /// The live page of a real service, in a real browser.
  @Suite("The live page")
  struct WebTests {
    private static let chromium = BrowserLook.chromium
    private static let settings = LifeTests.quick

    /// Opens the page in a new browser, and evaluates `expressions` until each is true.
    private func look(
      _ station: Station, width: Int = 1_440, scheme: String = "light", _ expressions: [String]
    ) throws -> BrowserLook {
      let address = try station.milepost(["web"])
      #expect(address.code == 0, "\(address.text)")
      return try BrowserLook(
        at: address.text.trimmingCharacters(in: .whitespacesAndNewlines), in: station,
        width: width, scheme: scheme, expressions)
    }

    private func expectSeen(
      _ look: BrowserLook, at port: UInt16, sourceLocation: SourceLocation = #_sourceLocation
    ) {
      #expect(look.failed.isEmpty, "\(look.failed)", sourceLocation: sourceLocation)
      // The log has violations of its policy, failures of its script, and missing resources.
      #expect(look.log.isEmpty, "\(look.log)", sourceLocation: sourceLocation)
      #expect(look.hosts == ["127.0.0.1:\(port)"], sourceLocation: sourceLocation)
    }

    private func text(_ id: String) -> String { "document.getElementById('\(id)').textContent" }

    @Test(
      "It shows the position as it moves, why an app hears nothing, lanes, energy and the past",
      .enabled(if: chromium != nil, "chromium is not installed (Tools/setup test does it)"))
    func page() throws {
      let port = try Feed.freePort()
      let station = try Station(
        settings: Self.settings + "\nweb: 127.0.0.1:\(port)\nweb_leaflet: /nowhere"
          + "\nsinks:\n  tracks:\n    kind: file\n    folder: tracks")
      mkdir(station.path("tracks"), 0o700)
      try station.startGPSD()
      try station.startDaemon()
      try station.addListener(
        "van", "modes: [location]\nauthorization: always", service: "continuous")
      try station.addListener(
        "quiet", "modes: [location]\nauthorization: denied", service: "continuous")
      Waiting.until("fixes come") { !station.told("van", "LOCATION").isEmpty }
      station.feed.move(metres: 3_000, at: 20)
      let look = try look(
        station,
        [
          "\(text("line")) === 'Live'",
          "\(text("fix-note")).startsWith('52.0') && \(text("fix-note")).includes('5.00000 ±')",
          "/^[\\d.]+ k?m north of where it was at \\d/.test(\(text("now-title")))",
          // It moves by itself: the stream of events is open.
          "(window.first ||= \(text("now-title"))) !== \(text("now-title"))",
          "\(text("receiver")).startsWith('Receiver on for ')",
          "document.querySelector('[data-app=van] .why').textContent === \"'van' is told of the next fix that its filter lets through.\"",
          "document.querySelector('[data-app=quiet] .why').textContent.startsWith('It is not authorized: denied')",
          "document.querySelector('[data-app=van] .verdicts').textContent.startsWith('continuous: delivered')",
          // The traffic of a sink; a file costs no radio energy.
          "/^[1-9]\\d* taken$/.test(document.querySelector('[data-app=tracks] .sent').textContent)",
          "document.querySelectorAll('#lanes rect.on').length > 0",
          "document.querySelectorAll('#lanes line.tick').length > 0",
          "document.querySelector('#lanes svg').getAttribute('aria-label').includes('apps were told ')",
          "document.querySelectorAll('[data-energy]').length === 4",
          "document.querySelector('[data-energy=modes]').textContent.includes('continuous ')",
          // A part's name follows the colour that it has in the bar.
          "document.querySelector('[data-energy=so-far]').textContent.includes('satellite receiver ')",
          "['modes', 'so-far'].every(name => { const row = document.querySelector('[data-energy=' + name + ']'); return [...row.querySelectorAll('rect')].every(r => [...row.querySelectorAll('.key')].some(k => getComputedStyle(k).backgroundColor === getComputedStyle(r).fill)); })",
          // The reader's time, not the service's.
          "!/\\d{4}-\\d\\d-\\d\\dT/.test(document.querySelector('main').innerText)",
          "\(text("energy-words")).includes(' of what continuous updates would have taken')",
          "document.querySelectorAll('#map circle.here').length === 1",
          "document.querySelector('#map path.known').getAttribute('d').split('L').length > 2",
          "document.body.dataset.map === 'own'",
          // Playback by the keyboard: the slider goes to the beginning of the hour.
          "(() => { const s = document.getElementById('moment'); s.value = 0; s.dispatchEvent(new Event('input')); return true; })()",
          "\(text("moment-words")).includes('no position known')",
          "document.querySelectorAll('#lanes line.cursor').length === 1",
          // 3.6 s ago, which may be before the first position if all went fast: retried until it is not.
          "(() => { const s = document.getElementById('moment'); s.value = 999; s.dispatchEvent(new Event('input')); const words = \(text("moment-words")); return words.includes('52.0') && words.includes('receiver on'); })()",
          "document.querySelectorAll('#map circle.then').length === 1",
          "(document.getElementById('live').click(), \(text("moment-words")).startsWith('Now.'))",
        ])
      expectSeen(look, at: port)
      station.stopDaemon()
      #expect(access(station.path("run/web-url"), F_OK) != 0)
    }

    @Test(
      "On a phone nothing is wider than the screen, and keyboard and screen reader find their way",
      .enabled(if: chromium != nil, "chromium is not installed (Tools/setup test does it)"),
      arguments: ["light", "dark"])
    func phone(scheme: String) throws {
      let port = try Feed.freePort()
      let station = try Station(
        settings: Self.settings + "\nweb: 127.0.0.1:\(port)\nweb_leaflet: /nowhere")
      try station.startGPSD()
      try station.startDaemon()
      try station.addListener(
        "an.app.with-a-very-long-name.that-goes-on-and-on.and-on",
        "modes: [location]\nauthorization: always", service: "continuous")
      let look = try look(
        station, width: 390, scheme: scheme,
        [
          "\(text("line")) === 'Live'",
          "document.querySelectorAll('#lanes rect.on').length > 0",
          "document.documentElement.scrollWidth <= 390",
          "getComputedStyle(document.documentElement).backgroundColor === '\(scheme == "dark" ? "rgb(23, 22, 20)" : "rgb(253, 252, 248)")'",
          "document.querySelectorAll('main, header').length === 2 && document.querySelectorAll('h1').length === 1",
          "[...document.querySelectorAll('section')].every(s => document.getElementById(s.getAttribute('aria-labelledby')))",
          "[...document.querySelectorAll('button, select, input')].every(c => c.textContent.trim() || c.getAttribute('aria-label') || c.labels.length)",
          "[...document.querySelectorAll('button')].filter(b => b.offsetParent).every(b => b.getBoundingClientRect().height >= 24)",
          "document.getElementById('line').getAttribute('aria-live') === 'polite'",
          // The map by the keyboard.
          "(() => { const m = document.getElementById('map'); m.focus(); m.dispatchEvent(new KeyboardEvent('keydown', { key: '+' })); return document.getElementById('follow').getAttribute('aria-pressed') === 'false'; })()",
        ])
      expectSeen(look, at: port)
      station.stopDaemon()
    }

    @Test(
      "Where Leaflet is installed it draws the map, within the page's policy",
      .enabled(if: chromium != nil, "chromium is not installed (Tools/setup test does it)"),
      .enabled(
        if: FileManager.default.fileExists(atPath: "/usr/share/javascript/leaflet/leaflet.css"),
        "libjs-leaflet is not installed (Tools/setup test does it)"))
    func leaflet() throws {
      let port = try Feed.freePort()
      let station = try Station(settings: Self.settings)
      try station.startGPSD()
      try station.startDaemon(["--web", "127.0.0.1:\(port)"])
      try station.addListener(
        "van", "modes: [location]\nauthorization: always", service: "continuous")
      let look = try look(
        station,
        [
          "\(text("line")) === 'Live'", "document.body.dataset.map === 'leaflet'",
          "document.querySelectorAll('#map .leaflet-overlay-pane path').length >= 2",
          // Visible, not only present: the last circle lies within the map.
          "(() => { const paths = document.querySelectorAll('#map .leaflet-overlay-pane path'), "
            + "at = paths[paths.length - 1].getBoundingClientRect(), box = document.getElementById('map').getBoundingClientRect(), "
            + "svg = document.querySelector('#map svg').getBoundingClientRect(); "
            + "return at.width > 4 && at.left > box.left && at.right < box.right && at.top > box.top && at.bottom < box.bottom "
            + "&& svg.width >= box.width; })()",
          "document.querySelectorAll('#map .leaflet-control-scale').length === 1",
          "document.querySelectorAll('#map .leaflet-tile').length === 0",
        ])
      expectSeen(look, at: port)
      station.stopDaemon()
    }

    @Test(
      "A ground from a file lies under the track, by its own scale, and nobody else is asked for it",
      .enabled(if: chromium != nil, "chromium is not installed (Tools/setup test does it)"))
    func ground() throws {
      let port = try Feed.freePort()
      let file = NSTemporaryDirectory() + "ground-\(UUID().uuidString).geojson"
      defer { try? FileManager.default.removeItem(atPath: file) }
      try """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[4.99,51.99],[5.01,51.99],[5.01,52.005],[4.99,51.99]]]},"properties":{"natural":"water"}},
      {"type":"Feature","geometry":{"type":"LineString","coordinates":[[4.9,52.0001],[5.1,52.0001]]},"properties":{"highway":"motorway"}},
      {"type":"Feature","geometry":{"type":"LineString","coordinates":[[5.0,51.9],[5.0,52.1]]},"properties":{"highway":"residential"}},
      {"type":"Feature","geometry":{"type":"Point","coordinates":[5.0,52.00005]},"properties":{"place":"city","name":"<i>Meerstad</i>"}}
      ]}
      """.write(toFile: file, atomically: true, encoding: .utf8)
      let station = try Station(
        settings: Self.settings + "\nweb: 127.0.0.1:\(port)\nweb_map: \"\(file)\"")
      try station.startGPSD()
      try station.startDaemon()
      try station.addListener(
        "van", "modes: [location]\nauthorization: always", service: "continuous")
      let out = (1...18).map { _ in "document.getElementById('zoom-out').click()" }
      let look = try look(
        station,
        [
          "\(text("line")) === 'Live'", "document.body.dataset.map === 'own'",
          "document.querySelectorAll('#map .ground path.motorway').length === 1",
          "document.querySelectorAll('#map .ground path.street').length === 1",
          "getComputedStyle(document.querySelector('#map .ground path.lake')).fill === 'rgb(211, 227, 236)'",
          "[...document.querySelectorAll('#map .ground text')].some(t => t.textContent === '<i>Meerstad</i>')",
          "\(text("now-title")) === 'At <i>Meerstad</i>'",
          "document.querySelectorAll('#map i').length === 0",
          "[...document.querySelectorAll('#map .ground text')].some(t => t.textContent === '© OpenStreetMap contributors (ODbL)')",
          // At a scale at which a pixel is more than a street.
          "(\(out.joined(separator: ", ")), document.querySelectorAll('#map .ground path.street').length === 0)",
          "document.querySelectorAll('#map .ground path.motorway').length === 1",
        ])
      expectSeen(look, at: port)
      station.stopDaemon()
    }

    /// A pipe without a writer would block its reader.
    @Test(
      "A ground that cannot be read costs the page its ground and nothing else, and the log says why",
      arguments: [
        ("/nowhere/ground.geojson", "ground.geojson: no such file; check the path"),
        ("PIPE", "PIPE: neither a file nor a directory; write it to a file, and name that"),
      ])
    func noGround(name: String, words: String) throws {
      let port = try Feed.freePort()
      let pipe = NSTemporaryDirectory() + "pipe-\(UUID().uuidString)"
      #expect(mkfifo(pipe, 0o600) == 0)
      defer { unlink(pipe) }
      let path = name.replacing("PIPE", with: pipe)
      let station = try Station(
        settings: Self.settings
          + "\nweb: 127.0.0.1:\(port)\nweb_map: \"\(path)\"")
      try station.startGPSD()
      try station.startDaemon()
      #expect(try station.milepost(["web"]).code == 0)
      let line =
        "web_map: \(words.replacing("PIPE", with: pipe)); the live page's map has no ground"
      Waiting.until("the log says \(line)") { station.daemonLog.contains(line) }
      station.stopDaemon()
    }

    @Test("The history outlives the service, a kill too, and is the same on page and terminal")
    func history() throws {
      let port = try Feed.freePort()
      let station = try Station(settings: Self.settings)
      try station.startGPSD()
      try station.startDaemon(["--web", "127.0.0.1:\(port)"])
      try station.addListener(
        "van", "modes: [location]\nauthorization: always", service: "continuous")
      try Waiting.until("a position is kept") {
        try station.milepost(["history"]).text.contains("  position  ")
      }
      try Waiting.until("it is stored") {
        let document = try station.document(["history"])
        return (document["entries"] as? [Any])?.count ?? 0 > 4
      }
      station.killDaemon()
      try station.startDaemon(["--web", "127.0.0.1:\(port)"])
      let text = try station.milepost(["history"]).text
      #expect(
        text.contains("  delivery   van: no. 1: the first continuous update since the launch\n"))
      #expect(text.contains("  unwatched  nobody watched from "))
      let frame = try station.milepost(["dash", "--once"]).text
      #expect(frame.hasPrefix("milepost   dash · ") && frame.contains("\nreceiver   on since "))
      #expect(try station.milepost(["status"]).text.contains("live page    on 127.0.0.1:\(port); "))
      station.stopDaemon()
    }
  }
}
