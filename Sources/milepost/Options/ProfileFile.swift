// SPDX-License-Identifier: Apache-2.0

import RadioPower

/// A profile of which it is not known whether it is of a device or of a network.
///
/// A network's has the entry `profile,model`; a device's has not.
struct ProfileFile {
  /// The device profile; `nil` where the name or file is a network's.
  let device: DeviceProfile?

  init(_ text: String) throws {
    if ProfileSource.isFile(text) {
      device = Self.isNetwork(try WholeFile.read(text)) ? nil : try ProfileSource.device(text)
      return
    }
    device = try? ProfileLibrary.device(named: text)
    let known = ProfileLibrary.devices + ProfileLibrary.networks
    guard known.contains(text) else {
      throw Complaint(
        "there is no profile '\(text)'; known: \(known.joined(separator: ", ")); a file is named with "
          + "its path or ending")
    }
  }

  /// Everything that is wrong with the file; empty where nothing is.
  static func errors(in path: String) throws -> [ProfileError] {
    let bytes = try WholeFile.read(path)
    let name = ProfileSource.name(of: path)
    do throws(ProfileErrors) {
      if isNetwork(bytes) {
        _ = try NetworkProfile.parse(bytes.span, name: name)
      } else {
        _ = try DeviceProfile.parse(bytes.span, name: name)
      }
      return []
    } catch {
      return error.errors
    }
  }

  private static func isNetwork(_ bytes: [UInt8]) -> Bool {
    let mark = Array("profile,model,".utf8)
    return bytes.split(separator: 0x0A).contains { $0.starts(with: mark) }
  }
}
