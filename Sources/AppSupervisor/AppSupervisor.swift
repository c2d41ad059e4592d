// SPDX-License-Identifier: Apache-2.0

/// Starts, freezes, wakes and ends real processes when told.
package final class AppSupervisor: Sendable {
  /// How processes are frozen.
  package enum Freezer: String, Sendable, CaseIterable {
    case cgroup2
    case cgroup1
    case signals
  }

  /// One process to be started.
  package struct Start: Sendable, Equatable {
    package var app: String
    /// The program, a path or a name on PATH, and its arguments.
    package var command: [String]
    package var environment: [String: String]
    package var directory: String
    /// Given on stdin, then closed; `nil` is no input.
    package var input: [UInt8]?
    /// Seconds after which it is ended; `nil` is never.
    package var timeLimit: Double?

    package init(
      app: String, command: [String], environment: [String: String], directory: String,
      input: [UInt8]? = nil, timeLimit: Double? = nil
    ) {
      self.app = app
      self.command = command
      self.environment = environment
      self.directory = directory
      self.input = input
      self.timeLimit = timeLimit
    }
  }

  /// `directory` is for the keepers' sockets and the apps' logs; `keeper` is the path of
  /// `milepost-keeper`; `purgesAfter` is for how long a keeper holds a frozen app whose daemon died,
  /// seconds. `sink` must not block.
  package init(
    directory: String, keeper: String, freezer: Freezer?, purgesAfter: Double,
    sink: @escaping @Sendable (SupervisorEvent) -> Void
  ) throws {
    fatalError("not yet")
  }

  /// What processes are frozen with.
  package var freezer: Freezer { .signals }

  /// Takes over the processes that an earlier daemon left, and answers their apps; the others' keepers
  /// are swept away.
  package func adopt() async -> [String] { [] }

  /// None of these waits: what became of it comes as an event.
  package func start(_ start: Start) {}
  package func freeze(_ app: String) {}
  package func thaw(_ app: String) {}
  /// SIGTERM, thawed first, and SIGKILL after `grace` seconds.
  package func end(_ app: String, grace: Double) {}
  /// SIGKILL, for a purge: nobody is told.
  package func kill(_ app: String) {}

  /// Lets go of all keepers; they hold their apps for the next daemon.
  package func release() async {}
}
