// SPDX-License-Identifier: Apache-2.0

import NIOHTTP1

/// A response: a status, headers and a body.
struct WebResponse: Sendable, Equatable {
  var status: Int
  var type = "text/plain; charset=utf-8"
  var body: [UInt8]
  var more: HTTPHeaders = [:]

  init(_ status: Int, _ text: String) {
    self.status = status
    body = Array((text + "\n").utf8)
    if status == 405 { more = ["Allow": "GET, HEAD"] }
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
    response.more = ["Set-Cookie": cookie, "Location": "/"]
    return response
  }

  /// The headers of every answer.
  static func common(_ surroundings: PageSurroundings) -> HTTPHeaders {
    [
      "Content-Security-Policy": surroundings.contentPolicy,
      "Cross-Origin-Resource-Policy": "same-origin",
      "Cross-Origin-Opener-Policy": "same-origin",
      "X-Content-Type-Options": "nosniff",
      "X-Frame-Options": "DENY",
      // OpenStreetMap's tile servers require the referring page; no other server is contacted.
      "Referrer-Policy":
        surroundings.tiles == nil ? "no-referrer" : "strict-origin-when-cross-origin",
      "Cache-Control": "no-store",
      "Connection": "close",
    ]
  }
}
