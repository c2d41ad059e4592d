// SPDX-License-Identifier: Apache-2.0

import RadioPower
package import ServiceContract
import ServiceCore
import SettingsFiles
import Sinks

extension DaemonConfiguration {
  /// Reads a configuration file. Throws with all of its faults.
  package static func readFile(_ path: String) throws -> DaemonConfiguration {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let document = try SettingsFile.document(SettingsFile.readBytes(of: path), name: name)
    let directory = path.split(separator: "/").dropLast().joined(separator: "/")
    let (configuration, found) = DaemonConfiguration.reading(
      document.value, file: path,
      names: .init(
        policies: livePolicies, deviceProfiles: ProfileLibrary.devices,
        networkProfiles: ProfileLibrary.networks,
        directory: path.hasPrefix("/") ? "/" + directory : directory.isEmpty ? "." : directory))
    var problems = found
    for manifest in configuration.sinks {
      guard let sink = manifest.sink else { continue }
      do throws(SettingsError) {
        _ = try SinkKind.sink(
          sink, file: path, path: "sinks.\(manifest.name)", directory: manifest.directory)
      } catch {
        problems += error.problems
      }
    }
    guard problems.isEmpty else {
      throw SettingsError(problems: problems).located(by: document.lines)
    }
    return configuration
  }
}
