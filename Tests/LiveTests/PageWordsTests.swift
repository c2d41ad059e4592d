// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

extension Live {
  /// The live page's script in a browser, over documents that are made here.
  @Suite("The live page's words and lines")
  struct PageWordsTests {
    private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources/Edges/Servers/Page").path

    /// A service that began 900 s ago: two positions; the receiver off for 159 s; two positions; nobody for 91 s; then
    /// all is known. Each position is `north` of the one before, in degrees.
    private static let stub = """
      const T = Date.UTC(2026, 4, 4, 12), at = s => new Date(T - s * 1000).toISOString();
      performance.now = () => 0;
      const entries = [{ at: at(900), kind: "receiver", word: "continuous", text: "on" }];
      const go = (s, north) => entries.push({ at: at(s), kind: "position", latitude: 52 + north, longitude: 5, accuracy_m: 5 });
      go(880, 0); go(860, 0.001);
      entries.push({ at: at(859), kind: "receiver", word: "off", text: "off" }, { at: at(700), kind: "receiver", word: "continuous", text: "on" });
      go(695, 0.002); go(690, 0.003);
      entries.push({ at: at(590), kind: "unwatched", since: at(681), text: "nobody watched" });
      go(585, 0.004); go(300, 0.008); go(5, 0.009);
      const energy = { energy_j: 1, energy_low_j: 1, energy_high_j: 1, component: "gnss" };
      const regions = location.search === "?home" ? [{ region: "Home", latitude: 52, longitude: 5, radius_m: 200, text: "" }] : [];
      const overview = { status: {
        since: at(900), uptime_s: 900, release: "0", pid: 1, last_fix: { fix: { latitude: 52.009, longitude: 5, accuracy_m: 5 }, device: "/dev/gps", received: at(5), age_s: 5 },
        receiver: { plan: "continuous", since: at(700), until: null, reason: "an app asks" }, store: { state: "ok", path: "s" }, gpsd: { state: "watching", text: "", host: "h", port: 1 },
        apps: [], energy: { total: energy, baseline: energy, components: [], modes: [], metered_s: 900, earlier_j: 0 }, device_profile: "d", network_profile: "n", devices: [], policy: "p", era: "e",
        freezer: "f", clients: 1, gaps: [] },
        explanations: [{ app: "a", answers: [], regions }] };
      window.fetch = async path => ({ ok: true, json: async () => structuredClone(path.startsWith("history") ? { entries, cut: false } : overview) });
      window.EventSource = class { addEventListener() { } close() { } };

      """

    private func look(_ query: String, _ expressions: [String]) throws -> [[Any]] {
      let station = try Station()
      for name in ["page.js", "page.css"] {
        try FileManager.default.copyItem(atPath: Self.page + "/" + name, toPath: station.path(name))
      }
      try Self.stub.write(toFile: station.path("stub.js"), atomically: true, encoding: .utf8)
      let page = try String(contentsOfFile: Self.page + "/page.html", encoding: .utf8)
      try page.replacing(
        "<script src=\"page.js\"",
        with: "<script src=\"stub.js\"></script>\n<script src=\"page.js\""
      ).write(toFile: station.path("page.html"), atomically: true, encoding: .utf8)
      let look = try BrowserLook(
        at: "file://\(station.path("page.html"))\(query)", in: station, width: 1_200, expressions)
      #expect(look.log.isEmpty, "\(look.log)")
      return look.failed
    }

    private func text(_ id: String) -> String { "document.getElementById('\(id)').textContent" }

    @Test(
      "A way that nobody saw is dashed, however short, and only time since the beginning is unknown",
      .enabled(
        if: BrowserLook.chromium != nil, "chromium is not installed (Tools/setup test does it)")
    )
    func gaps() throws {
      let failed = try look(
        "",
        [
          "\(text("line")) === 'Live'",
          // 860 to 695 s ago, and 690 to 585.
          "document.querySelector('#map path.unseen').getAttribute('d').split('M').length === 3",
          "document.querySelector('#map path.known').getAttribute('d').split('M').length === 4",
          // 20 s of search, 165 s off, 105 s around the kill.
          "\(text("map-words")) === '7 positions in 15 min; where the device was is not known for 5 min of it.'",
          "document.querySelectorAll('#lanes rect.blind').length >= 3",
          // 0.009 degrees are 1,001 m.
          "/^1\\.0 km north of where it was at /.test(\(text("now-title")))",
          "\(text("fix-note")).startsWith('52.00900, 5.00000 ±\\u00a05.0\\u00a0m · 5 s ago')",
        ])
      #expect(failed.isEmpty, "\(failed)")
    }

    @Test(
      "Where there is a region that its user has named, the headline says where that is",
      .enabled(
        if: BrowserLook.chromium != nil, "chromium is not installed (Tools/setup test does it)")
    )
    func region() throws {
      let failed = try look("?home", ["\(text("now-title")) === '1.0 km north of Home'"])
      #expect(failed.isEmpty, "\(failed)")
    }
  }
}
