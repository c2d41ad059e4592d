// SPDX-License-Identifier: Apache-2.0

/// Which hosts are this machine itself, so that what is sent there leaves nothing and needs no network.
package enum Loopback {
  /// `localhost`, `::1` and 127.0.0.0/8, as a URL or a configuration has them, an IPv6 address without brackets.
  package static func holds(_ host: some StringProtocol) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return host.lowercased() == "localhost" || host == "::1"
      || parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}
