// SPDX-License-Identifier: Apache-2.0

/// What messages call an input; `-` is standard input.
package enum InputName {
  /// A file's name without its directories.
  package static func short(_ path: String) -> String {
    path == "-" ? "stdin" : path.split(separator: "/").last.map(String.init) ?? path
  }

  /// The path as it was given.
  package static func full(_ path: String) -> String { path == "-" ? "stdin" : path }
}
