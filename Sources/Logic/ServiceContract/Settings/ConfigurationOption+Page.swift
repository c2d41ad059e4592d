// SPDX-License-Identifier: Apache-2.0

// The live page's options.

extension ConfigurationOption {
  static let page = [
    Self(
      "web", \.web, .atRestart, allowed: WebAddress.form,
      "Where the live page is served; without it there is none. An address that others reach needs care: the "
        + "page shows where the device is, and HTTP is readable on its way.",
      example: "127.0.0.1:8080", text: { $0.map(\.text) },
      read: { table, _ in
        guard let text = table.plainText("web", upTo: 64) else { return nil }
        guard let address = WebAddress(text: text) else {
          table.noteProblem(at: "web", "'\(text)' is no address and port; write \(WebAddress.form)")
          return nil
        }
        return .some(address)
      }),
    text(
      "web_name", \.webName, upTo: 253, .atRestart, allowed: "a host name",
      "A name that browsers may call this machine by, besides its addresses and localhost; other names are "
        + "refused, since a foreign page may have itself resolved to this machine.",
      example: "van.local"),
    Self(
      "web_tiles", \.webTiles, .atRestart, allowed: "an address with {z}, {x} and {y}",
      "Tiles below the live page's track. Whoever serves them learns where the device is; without this "
        + "nobody is asked, and the map has no ground. It needs Leaflet.",
      example: "\"https://tile.openstreetmap.org/{z}/{x}/{y}.png\"", text: { $0.map(quoted) },
      read: { table, _ in
        guard let text = table.plainText("web_tiles", upTo: 500) else { return nil }
        guard ["{z}", "{x}", "{y}"].allSatisfy(text.contains) else {
          table.noteProblem(at: "web_tiles", "'\(text)' is no address with {z}, {x} and {y}")
          return nil
        }
        let placeholders = ["{z}", "{x}", "{y}", "{s}", "{r}"]
        if let fault = URLCharacters.fault(in: text, placeholders: placeholders) {
          table.noteProblem(at: "web_tiles", fault)
          return nil
        }
        return .some(text)
      }),
    text(
      "web_map", \.webMap, upTo: 4_000, .atRestart,
      allowed: "the path of a GeoJSON file or of Marble's data",
      "Water, roads and towns below the live page's track, from a file: nobody is asked. The page then draws the map "
        + "itself, without Leaflet; web_tiles goes before it.",
      example: "/var/lib/milepost/ground.geojson"),
    text(
      "web_leaflet", \.webLeaflet, upTo: 4_000, .atRestart, allowed: "the path of a directory",
      "Where leaflet.js and leaflet.css lie; without it Debian's libjs-leaflet is looked for, and where there "
        + "is none the page draws the map itself.",
      example: "/usr/share/javascript/leaflet"),
  ]
}
