// SPDX-License-Identifier: Apache-2.0

import JSONText
import RadioPower

/// Profiles by name or from a file. A word that contains `/` or `.` is a file.
enum ProfileSource {
  static func device(_ text: String) throws -> DeviceProfile {
    if isFile(text) {
      return try parsed(text) { bytes, name throws(ProfileErrors) in
        try DeviceProfile.parse(bytes.span, name: name)
      }
    }
    if let device = try? ProfileLibrary.device(named: text) { return device }
    throw unknown("device", text, ProfileLibrary.devices)
  }

  static func network(_ text: String) throws -> NetworkProfile {
    if isFile(text) {
      return try parsed(text) { bytes, name throws(ProfileErrors) in
        try NetworkProfile.parse(bytes.span, name: name)
      }
    }
    if let network = try? ProfileLibrary.network(named: text) { return network }
    throw unknown("network", text, ProfileLibrary.networks)
  }

  /// A device or network profile, whichever has that name or is in that file.
  static func either(_ text: String) throws -> ProfileFile {
    if isFile(text) {
      return try parsed(text) { bytes, name throws(ProfileErrors) in
        try ProfileFile.parse(bytes.span, name: name)
      }
    }
    if let device = try? ProfileLibrary.device(named: text) { return .device(device) }
    if let network = try? ProfileLibrary.network(named: text) { return .network(network) }
    throw unknown("device or network", text, ProfileLibrary.devices + ProfileLibrary.networks)
  }

  /// The file of a profile, as text.
  static func text(of profile: String) throws -> String {
    let bytes =
      try isFile(profile)
      ? WholeFile.readBytes(of: profile, as: .profile) : ProfileLibrary.file(named: profile) ?? []
    return String(decoding: bytes, as: UTF8.self)
  }

  /// All faults of a profile file; empty if there are none.
  static func errors(in path: String) throws -> [ProfileError] {
    let bytes = try WholeFile.readBytes(of: path, as: .profile)
    do throws(ProfileErrors) {
      _ = try ProfileFile.parse(bytes.span, name: name(of: path))
      return []
    } catch {
      return error.errors
    }
  }

  /// The network that a device names.
  static func usualNetwork(of device: DeviceProfile) throws -> NetworkProfile? {
    if device.network.isEmpty || device.network == "none" { return nil }
    if let network = try? ProfileLibrary.network(named: device.network) { return network }
    throw unknown("network", device.network, ProfileLibrary.networks)
  }

  static func isFile(_ text: String) -> Bool {
    text.contains("/") || text.contains(".") || text == "-"
  }

  /// The file's name without folders and extension, which a profile inside it must have.
  static func name(of path: String) -> String {
    let file = path.split(separator: "/").last ?? path[...]
    guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { return String(file) }
    return String(file[..<dot])
  }

  private static func unknown(_ kind: String, _ name: String, _ known: [String]) -> Complaint {
    Complaint(
      "there is no \(kind) profile '\(name)'; known: \(known.joined(separator: ", ")); a file is "
        + "named with its path or ending")
  }

  private static func parsed<Profile>(
    _ path: String, _ parse: ([UInt8], String) throws(ProfileErrors) -> Profile
  ) throws -> Profile {
    let bytes = try WholeFile.readBytes(of: path, as: .profile)
    do throws(ProfileErrors) {
      return try parse(bytes, name(of: path))
    } catch {
      let file = path.split(separator: "/").last.map(String.init) ?? path
      let first = error.errors.first.map { line($0, of: file) } ?? "\(file): not a profile"
      let more = error.errors.count - 1
      let rest = more > 0 ? " (and \(more) more: milepost profiles check \(path))" : ""
      throw Complaint(first + rest)
    }
  }

  /// `x.csv:12: gnss,track_good,power: …`
  static func line(_ error: ProfileError, of file: String) -> String {
    let place = error.line.map { "\(file):\($0)" } ?? file
    let list = error.allowed.isEmpty ? "" : "; allowed: " + error.allowed.joined(separator: ", ")
    return "\(place): \(error.key): \(error.message)\(list)"
  }
}
