// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RadioPower

/// Which device and which network are metered.
struct ProfileOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Device profile: a name (milepost profiles list) or a file.", valueName: "name|file"))
  var profile = ProfileLibrary.defaultDevice

  @Option(
    help: ArgumentHelp(
      "Network profile: a name or a file; the default is the device's own.",
      valueName: "name|file"))
  var network: String?

  /// The files among them.
  var files: [String?] { [profile, network].filter { $0.map(ProfileSource.isFile) ?? false } }

  func device() throws -> DeviceProfile { try ProfileSource.device(profile) }

  /// The named network, else the device's; `nil` for a device that names one that does not exist.
  func network(of device: DeviceProfile) throws -> NetworkProfile? {
    if let network { return try ProfileSource.network(network) }
    return try ProfileSource.usualNetwork(of: device)
  }
}
