// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// Names of documents and profiles as people read them.
package enum Names {
  /// `not running` of `not_running`.
  package static func words(_ name: String) -> String {
    String(name.map { $0 == "_" ? " " : $0 })
  }
}

extension AppState {
  /// `not running`.
  package var words: String { Names.words(rawValue) }
}

extension Authorization {
  /// `when in use`.
  package var words: String { Names.words(rawValue) }
}

extension Service {
  /// The kind of deliveries, in words.
  package var words: String {
    switch self {
    case .standard: "standard updates"
    case .significant: "significant changes"
    case .continuous: "continuous updates"
    }
  }
}
