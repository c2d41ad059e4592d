// SPDX-License-Identifier: Apache-2.0

/// The release that this is, the same for all programs.
package enum Release {
  /// Semantic version; the changes stand in `Changes.md` of the documentation.
  package static let version = "0.2.0"
}
