// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Host
import JSONText
import RadioPower
import Replay
import ServiceContract
import SettingsFiles

/// The device and the world of a replay, as milepost replay takes them.
struct LabWorld: ParsableArguments {
  @Option(name: .shortAndLong, help: "Device profile: a name, or a file.", completion: .file())
  var profile = ProfileLibrary.defaultDevice

  @Option(help: "Where the device is carried: open, pocket, indoors, or mixed, place by place.")
  var environment = "pocket"

  @Option(help: "Seed of everything that is drawn.")
  var seed: UInt64 = 1

  @Option(
    help: "What the simulated world is like: a YAML or JSON file (milepost schema world).",
    completion: .file())
  var world: String?

  func options() throws -> ReplayOptions {
    let device = try device()
    let network = try ProfileLibrary.network(named: device.network)
    var options = ReplayOptions(device: device, network: network)
    options.seed = seed
    options.mixesEnvironments = environment == "mixed"
    guard let place = Environment(rawValue: environment) ?? (environment == "mixed" ? .pocket : nil)
    else {
      throw ValidationError(
        "--environment is '\(environment)', not one of open, pocket, indoors, mixed")
    }
    options.environment = place
    try file()?.apply(to: &options)
    if let towers = options.towerFile {
      throw Complaint("\(towers): towers are for milepost compare; the lab has synthetic cells")
    }
    return options
  }

  private func device() throws -> DeviceProfile {
    guard profile.contains("/") || profile.contains(".") else {
      if let device = try ProfileLibrary.device(named: profile) { return device }
      throw Complaint(
        "there is no device profile '\(profile)'; known: "
          + ProfileLibrary.devices.joined(separator: ", "))
    }
    guard let bytes = SmallFile.bytes(of: profile) else {
      throw Complaint("\(profile): \(SystemError.reading())")
    }
    let name = (profile.split(separator: "/").last ?? "").split(separator: ".").first ?? ""
    do throws(ProfileErrors) {
      return try DeviceProfile.parse(bytes.span, name: String(name))
    } catch {
      throw Complaint("\(profile): \(error.errors.map(\.message).joined(separator: "; "))")
    }
  }

  private func file() throws -> WorldFile? {
    guard let world else { return nil }
    let document = try SettingsFile.document(SettingsFile.readBytes(of: world), name: world)
    do throws(SettingsError) {
      return try WorldFile(document.value, file: world, directory: ".")
    } catch {
      throw Complaint(error.located(by: document.lines).message)
    }
  }
}
