// SPDX-License-Identifier: Apache-2.0

/// The hosts of the local network, so that messages to them need no way out of it.
package enum LocalNetwork {
  /// Suffixes of names that are resolved on the local network alone (RFC 6762, RFC 8375, ICANN's `internal`), and the
  /// one that routers give.
  private static let suffixes = [".local", ".home.arpa", ".internal", ".lan"]

  /// Private and link-local addresses (RFC 1918, RFC 3927, RFC 4193, RFC 4291), and names of a local network, as written
  /// in a URL, an IPv6 address without brackets.
  package static func holds(_ host: some StringProtocol) -> Bool {
    let name = host.lowercased()
    if name.contains(":") {
      guard let first = name.split(separator: ":", omittingEmptySubsequences: false).first,
        let group = UInt16(first, radix: 16)
      else { return false }
      return group & 0xFE00 == 0xFC00 || group & 0xFFC0 == 0xFE80
    }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    let bytes = parts.compactMap { UInt8($0) }
    if parts.count == 4, bytes.count == 4 {
      return bytes[0] == 10 || bytes[0] == 172 && bytes[1] & 0xF0 == 16
        || bytes[0] == 192 && bytes[1] == 168 || bytes[0] == 169 && bytes[1] == 254
    }
    return parts.count == 1 || suffixes.contains { name.hasSuffix($0) }
  }
}

/// The hosts that are this machine, so that messages to them need no network.
package enum Loopback {
  /// `localhost`, `::1` and 127.0.0.0/8, as written in a URL or a configuration, an IPv6 address without brackets.
  package static func holds(_ host: some StringProtocol) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return host.lowercased() == "localhost" || host == "::1"
      || parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}
