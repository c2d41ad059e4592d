// SPDX-License-Identifier: Apache-2.0

import Foundation
import PackagePlugin

/// Embeds the three files of `StatusHTTP/Page` verbatim in the program.
@main
struct EmbedPage: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let page = target.directoryURL.appending(path: "Page")
    let files = ["page.html", "page.js", "page.css"].map { page.appending(path: $0) }
    let output = context.pluginWorkDirectoryURL.appending(path: "PageFiles.swift")
    return [
      .buildCommand(
        displayName: "Embedding the live page", executable: URL(filePath: "/bin/sh"),
        arguments: ["-eu", "-c", Self.script, "sh", page.path, output.path],
        inputFiles: files, outputFiles: [output])
    ]
  }

  /// Writes `PageFiles.html`, `.script` and `.style`.
  private static let script = ####"""
    exec > "$2"
    echo 'enum PageFiles {'
    for pair in html:page.html script:page.js style:page.css; do
      echo "  static let ${pair%%:*} = "'###"""'
      cat "$1/${pair#*:}"
      printf '\n"""###\n'
    done
    echo '}'
    """####
}
