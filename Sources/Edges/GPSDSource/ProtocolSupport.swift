// SPDX-License-Identifier: Apache-2.0

package import ServiceContract

/// The versions of gpsd's protocol that Milepost understands.
///
/// gpsd's JSON has been protocol 3 since release 2.91; 3.22, the oldest release supported, speaks 3.14. Minor versions
/// only add keys. libgps states no protocol, only the version of its API: every version reads protocol 3, and
/// `UnpackCheck` reports any disagreement.
package enum ProtocolSupport {
  package static let major = 3
  package static let oldestMinor = 14
  package static var library: String {
    "libgps API \(ReportUnpacker.apiMajor).\(ReportUnpacker.apiMinor), protocol \(major)"
  }

  package static func mismatch(
    release: String, major: Int, minor: Int
  ) -> GPSDEvent.Trouble? {
    if major == Self.major, minor >= oldestMinor { return nil }
    return .protocolMismatch(
      server: "gpsd \(release.prefix(40)), protocol \(major).\(minor)", library: library)
  }
}
