// SPDX-License-Identifier: Apache-2.0

/// The hosts that are this machine, so that messages to them need no network.
package enum Loopback {
  /// `localhost`, `::1` and 127.0.0.0/8, as written in a URL or a configuration, an IPv6 address without brackets.
  package static func holds(_ host: some StringProtocol) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return host.lowercased() == "localhost" || host == "::1"
      || parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}
