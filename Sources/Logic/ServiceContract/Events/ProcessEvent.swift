// SPDX-License-Identifier: Apache-2.0

/// An event of an app's process.
package enum ProcessEvent: Sendable, Equatable, Codable {
  case started(app: String, pid: Int32)
  /// It could not be started: no such program, no permission.
  case failedToStart(app: String, reason: String)
  /// It was not started because of the service: a full disk, no descriptors. The app is not at fault.
  case prevented(app: String, reason: String)
  /// It and its children are gone.
  case ended(app: String, Ending)
  /// The process of an earlier daemon was found and taken over.
  case adopted(app: String, pid: Int32, isFrozen: Bool)
  case frozen(app: String)
  case thawed(app: String)
  /// It and its children hold `megabytes` of memory.
  case usesMemory(app: String, megabytes: Double)
  /// A fact about processes that the user should know: a child that escaped, a freezer that is no
  /// longer writable.
  case warning(app: String, String)

  package enum Ending: Sendable, Equatable, Codable {
    case exited(status: Int32)
    case signalled(Int32)
    /// The keeper died with it, so its ending is unknown.
    case unknown
  }
}
