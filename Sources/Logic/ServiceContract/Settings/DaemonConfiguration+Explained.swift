// SPDX-License-Identifier: Apache-2.0

extension DaemonConfiguration {
  /// A complete configuration file in YAML: every option with its default, range, unit and meaning.
  ///
  /// It reads back as the defaults. Options without a default are commented out.
  package static var explained: String {
    let defaults = DaemonConfiguration()
    var text = """
      # Configuration of milepostd. Every option stands here with its default; what is left out has
      # that default. The file is read at the start, and again at SIGHUP (systemctl --user reload
      # milepostd): a change then counts at once, or after a restart of the service where that is said.

      """
    for option in ConfigurationOption.all {
      let effect = option.effect == .atOnce ? "at once" : "after a restart"
      let words = "\(option.explanation) Allowed: \(option.allowed). Changes count \(effect)."
      text += "\n" + wrapped(words)
      if let value = option.text(defaults) {
        text += "\(option.key): \(value)\n"
      } else {
        text += "# \(option.key): \(option.example)\n"
      }
    }
    return text
  }

  /// The differences between two configurations, in the order of the file.
  package static func changes(from old: Self, to new: Self) -> [ConfigurationChange] {
    ConfigurationOption.all.compactMap { option in
      option.change(old, new).map {
        ConfigurationChange(key: option.key, words: $0, effect: option.effect)
      }
    }
  }

  /// Comment lines of at most 100 columns.
  private static func wrapped(_ words: String) -> String {
    var lines = ""
    var line = "#"
    for word in words.split(separator: " ") {
      if line.count + 1 + word.count > 99 {
        lines += line + "\n"
        line = "#"
      }
      line += " " + word
    }
    return lines + line + "\n"
  }
}

extension DaemonConfiguration {
  /// Takes over the immediate changes of a configuration that was read again.
  package mutating func adopt(_ new: Self) {
    for option in ConfigurationOption.all where option.effect == .atOnce {
      option.adopt(&self, new)
    }
  }
}

/// One option with different values in two configurations.
package struct ConfigurationChange: Sendable, Equatable {
  package let key: String
  /// `5 becomes 8`, or the new, changed and removed tables.
  package let words: String
  package let effect: Effect

  /// The time at which a change takes effect.
  package enum Effect: String, Sendable {
    /// As soon as the file has been read again.
    case atOnce = "at_once"
    /// Only after a restart of the service: the engine's rules, the meter and open sockets stay.
    case atRestart = "at_restart"
  }

  /// `crash_limit: 5 becomes 8`
  package var text: String {
    "\(key): \(words)" + (effect == .atRestart ? ", after a restart" : "")
  }
}
