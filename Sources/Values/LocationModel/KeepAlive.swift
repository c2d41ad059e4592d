// SPDX-License-Identifier: Apache-2.0

/// A handler that keeps an app's connection alive: called at least once an interval; `PeriodicWork` says when.
package enum KeepAlive {
  /// The shortest interval that an app can request, seconds [core].
  package static let shortest = 600.0
}
