// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

// The kinds of options and arguments that several commands take, with their parsing and completion.

extension Option where Value == String? {
  /// A file, or a value as described by `valueName`; shells complete names of files.
  init(
    file help: String, name: NameSpecification = .long, _ valueName: String = "file"
  ) {
    self.init(
      name: name, help: ArgumentHelp(help, valueName: valueName), completion: .file())
  }
}

extension Option where Value == Double {
  /// A number; `read` checks its range.
  init(
    wrappedValue: Double, number help: String, _ valueName: String,
    read: @escaping @Sendable (String) throws -> Double = { try Number.zeroOrMore($0) }
  ) {
    self.init(
      wrappedValue: wrappedValue, parsing: .unconditional,
      help: ArgumentHelp(help, valueName: valueName), transform: read)
  }
}

extension Option where Value == Double? {
  /// A number that may be left out.
  init(
    number help: String, _ valueName: String,
    read: @escaping @Sendable (String) throws -> Double = { try Number.zeroOrMore($0) }
  ) {
    self.init(
      parsing: .unconditional, help: ArgumentHelp(help, valueName: valueName), transform: read)
  }
}

extension Argument where Value == String {
  init(wrappedValue: String, file help: String, _ valueName: String? = nil) {
    self.init(
      wrappedValue: wrappedValue, help: ArgumentHelp(help, valueName: valueName),
      completion: .file())
  }

  /// A file, or `-`; shells complete names of files.
  init(file help: String, _ valueName: String? = nil) {
    self.init(help: ArgumentHelp(help, valueName: valueName), completion: .file())
  }
}

extension Argument where Value == [String] {
  init(wrappedValue: [String], files help: String, _ valueName: String) {
    self.init(
      wrappedValue: wrappedValue, help: ArgumentHelp(help, valueName: valueName),
      completion: .file())
  }

  init(files help: String, _ valueName: String) {
    self.init(help: ArgumentHelp(help, valueName: valueName), completion: .file())
  }
}
