// SPDX-License-Identifier: Apache-2.0

/// The background modes that an app declares (`UIBackgroundModes`); undeclared modes have no effect there.
package struct BackgroundModes: OptionSet, Sendable, Hashable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let audio = BackgroundModes(rawValue: 1)
  package static let location = BackgroundModes(rawValue: 2)
  package static let voip = BackgroundModes(rawValue: 4)
  package static let fetch = BackgroundModes(rawValue: 8)
  package static let remoteNotification = BackgroundModes(rawValue: 16)
  package static let newsstandContent = BackgroundModes(rawValue: 32)
  package static let externalAccessory = BackgroundModes(rawValue: 64)
  package static let bluetoothCentral = BackgroundModes(rawValue: 128)
  package static let bluetoothPeripheral = BackgroundModes(rawValue: 256)
  /// Not a mode of an Info.plist: it stands for the entitlement `com.apple.developer.location.push` and the extension
  /// that goes with it, which here are the app itself [ours].
  package static let locationPush = BackgroundModes(rawValue: 512)

  /// Each mode with its name in an Info.plist, in the order in which errors name them.
  package static let names: [(mode: BackgroundModes, name: String)] = [
    (.audio, "audio"), (.location, "location"), (.voip, "voip"), (.fetch, "fetch"),
    (.remoteNotification, "remote-notification"), (.newsstandContent, "newsstand-content"),
    (.externalAccessory, "external-accessory"), (.bluetoothCentral, "bluetooth-central"),
    (.bluetoothPeripheral, "bluetooth-peripheral"), (.locationPush, "location-push"),
  ]

  /// The mode of that name; `nil` if there is none.
  package init?(named name: String) {
    guard let entry = Self.names.first(where: { $0.name == name }) else { return nil }
    self = entry.mode
  }

  /// The names of all members.
  package var words: [String] {
    Self.names.compactMap { contains($0.mode) ? $0.name : nil }
  }
}

extension BackgroundModes: Codable {
  package init(from decoder: any Decoder) throws {
    let names = try decoder.singleValueContainer().decode([String].self)
    self = names.reduce(into: []) { $0.formUnion(BackgroundModes(named: $1) ?? []) }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(words)
  }
}
