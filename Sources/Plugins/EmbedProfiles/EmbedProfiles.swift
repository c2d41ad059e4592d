// SPDX-License-Identifier: Apache-2.0

import Foundation
import PackagePlugin

/// Embeds the files of `RadioPower/Profiles` in the program, by folder and name: every file there is in the library,
/// without a list to maintain.
@main
struct EmbedProfiles: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let profiles = target.directoryURL.appending(path: "Profiles")
    let files = try ["Devices", "Networks"].flatMap { folder in
      try FileManager.default.contentsOfDirectory(
        at: profiles.appending(path: folder), includingPropertiesForKeys: nil)
    }
    let output = context.pluginWorkDirectoryURL.appending(path: "ProfileFiles.swift")
    return [
      .buildCommand(
        displayName: "Embedding the profiles", executable: URL(filePath: "/bin/sh"),
        arguments: ["-eu", "-c", Self.script, "sh", profiles.path, output.path],
        inputFiles: files, outputFiles: [output])
    ]
  }

  /// Writes `ProfileFiles.devices` and `.networks`: name and text of each file, in the order of the names.
  private static let script = ####"""
    exec > "$2"
    echo 'enum ProfileFiles {'
    for folder in Devices Networks; do
      list=$(echo "$folder" | tr DN dn)
      echo "  static let $list: [(name: String, text: String)] = ["
      LC_ALL=C
      for file in "$1/$folder"/*.csv; do
        echo "    (\"$(basename "$file" .csv)\", ###\"\"\""
        cat "$file"
        printf '\n"""###),\n'
      done
      echo '  ]'
    done
    echo '}'
    """####
}
