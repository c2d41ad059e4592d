// SPDX-License-Identifier: Apache-2.0

import Foundation
import PackagePlugin

/// Embeds the files of a target's `Page` verbatim in the program.
@main
struct EmbedPage: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let page = target.directoryURL.appending(path: "Page")
    let files = try FileManager.default.contentsOfDirectory(
      at: page, includingPropertiesForKeys: nil)
    let output = context.pluginWorkDirectoryURL.appending(path: "PageFiles.swift")
    return [
      .buildCommand(
        displayName: "Embedding the page of \(target.name)", executable: URL(filePath: "/bin/sh"),
        arguments: ["-eu", "-c", Self.script, "sh", page.path, output.path],
        inputFiles: files, outputFiles: [output])
    ]
  }

  /// Writes a text for each file: `PageFiles.pageHTML` is `page.html`.
  private static let script = ####"""
    exec > "$2"
    echo 'enum PageFiles {'
    for file in "$1"/*; do
      name=$(basename "$file")
      echo "  static let ${name%.*}$(echo "${name##*.}" | tr a-z A-Z) = "'###"""'
      cat "$file"
      printf '\n"""###\n'
    done
    echo '}'
    """####
}
