// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RadioPower
import Replay

/// The device and the network to meter.
struct ProfileOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Device profile: a name (milepost profiles list) or a file.", valueName: "name|file"),
    completion: .list(ProfileLibrary.devices))
  var profile = ProfileLibrary.defaultDevice

  @Option(
    help: ArgumentHelp(
      "Network profile: a name or a file; the default is the device's own.", valueName: "name|file"),
    completion: .list(ProfileLibrary.networks))
  var network: String?

  /// The files among them.
  var files: [String?] { [profile, network].filter { $0.map(ProfileSource.isFile) ?? false } }

  /// The options of a replay on this device in a world.
  func options(in world: WorldOptions) throws -> ReplayOptions {
    let device = try device()
    var options = ReplayOptions(device: device, network: try network(of: device))
    try world.apply(to: &options)
    return options
  }

  func device() throws -> DeviceProfile { try ProfileSource.device(profile) }

  /// The named network, else the device's; `nil` for a device that names one that does not exist.
  func network(of device: DeviceProfile) throws -> NetworkProfile? {
    if let network { return try ProfileSource.network(network) }
    return try ProfileSource.usualNetwork(of: device)
  }
}
