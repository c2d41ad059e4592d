// SPDX-License-Identifier: Apache-2.0

import AppKeeping
import ControlProtocol
import Foundation
import LocationModel
import ServiceContract
import SettingsFiles
import Sinks

/// A manifest as a client sends it.
enum ManifestFile {
  /// Its content, whether its program exists, and whether its sink can receive anything.
  static func readManifest(
    _ file: ClientMessage.Manifest, unstated: Authorization
  ) -> ManifestReading {
    var lines: [String: Int] = [:]
    do {
      let document = try SettingsFile.document(file.bytes, name: file.file, orInfoPlist: true)
      let tree = document.value
      lines = document.lines
      let manifest = try AppManifest(
        tree, file: file.file, directory: file.directory, command: file.command,
        unstated: unstated
      ) { settings, file, directory in
        do throws(SettingsError) {
          let sink = try SinkKind.sink(settings, file: file, directory: directory)
          return sink.fault().map { [.init(file: file, path: "sink", message: $0)] } ?? []
        } catch {
          return error.problems
        }
      }
      let unknown = InfoPlist.unknownModes(tree, file: file.file)
      return .read(
        manifest, missingProgram: missingProgram(of: manifest, in: file.file),
        unknownModes: unknown.isEmpty ? nil : unknown)
    } catch let error as SettingsError {
      return .refused(error.located(by: lines).message)
    } catch {
      return .refused("\(error)")
    }
  }

  /// The reason why the keeper could not run its command, with the PATH that this service gives to apps; `nil` if it
  /// could, or if there is no command.
  private static func missingProgram(of manifest: AppManifest, in file: String) -> String? {
    guard let program = manifest.command.first else { return nil }
    let path = manifest.environment["PATH"] ?? ProcessInfo.processInfo.environment["PATH"]
    let search = ProgramSearch(program, directory: manifest.directory, path: path)
    return search.fault().map { "\(file): \($0.words)" }
  }
}
