// SPDX-License-Identifier: Apache-2.0

/// The words of the command line.
package enum CommandLineWords {
  /// Those after the program's name; `nil` if they cannot be read.
  ///
  /// Swift reads them from /proc. In a root directory without it, such as a bare chroot, there are none, not even the
  /// program's name, and a command would do what it does without any.
  package static var given: ArraySlice<String>? {
    let words = CommandLine.arguments
    return words.isEmpty ? nil : words.dropFirst()
  }

  /// The complaint about words that cannot be read.
  package static let unreadable =
    "the words of the command line cannot be read, for there is no /proc; mount it: mount -t proc proc /proc"
}
