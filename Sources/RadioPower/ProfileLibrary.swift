// SPDX-License-Identifier: Apache-2.0

/// The profiles that come with Milepost; their files lie in `Profiles/`. To add one, add its file and
/// its line here.
package enum ProfileLibrary {
  /// The device that is metered when none is named.
  package static let defaultDevice = "phone-2021-lte"

  private static let deviceFiles: [(name: String, bytes: [UInt8])] = [
    ("phone-2010-3g", PackageResources.phone_2010_3g_csv),
    ("phone-2013-lte", PackageResources.phone_2013_lte_csv),
    ("phone-2021-lte", PackageResources.phone_2021_lte_csv),
    ("phone-2020-lowpower", PackageResources.phone_2020_lowpower_csv),
    ("tracker-ltem-nrf9160", PackageResources.tracker_ltem_nrf9160_csv),
    ("tracker-lora-m10", PackageResources.tracker_lora_m10_csv),
    ("pi-zero-ublox7", PackageResources.pi_zero_ublox7_csv),
  ]

  // SwiftPM replaces the leading digit of a file's name by an underscore: 3g becomes _g.
  private static let networkFiles: [(name: String, bytes: [UInt8])] = [
    ("lte-2012-huang", PackageResources.lte_2012_huang_csv),
    ("3g-2012-huang", PackageResources._g_2012_huang_csv),
    ("wifi-2012-huang", PackageResources.wifi_2012_huang_csv),
    ("lte-aro", PackageResources.lte_aro_csv),
    ("3g-aro-i997", PackageResources._g_aro_i997_csv),
    ("3g-aro-captivate", PackageResources._g_aro_captivate_csv),
    ("3g-tailender", PackageResources._g_tailender_csv),
    ("gsm-tailender", PackageResources.gsm_tailender_csv),
    ("lte-2021-verizon", PackageResources.lte_2021_verizon_csv),
    ("lte-2021-tmobile", PackageResources.lte_2021_tmobile_csv),
    ("ltem-nrf9160", PackageResources.ltem_nrf9160_csv),
    ("3g-2010-att", PackageResources._g_2010_att_csv),
    ("lora-sf12", PackageResources.lora_sf12_csv),
  ]

  /// Names of the device profiles, oldest kind first.
  package static var devices: [String] { deviceFiles.map(\.name) }

  /// Names of the network profiles.
  package static var networks: [String] { networkFiles.map(\.name) }

  /// A built-in device profile; `nil` if there is none of that name.
  package static func device(named name: String) throws(ProfileErrors) -> DeviceProfile? {
    guard let file = deviceFiles.first(where: { $0.name == name }) else { return nil }
    return try DeviceProfile.parse(file.bytes.span, name: name)
  }

  /// A built-in network profile; `nil` if there is none of that name.
  package static func network(named name: String) throws(ProfileErrors) -> NetworkProfile? {
    guard let file = networkFiles.first(where: { $0.name == name }) else { return nil }
    return try NetworkProfile.parse(file.bytes.span, name: name)
  }

  /// The file of a built-in profile, device or network, as `profiles show --file` prints it.
  package static func file(named name: String) -> [UInt8]? {
    (deviceFiles + networkFiles).first { $0.name == name }?.bytes
  }
}

// Profiles are written by their names, so one that is not of the library cannot be.

extension DeviceProfile: Codable {
  private enum CodingKeys: String, CodingKey { case name, gnssWhenOff }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let name = try values.decode(String.self, forKey: .name)
    guard let device = try ProfileLibrary.device(named: name) else {
      throw decoder.unknown("device", name)
    }
    self = device
    gnssWhenOff = try values.decode(Rest.self, forKey: .gnssWhenOff)
  }

  package func encode(to encoder: any Encoder) throws {
    var known = try ProfileLibrary.device(named: name)
    known?.gnssWhenOff = gnssWhenOff
    guard known == self else { throw encoder.foreign("device", name) }
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(name, forKey: .name)
    try values.encode(gnssWhenOff, forKey: .gnssWhenOff)
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
