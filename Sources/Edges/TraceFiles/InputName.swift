// SPDX-License-Identifier: Apache-2.0

import JSONText

/// The name of an input in messages and reports; `-` is standard input.
package enum InputName {
  /// A file's name without its directories, and without control characters: terminals get it unescaped.
  package static func short(_ path: String) -> String {
    path == "-" ? "stdin" : Quoted.plain(path.split(separator: "/").last ?? path[...])
  }

  /// The path as given.
  package static func full(_ path: String) -> String { path == "-" ? "stdin" : path }
}
