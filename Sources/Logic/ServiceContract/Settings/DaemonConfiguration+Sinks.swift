// SPDX-License-Identifier: Apache-2.0

package import JSONText
import LocationModel

// Theory
// ======
//
// The table `van` below the configuration's `sinks` is an app of the kind sink, `van`, in one table instead of two: the keys
// that a manifest has for an app's deliveries are the manifest's, all others are the sink's. Configuring a sink
// authorizes it. Unless it says otherwise, it is told of significant changes and of visits.

extension DaemonConfiguration {
  /// The greatest number of sinks.
  package static let sinkLimit = 64

  /// Keys that are read as a manifest's.
  private static let manifestKeys = [
    "service", "desired_accuracy_m", "distance_filter_m", "pauses", "accuracy", "regions", "visits",
  ]

  /// The sinks below `sinks`, by name; relative paths begin at `directory`.
  static func sinks(in table: inout SettingsTable, directory: String) -> [AppManifest]? {
    guard let value = table.value("sinks") else { return nil }
    guard let members = value.members, members.count <= sinkLimit else {
      table.noteProblem(
        at: "sinks",
        "\(SettingsTable.words(value)) where at most \(sinkLimit) tables were expected, as in "
          + "van: {kind: file, folder: tracks}")
      return nil
    }
    var manifests: [AppManifest] = []
    for member in members {
      let path = "sinks.\(SettingsTable.shortened(member.key))"
      guard let keys = member.value.members else {
        table.noteProblem(
          at: path,
          "\(SettingsTable.words(member.value)) where a table was expected, as in {kind: file, folder: tracks}"
        )
        continue
      }
      do throws(SettingsError) {
        var manifest = try sink(member.key, keys, table.file, path, directory)
        manifest.origin = .configuration
        manifests.append(manifest)
      } catch {
        table.include(problems: error.problems)
      }
    }
    return manifests
  }

  /// The manifest of the sink that a table describes; `path` is that of the table in messages.
  package static func sink(
    _ name: String, _ keys: [JSONValue.Member], _ file: String, _ path: String, _ directory: String
  ) throws(SettingsError) -> AppManifest {
    var own = keys.filter { manifestKeys.contains($0.key) }
    let told = keys.filter { !manifestKeys.contains($0.key) }
    if !own.contains(where: { $0.key == "service" }) {
      own.append(.init("service", .string(Service.significant.rawValue)))
    }
    // Servers build their timelines of stays, whose ends a sink of significant changes does not show.
    if !own.contains(where: { $0.key == "visits" }) { own.append(.init("visits", .bool(true))) }
    own += [
      .init("name", .string(name)), .init("kind", .string(AppManifest.Kind.sink.rawValue)),
      .init("modes", .array([.string("location")])), .init("authorization", .string("always")),
      .init("sink", .object(told)),
    ]
    do throws(SettingsError) {
      return try AppManifest(.object(own), file: file, directory: directory)
    } catch {
      throw SettingsError(
        problems: error.problems.map {
          SettingsProblem(
            file: $0.file, path: $0.path == "name" ? path : "\(path).\($0.path)",
            message: $0.message)
        })
    }
  }
}
