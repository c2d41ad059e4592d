// SPDX-License-Identifier: Apache-2.0

import Host

/// The resources served with the page: Leaflet, if it is installed, and tiles or a ground, if they are configured.
package struct PageSurroundings: Sendable, Equatable {
  /// The path in Debian's libjs-leaflet.
  package static let usualLeaflet = "/usr/share/javascript/leaflet"

  /// The finest scale of the page's map for which its ground is made, metres a pixel: streets are distinguishable.
  package static let groundScale = 3.0

  /// Address of a tile with `{z}`, `{x}` and `{y}`; `nil` requests no map from any server.
  package let tiles: String?
  /// Leaflet's script and style; `nil` if the page draws the map itself.
  let leaflet: Leaflet?
  /// Whether there will be a ground, which the page draws itself (`StatusServer.lay`).
  let hasGround: Bool

  struct Leaflet: Sendable, Equatable {
    let script: [UInt8]
    let style: [UInt8]
  }

  /// The limit of one of Leaflet's files, bytes; version 1.9 has 148 kB.
  private static let limit = 4 << 20

  /// Reads Leaflet from `directory`: `leaflet.min.js` or `leaflet.js`, and `leaflet.css`.
  package init(tiles: String? = nil, ground: Bool = false, leaflet directory: String?) {
    self.tiles = tiles
    hasGround = ground && tiles == nil
    // A ground from a file needs the map that draws it.
    leaflet = (hasGround ? nil : directory).flatMap { directory in
      let scripts = ["leaflet.min.js", "leaflet.js"].lazy.compactMap {
        SmallFile.bytes(of: "\(directory)/\($0)", limit: Self.limit)
      }
      guard let script = scripts.first,
        let style = SmallFile.bytes(of: "\(directory)/leaflet.css", limit: Self.limit)
      else { return nil }
      return Leaflet(script: script, style: style)
    }
  }

  package var hasLeaflet: Bool { leaflet != nil }

  /// Scheme and host of the tiles: `https://tile.openstreetmap.org`.
  private var tileHost: String? {
    guard let tiles, let scheme = tiles.firstRange(of: "://") else { return nil }
    return String(tiles[..<tiles[scheme.upperBound...].prefix { $0 != "/" }.endIndex])
      .replacing("{s}", with: "*")
  }

  /// Allows everything from here and nothing from elsewhere, except for configured tiles (CSP level 3).
  var contentPolicy: String {
    let images = "img-src 'self' data:" + (tileHost.map { " \($0)" } ?? "")
    return
      "default-src 'none'; script-src 'self'; style-src 'self'; \(images); connect-src 'self'; "
      + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  }

  /// The page with the necessary facts about them.
  func page(_ html: String) -> [UInt8] {
    let head =
      leaflet == nil
      ? ""
      : "<link rel=\"stylesheet\" href=\"leaflet.css\">\n<script src=\"leaflet.js\" defer></script>"
    let tiles = (tiles ?? "").replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
      .replacing("<", with: "&lt;")
    return Array(
      html.replacing("<!--leaflet-->", with: head)
        .replacing("data-tiles=\"\"", with: "data-tiles=\"\(tiles)\"")
        .replacing("data-ground=\"\"", with: "data-ground=\"\(hasGround ? "ground" : "")\"")
        .utf8)
  }
}
