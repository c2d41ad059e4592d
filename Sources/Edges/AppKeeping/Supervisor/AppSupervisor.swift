// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Host
import JSONText
package import ServiceContract

/// Starts, freezes, wakes and ends real processes on command.
///
/// Each app has a keeper, a small process in a separate session, which holds it when this process is gone (for the
/// theory see AppKeeping/KeeperMachine.swift). All work is done on one serial queue, and none of it waits for an app;
/// orders and events keep their sequence. Bytes for a keeper fit into its socket's buffer; a keeper that does not empty
/// it counts as dead. The queue itself is unlimited: an order takes microseconds, a start the time of one posix_spawn,
/// and the caller waits for the events of an app before it sends many orders.
///
/// Dropping the last reference closes the connections, as the daemon's death would: apps are held.
package final class AppSupervisor: Sendable {
  /// The limit of `ProcessStart.input`, bytes.
  package static let inputLimit = 1 << 20

  /// What processes are frozen with.
  package let freezer: FreezeMeans
  private let supervision: Supervision

  /// `directory` is for the keepers' sockets and the apps' logs; `keeper` is the path of `milepost-keeper`;
  /// `purgesAfter` is the time for which a keeper holds a frozen app whose daemon died, seconds. `logLimit` is the size
  /// of a log file, bytes; an app has at most two. `sink` must not block. Throws `Complaint` if the directories
  /// cannot be made, the keeper is missing, or `freezer` does not work here; `nil` takes the first that does.
  package init(
    directory: String, keeper: String, freezer: FreezeMeans?, purgesAfter: Double,
    logLimit: Int = 1 << 20, sink: @escaping @Sendable (ProcessEvent) -> Void
  ) throws {
    self.freezer = try Self.usable(freezer)
    guard access(keeper, X_OK) == 0 else {
      throw Complaint("\(keeper): \(SystemError.text()); it must hold the apps")
    }
    for folder in [directory, "\(directory)/keepers", "\(directory)/logs"] {
      guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
        throw Complaint("\(folder): \(SystemError.text()); a folder is needed there")
      }
    }
    guard let whole = realpath(directory, nil) else {
      throw Complaint("\(directory): \(SystemError.text())")
    }
    defer { free(whole) }
    supervision = Supervision(
      directory: String(cString: whole), keeper: keeper, means: self.freezer,
      holdsFrozen: purgesAfter,
      logLimit: logLimit, sink: sink)
  }

  deinit {
    let supervision = supervision
    supervision.queue.async { supervision.letGo() }
  }

  private static func usable(_ freezer: FreezeMeans?) throws -> FreezeMeans {
    guard let freezer else { return .firstWritable }
    guard freezer == .signals || freezer.parentGroup != nil else {
      throw Complaint(
        "the freezer \(freezer.rawValue) is not writable here; a systemd unit has it with "
          + "Delegate=yes, and `signals` works everywhere")
    }
    return freezer
  }

  /// Takes over the processes of an earlier daemon, and returns their apps; unknown remains are swept away. An app that
  /// has ended meanwhile is an `.ended` event, with its outcome if its keeper lived to note it. Returns when all is
  /// settled; a keeper that is silent for 5 s counts as dead.
  package func adopt() async -> [String] {
    await withCheckedContinuation { continuation in
      supervision.queue.async { [supervision] in
        supervision.adopt { continuation.resume(returning: $0) }
      }
    }
  }

  /// None of these waits: the result comes as an event. Orders for an app without a process change nothing.
  package func start(_ start: ProcessStart) {
    supervision.queue.async { [supervision] in supervision.start(start) }
  }

  package func freeze(_ app: String) { order(.freeze, app) }
  package func thaw(_ app: String) { order(.thaw, app) }

  /// Thaws, sends SIGTERM, and SIGKILL after `grace` seconds.
  package func endApp(_ app: String, grace: Double) {
    order(.end(grace: grace.isFinite ? max(grace, 0) : 0), app)
  }

  /// Sends SIGKILL, for a purge: the app is not notified.
  package func kill(_ app: String) { order(.kill, app) }

  /// Deletes the keeper and files of an app whose outcome is stored elsewhere. Until then a later supervisor reports
  /// that end again.
  package func forget(app: String) {
    supervision.queue.async { [supervision] in supervision.forget(app: app) }
  }

  private func order(_ order: Order, _ app: String) {
    supervision.queue.async { [supervision] in supervision.send(order: order, to: app) }
  }

  /// Releases all keepers; they hold their apps for the next daemon.
  package func release() async {
    await withCheckedContinuation { continuation in
      supervision.queue.async { [supervision] in
        supervision.letGo()
        continuation.resume()
      }
    }
  }
}
