// SPDX-License-Identifier: Apache-2.0

import ServiceContract

/// The names of a device at an OwnTracks server, and the choice of its data: the settings shared by sinks over HTTP and
/// MQTT.
struct OwnTracksDevice: Sendable, Equatable {
  /// First level of the topic after `owntracks`.
  var user: String
  /// Second level.
  var device: String
  /// One or two characters beside the mark on a map; `tid`.
  var tracker: String
  /// The file with the passphrase of encrypted messages; `nil` sends them readable.
  var keyFile: SecretFile?
  /// The substitute for an unknown accuracy, metres; `nil` leaves it out.
  var fallbackAccuracy: Double?
  /// Whether crossings of regions are sent as transitions, and not only as positions.
  var tellsTransitions: Bool

  init(
    user: String, device: String, tracker: String? = nil, keyFile: SecretFile? = nil,
    fallbackAccuracy: Double? = nil, tellsTransitions: Bool = true
  ) {
    self.user = user
    self.device = device
    self.tracker = tracker ?? String(device.suffix(2))
    self.keyFile = keyFile
    self.fallbackAccuracy = fallbackAccuracy
    self.tellsTransitions = tellsTransitions
  }

  /// The topic of its positions.
  var topic: String { "owntracks/\(user)/\(device)" }

  /// `nil` if the login's user or the device is missing or invalid.
  init?(reading table: inout SettingsTable, login: Login, from directory: String) {
    let device = table.string("device")
    let tracker = table.string("tid")
    keyFile = table.absolutePath("key_file", from: directory).map {
      SecretFile(key: "key_file", path: $0)
    }
    fallbackAccuracy = table.number("unknown_accuracy_m", in: 1...100_000, unit: "metres")
    tellsTransitions = table.bool("transitions") ?? true
    if let tracker, !(1...2).contains(tracker.count) {
      table.noteProblem(
        at: "tid", "'\(SettingsTable.shortened(tracker))' is not one or two characters")
    }
    for (key, meaning) in [
      ("user", "under whose name the positions appear, as in owntracks/USER/DEVICE"),
      ("device", "under which name the device appears, as in owntracks/USER/DEVICE"),
    ] where !table.states(key) {
      table.noteProblem(at: key, "missing; say \(meaning)")
    }
    guard let user = login.user, let device else { return nil }
    for (key, name) in [("user", user), ("device", device)] where !Self.isLevel(name) {
      table.noteProblem(
        at: key, "'\(SettingsTable.shortened(name))' is empty, or holds a space or one of / + #")
    }
    guard Self.isLevel(user), Self.isLevel(device) else { return nil }
    self.user = user
    self.device = device
    self.tracker = tracker ?? String(device.suffix(2))
  }

  /// Whether a text can be one level of a topic.
  private static func isLevel(_ text: String) -> Bool {
    !text.isEmpty
      && !text.unicodeScalars.contains { "/+#".unicodeScalars.contains($0) || $0.value <= 0x20 }
  }

  /// The key, read anew; `nil` if messages are sent readable. Throws if the file cannot be used.
  func key() throws(SinkError) -> OwnTracksKey? {
    guard let keyFile else { return nil }
    guard let key = OwnTracksKey(passphrase: try keyFile.readSecret()) else {
      throw SinkError(
        "key_file: \(keyFile.path) holds more than \(OwnTracksKey.limit) bytes", .refused)
    }
    return key
  }
}
