// SPDX-License-Identifier: Apache-2.0

import JSONText
import Replay
import ServiceContract
import SettingsFiles

@testable import Sinks

extension HostileReader {
  /// Files of settings in each form. Each tree is judged as a manifest, as milepostd.yaml and as a scenario, for faults
  /// must be reported for any tree. Promised: a refusal names the file.
  static let settings: [HostileReader] = ["yaml", "json", "plist"].map { form in
    HostileReader(
      "settings-\(form)", of: ["SettingsFiles", "Settings", "Scenarios", "Sinks"]
    ) { bytes in
      let file = "x.\(form)"
      let tree: JSONValue
      do {
        tree = try SettingsFile.document(bytes, name: file, orInfoPlist: true).value
      } catch let error as Complaint {
        return try promise(error.message.hasPrefix(file), error.message)
      }
      try judge(tree, file)
    }
  }

  private static func judge(_ tree: JSONValue, _ file: String) throws {
    var problems: [SettingsProblem] = []
    do {
      let manifest = try AppManifest(tree, file: file, directory: "/") {
        settings, file, directory in
        do throws(SettingsError) {
          _ = try SinkKind.sink(settings, file: file, directory: directory)
          return []
        } catch {
          return error.problems
        }
      }
      let again = try AppManifest(json: manifest.json)
      try promise(again == manifest, "kept as \(again), read as \(manifest)")
    } catch let error as SettingsError {
      problems += error.problems
    }
    do throws(SettingsError) {
      _ = try DaemonConfiguration(tree, file: file)
    } catch {
      problems += error.problems
    }
    do throws(SettingsError) {
      _ = try Scenario(tree, file: file)
    } catch {
      problems += error.problems
    }
    for problem in problems {
      try promise(problem.text.hasPrefix(file), "the problem '\(problem.text)' names no file")
    }
  }
}
