// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel

extension AppManifest {
  /// The manifest as one JSON object on one line, in the keys of our own form and all of them said (`sink` by a sink only):
  /// equal manifests give equal bytes, and reading it gives an equal manifest.
  package var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("name", name)
      json.member("kind", kind.rawValue)
      json.key("command")
      json.array { json in
        for word in command { json.string(word) }
      }
      json.key("environment")
      json.object { json in
        for (name, text) in environment.sorted(by: { $0.key < $1.key }) { json.member(name, text) }
      }
      json.member("directory", directory)
      json.key("modes")
      json.array { json in
        for mode in declaration.modes.words { json.string(mode) }
      }
      json.member("exits_on_suspend", declaration.exitsOnSuspend)
      json.member("service", service?.rawValue)
      json.key("desired_accuracy_m")
      switch request.desiredAccuracy {
      case -1: json.string("best")
      case -2: json.string("best_for_navigation")
      case let metres: json.roundTrip(metres)
      }
      json.key("distance_filter_m")
      json.roundTrip(request.distanceFilter)
      json.member("pauses", request.pausesAutomatically)
      json.member("allows_background_updates", request.allowsBackgroundUpdates)
      places.write(into: &json)
      json.member("authorization", declaration.authorization.rawValue)
      if declaration.accuracy != .full {
        json.member("accuracy", declaration.accuracy.rawValue)
      }
      if declaration.mayNotify { json.member("notifications", true) }
      json.member("launch", launch.rawValue)
      json.key("timeout_s")
      json.roundTrip(timeout)
      if let sink {
        json.key("sink")
        json.value(sink.table)
      }
      if isConfigured { json.member(Self.configuredKey, true) }
    }
    return json.bytes
  }

  /// Reads what `json` wrote. Throws `SettingsError` for anything else.
  package init(json bytes: [UInt8]) throws(SettingsError) {
    let file = "stored manifest"
    var value: JSONValue
    do throws(JSONError) {
      value = try JSONValue.parse(bytes.span)
    } catch {
      throw SettingsError(problems: [
        .init(
          file: file, path: "", message: "not JSON: \(error.message) at byte \(error.offset + 1)")
      ])
    }
    // An app that only connected by itself has no command, and what a sink is told was looked at then.
    // Nobody writes into a file of his own that the configuration has it.
    let isConfigured = value[Self.configuredKey]?.bool == true
    if isConfigured, let members = value.members {
      value = .object(members.filter { $0.key != Self.configuredKey })
    }
    try self.init(value, file: file, directory: "/", needsCommand: false)
    if isConfigured { origin = .configuration }
  }

  private static let configuredKey = "configured"
}
