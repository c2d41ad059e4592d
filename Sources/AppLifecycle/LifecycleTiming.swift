// SPDX-License-Identifier: Apache-2.0

/// The times of the life cycle, seconds; each can be set on the command line.
package struct LifecycleTiming: Sendable, Equatable, Codable {
  /// From entering the background, or losing the last hold there, to suspension [ours].
  package var suspendsAfter = 5.0
  /// From suspension to purge where no memory pressure is scripted [ours].
  package var purgesAfter = 600.0
  /// What a wake by location allows at most; measured in the field at about 10 s.
  package var wakeBudget = 10.0
  /// From `willTerminate` to the end [core].
  package var exitsAfter = 5.0

  package init() {}
}
