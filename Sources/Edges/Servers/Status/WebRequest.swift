// SPDX-License-Identifier: Apache-2.0

import NIOHTTP1

/// The relevant parts of a request, without its connection.
struct WebRequest: Sendable, Equatable {
  var method: String
  /// As in the request line: path and query.
  var target: String
  var headers: HTTPHeaders

  init(_ method: String, _ target: String, headers: [(String, String)] = []) {
    self.method = method
    self.target = target
    self.headers = HTTPHeaders(headers)
  }

  var path: String { String(target.prefix { $0 != "?" }) }

  /// The members of the query, verbatim: this page's requests need no escapes.
  var query: [String: String] {
    guard let mark = target.firstIndex(of: "?") else { return [:] }
    var members: [String: String] = [:]
    for part in target[target.index(after: mark)...].split(separator: "&") {
      let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if words.count == 2 { members[String(words[0])] = String(words[1]) }
    }
    return members
  }

  /// The value of one cookie; `nil` if there is none, or two that differ.
  func cookie(_ name: String) -> String? {
    let pairs = headers["cookie"].flatMap { $0.split(separator: ";") }.map { pair in
      let text = pair.drop { $0 == " " }
      return text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    }
    let found = Set(pairs.filter { $0.count == 2 && $0[0] == name }.map { String($0[1]) })
    return found.count == 1 ? found.first : nil
  }
}
