// SPDX-License-Identifier: Apache-2.0

import Geodesy
package import JSONText
import LocationModel

extension AppManifest.Kind: JSONWord {}
extension AppManifest.Launch: JSONWord {}

extension AppManifest {
  /// The members of our own form, in the order in which `json` writes them; only `name` and `kind` are required in
  /// handwritten ones.
  static let table = JSONTable<Self> { manifest in
    manifest.field("name", \.name)
    manifest.field("kind", \.kind)
    manifest.optionalValue("command", [String].json, about: "The program and its arguments.") {
      $0.command
    }
    manifest.optionalValue("environment", variables) { $0.environment }
    manifest.optionalValue("directory", String.json, about: "Where the command runs.") {
      $0.directory
    }
    manifest.optionalValue("modes", .array(of: .words(BackgroundModes.names.map(\.name)))) {
      $0.declaration.modes.words
    }
    manifest.optionalValue("exits_on_suspend", Bool.json) { $0.declaration.exitsOnSuspend }
    manifest.optionalValue(
      "service", Service?.json, about: "What is started for it whenever it is launched."
    ) { $0.service }
    manifest.optionalValue("desired_accuracy_m", accuracy) { $0.request.desiredAccuracy }
    manifest.optionalValue("distance_filter_m", .nullable(exact(0...1_000_000))) {
      $0.request.distanceFilter
    }
    manifest.optionalValue("pauses", Bool.json) { $0.request.pausesAutomatically }
    manifest.optionalValue("allows_background_updates", Bool.json) {
      $0.request.allowsBackgroundUpdates
    }
    manifest.optionalValue("visits", Bool.json) { $0.places.visits ? true : nil }
    manifest.optionalValue("regions", .array(of: region.output)) {
      $0.places.regions.isEmpty ? nil : $0.places.regions
    }
    manifest.optionalValue("authorization", Authorization.json) { $0.declaration.authorization }
    manifest.optionalValue("accuracy", LocationAccuracy.json) {
      $0.declaration.accuracy == .full ? nil : $0.declaration.accuracy
    }
    manifest.optionalValue("notifications", Bool.json) {
      $0.declaration.mayNotify ? true : nil
    }
    manifest.optionalValue("launch", Launch.json) { $0.launch }
    manifest.optionalValue(
      "timeout_s", exact(1...86_400), about: "Seconds that one run of a handler may take."
    ) { $0.timeout }
    manifest.optionalValue(
      "sink", JSONForm<JSONValue>(.map(.anything)) { $1.value($0) },
      about: "Where its events go, of an app of the kind sink: its kind, and what that needs."
    ) { $0.sink?.table }
  }

  private static let region = JSONTable<MonitoredRegion> { region in
    region.value("name", \.identifier)
    region.value("latitude", exact(-90...90), \.centre.latitude)
    region.value("longitude", exact(-180...180), \.centre.longitude)
    region.value("radius_m", exact(MonitoredRegion.radii), \.radius)
    region.optionalValue("notify_on_entry", Bool.json) { $0.notifiesOnEntry ? nil : false }
    region.optionalValue("notify_on_exit", Bool.json) { $0.notifiesOnExit ? nil : false }
  }

  /// A number that comes back bit for bit.
  private static func exact(_ range: ClosedRange<Double>) -> JSONForm<Double> {
    JSONForm(.number(range)) { $1.roundTrip($0) }
  }

  private static let variables = JSONForm<[String: String]>(.map(.text)) { variables, json in
    json.object { json in
      for (name, text) in variables.sorted(by: { $0.key < $1.key }) { json.member(name, text) }
    }
  }

  /// The best accuracies have words.
  private static let accuracy = JSONForm<Double>(
    .oneOf([.words(accuracies.map(\.word)), .number(0...100_000)])
  ) { metres, json in
    if let word = accuracies.first(where: { $0.metres == metres })?.word {
      json.string(word)
    } else {
      json.roundTrip(metres)
    }
  }
  static let accuracies: [(word: String, metres: Double)] = [
    ("best", -1), ("best_for_navigation", -2),
  ]

  package static let schema = JSONSchema(
    "milepost.manifest/1", "The manifest of an app in our own form, as YAML or JSON.",
    table.shape)

  /// The manifest as one JSON object on one line, in the keys of our own form and all of them stated (`sink` only by a
  /// sink): equal manifests give equal bytes, and reading it gives an equal manifest.
  package var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      Self.table.writeMembers(of: self, into: &json)
      if isConfigured { json.member(Self.configuredKey, true) }
    }
    return json.bytes
  }

  /// Reads the output of `json`. Throws `SettingsError` for anything else.
  package init(json bytes: [UInt8]) throws(SettingsError) {
    let file = "stored manifest"
    var value: JSONValue
    do throws(SyntaxError) {
      value = try JSONValue.parse(bytes.span)
    } catch {
      throw SettingsError(problems: [
        .init(
          file: file, path: "", message: "not JSON: \(error.message) at byte \(error.offset + 1)")
      ])
    }
    // An app that only connected by itself has no command, and a sink's table was checked then. The configuration's
    // mark is never in a handwritten file.
    let isConfigured = value[Self.configuredKey]?.bool == true
    if isConfigured, let members = value.members {
      value = .object(members.filter { $0.key != Self.configuredKey })
    }
    try self.init(value, file: file, directory: "/", needsCommand: false)
    if isConfigured { origin = .configuration }
  }

  private static let configuredKey = "configured"
}
