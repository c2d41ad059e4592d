// SPDX-License-Identifier: Apache-2.0

/// A profile file of either kind, as given to `milepost profiles check`.
package enum ProfileFile: Sendable, Equatable {
  case device(DeviceProfile)
  case network(NetworkProfile)

  /// Reads a file. It is a network profile if it names a `model` or has rows of `cell` only; any
  /// other is taken for a device profile.
  package static func parse(
    _ bytes: borrowing Span<UInt8>, name: String
  ) throws(ProfileErrors) -> ProfileFile {
    let text = ProfileText(bytes)
    let hasOnlyCells =
      !text.numbers.isEmpty && text.numbers.allSatisfy { $0.key.component == "cell" }
    if text.entries["model"] != nil || hasOnlyCells {
      return .network(try NetworkProfile.parse(bytes, name: name))
    }
    return .device(try DeviceProfile.parse(bytes, name: name))
  }
}
