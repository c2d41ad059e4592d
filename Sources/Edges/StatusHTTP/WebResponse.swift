// SPDX-License-Identifier: Apache-2.0

/// A response: a status, headers and a body.
struct WebResponse: Sendable, Equatable {
  var status: Int
  var type = "text/plain; charset=utf-8"
  var body: [UInt8]
  var more: [Header] = []

  struct Header: Sendable, Equatable {
    let name: String
    let value: String
  }

  init(_ status: Int, _ text: String) {
    self.status = status
    body = Array((text + "\n").utf8)
    if status == 405 { more = [Header(name: "Allow", value: "GET, HEAD")] }
  }

  init(_ type: String, _ body: [UInt8]) {
    status = 200
    self.type = type
    self.body = body
  }

  static func script(_ body: [UInt8]) -> Self { Self("text/javascript; charset=utf-8", body) }

  static func style(_ body: [UInt8]) -> Self { Self("text/css; charset=utf-8", body) }

  static func json(_ text: String) -> Self {
    Self("application/json", Array((text + "\n").utf8))
  }

  static func ground(_ ground: StatusDesk.Ground) -> Self {
    switch ground {
    case .laid(let json): Self("application/json", json)
    case .awaited: Self(503, "the ground of the map is still being read; ask again")
    case .missing: Self(404, "the ground of the map cannot be read; milepostd's log says why")
    }
  }

  /// Redirects to the page itself, with a cookie.
  static func admitted(_ cookie: String) -> Self {
    var response = Self(303, "admitted; this page is at /")
    response.more = [
      Header(name: "Set-Cookie", value: cookie), Header(name: "Location", value: "/"),
    ]
    return response
  }

  /// The headers of every answer.
  static func common(_ surroundings: PageSurroundings) -> [Header] {
    [
      Header(name: "Content-Security-Policy", value: surroundings.contentPolicy),
      Header(name: "Cross-Origin-Resource-Policy", value: "same-origin"),
      Header(name: "Cross-Origin-Opener-Policy", value: "same-origin"),
      Header(name: "X-Content-Type-Options", value: "nosniff"),
      Header(name: "X-Frame-Options", value: "DENY"),
      // OpenStreetMap's tile servers require the referring page; no other server is contacted.
      Header(
        name: "Referrer-Policy",
        value: surroundings.tiles == nil ? "no-referrer" : "strict-origin-when-cross-origin"),
      Header(name: "Cache-Control", value: "no-store"),
      Header(name: "Connection", value: "close"),
    ]
  }
}
