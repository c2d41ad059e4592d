// SPDX-License-Identifier: Apache-2.0

/// The profiles that come with Milepost: the files of `Profiles/`, which the build puts into `EmbeddedFiles`.
package enum ProfileLibrary {
  /// The device metered by default: the phone of which most was measured.
  package static let defaultDevice = "phone-2014-iphone6"

  /// The same for a scenario of Android.
  package static let defaultAndroidPhone = "phone-2023-pixel8"

  /// Names of the device profiles, in the order of the alphabet.
  package static var devices: [String] { EmbeddedFiles.devices.map(\.name) }

  /// Names of the network profiles, in the order of the alphabet.
  package static var networks: [String] { EmbeddedFiles.networks.map(\.name) }

  private static func bytes(
    of name: String, in files: [(name: String, text: String)]
  ) -> [UInt8]? {
    files.first { $0.name == name }.map { HostedProfile.whole(Array($0.text.utf8).span) }
  }

  /// A built-in device profile; `nil` if there is none of that name.
  package static func device(named name: String) throws(ProfileErrors) -> DeviceProfile? {
    guard let bytes = bytes(of: name, in: EmbeddedFiles.devices) else { return nil }
    return try DeviceProfile.parse(bytes.span, name: name)
  }

  /// A built-in network profile; `nil` if there is none of that name.
  package static func network(named name: String) throws(ProfileErrors) -> NetworkProfile? {
    guard let bytes = bytes(of: name, in: EmbeddedFiles.networks) else { return nil }
    return try NetworkProfile.parse(bytes.span, name: name)
  }

  /// The file of a built-in profile, device or network, as `profiles show --file` prints it.
  package static func file(named name: String) -> [UInt8]? {
    bytes(of: name, in: EmbeddedFiles.devices + EmbeddedFiles.networks)
  }
}

// Profiles are written by their names, so only those of the library can be.

extension DeviceProfile: Codable {
  private enum CodingKeys: String, CodingKey { case name, gnssWhenOff, hasMotionSensor }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let name = try values.decode(String.self, forKey: .name)
    guard let device = try ProfileLibrary.device(named: name) else {
      throw decoder.unknown("device", name)
    }
    self = device
    gnssWhenOff = try values.decode(Rest.self, forKey: .gnssWhenOff)
    hasMotionSensor = try values.decode(Bool.self, forKey: .hasMotionSensor)
  }

  package func encode(to encoder: any Encoder) throws {
    var known = try ProfileLibrary.device(named: name)
    known?.gnssWhenOff = gnssWhenOff
    known?.hasMotionSensor = hasMotionSensor
    guard known == self else { throw encoder.foreign("device", name) }
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(name, forKey: .name)
    try values.encode(gnssWhenOff, forKey: .gnssWhenOff)
    try values.encode(hasMotionSensor, forKey: .hasMotionSensor)
  }
}

extension NetworkProfile: Codable {
  package init(from decoder: any Decoder) throws {
    let name = try decoder.singleValueContainer().decode(String.self)
    guard let network = try ProfileLibrary.network(named: name) else {
      throw decoder.unknown("network", name)
    }
    self = network
  }

  package func encode(to encoder: any Encoder) throws {
    guard try ProfileLibrary.network(named: name) == self else {
      throw encoder.foreign("network", name)
    }
    var value = encoder.singleValueContainer()
    try value.encode(name)
  }
}

extension Decoder {
  fileprivate func unknown(_ kind: String, _ name: String) -> DecodingError {
    .dataCorrupted(
      .init(
        codingPath: codingPath,
        debugDescription: "there is no \(kind) profile '\(name.prefix(60))' here"))
  }
}

extension Encoder {
  fileprivate func foreign(_ kind: String, _ name: String) -> EncodingError {
    .invalidValue(
      name,
      .init(
        codingPath: codingPath,
        debugDescription: "the \(kind) profile '\(name)' is none of Milepost's own"))
  }
}
