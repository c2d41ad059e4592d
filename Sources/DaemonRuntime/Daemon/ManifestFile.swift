// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationModel
import ServiceContract
import Settings
import SettingsFiles

/// A manifest as a client sends it.
enum ManifestFile {
  /// What is in it, and whether its program is there.
  static func read(
    _ file: ClientMessage.Manifest, unstated: Authorization
  ) -> ManifestReading {
    do {
      let tree = try SettingsFile.parse(file.bytes, name: file.file)
      let manifest = try AppManifest(
        tree, file: file.file, directory: file.directory, command: file.command,
        unstated: unstated)
      return .read(manifest, missingProgram: nil)
    } catch {
      return .refused(words(of: error))
    }
  }
}
