// SPDX-License-Identifier: Apache-2.0

import Foundation
import PackagePlugin

/// Embeds the files of a target's `Page`, or else of its `Profiles`, verbatim in the program: every file there, without
/// a list to maintain.
@main
struct EmbedFiles: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let page = target.directoryURL.appending(path: "Page")
    let isPage = FileManager.default.fileExists(atPath: page.path)
    let folder = isPage ? page : target.directoryURL.appending(path: "Profiles")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFiles.swift")
    return [
      .buildCommand(
        displayName: "Embedding the files of \(target.name)", executable: URL(filePath: "/bin/sh"),
        arguments: ["-eu", "-c", Self.script, "sh", folder.path, output.path],
        inputFiles: files.map { folder.appending(path: $0) }, outputFiles: [output])
    ]
  }

  /// Writes a text for each file, `EmbeddedFiles.pageHTML` for `page.html`, and for each folder the names and texts of
  /// its files, in the order of their names: `EmbeddedFiles.devices` for `Devices`.
  private static let script = ####"""
    exec > "$2"
    LC_ALL=C
    echo 'enum EmbeddedFiles {'
    for entry in "$1"/*; do
      name=$(basename "$entry")
      if [ -d "$entry" ]; then
        echo "  static let $(echo "$name" | tr A-Z a-z): [(name: String, text: String)] = ["
        for file in "$entry"/*; do
          echo "    (\"$(basename "${file%.*}")\", ###\"\"\""
          cat "$file"
          printf '\n"""###),\n'
        done
        echo '  ]'
      else
        echo "  static let ${name%.*}$(echo "${name##*.}" | tr a-z A-Z) = "'###"""'
        cat "$entry"
        printf '\n"""###\n'
      fi
    done
    echo '}'
    """####
}
