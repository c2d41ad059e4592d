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
    var writers: [String: String] = [:]
    for manifest in configuration.sinks {
      guard let settings = manifest.sink else { continue }
      let place = "sinks.\(manifest.name)"
      do throws(SettingsError) {
        let sink = try SinkKind.sink(
          settings, file: path, path: place, directory: manifest.directory)
        guard let files = sink.files else { continue }
        if let other = writers[files] {
          problems.append(
            .init(
              file: path, path: "\(place).folder",
              message: "the sink \(other) writes files of that name there; say another folder, or "
                + "another format"))
        }
        writers[files] = writers[files] ?? manifest.name
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
