// SPDX-License-Identifier: Apache-2.0

/// The release number, the same for all programs.
package enum Release {
  /// Semantic version; `Changes.md` of the documentation lists the changes.
  package static let version = "0.2.0"
}
