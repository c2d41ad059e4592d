// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationModel
import Logging
import ServiceContract
import ServiceCore
import StateStore

// Theory
// ======
//
//               opened                                     cannot be opened, but read
//   (start) ─────────────► open          (start) ─────────────────────────────────────► closed
//                           ▲                                                              │
//                           └──── a commit, at most every 10 s, finds that it can be ──────┘
//
// A database in a read-only directory is read from a copy, so that apps and their waiting deliveries are known; the
// service keeps later decisions until it can be written.

/// The service's database, as far as it is usable.
final class ServiceStore {
  let path: String
  /// The state that an earlier service left, and whether it could be read.
  private(set) var found = StoredState()
  private(set) var isRead = true
  /// The reason why nothing can be written.
  private(set) var trouble: String?
  /// The faults of the database that was found.
  private(set) var warnings: [String] = []
  private var store: StateStore?
  private let log: Logger
  /// The last reported reason why the files may still hold deleted data.
  private var remains: String?
  private var triedAt: Int64 = .min
  /// The machine's clock: a disk is not faster in a time lapse.
  private let clock = HostClock()

  /// Microseconds between two attempts to open it.
  private static let pause: Int64 = 10_000_000

  /// `copies` is a directory for a copy of a database that cannot be opened. Throws if another service uses the
  /// database: each would undo the other's changes.
  init(path: String, copies: String, log: Logger) throws {
    self.path = path
    self.log = log
    do {
      let store = try StateStore(path: path)
      // Reading may add to the warnings of opening, even if it fails.
      defer {
        warnings = store.warnings
        for line in warnings { log.error("\(line)") }
      }
      self.store = store
      found = try store.load()
    } catch let error as StoreError where error.kind == .inUse {
      throw error
    } catch {
      store = nil
      trouble = "\(error)"
      triedAt = clock.bootClock
      log.error("nothing will be kept over a restart: \(error)")
      do {
        found = try StateStore.read(path: path, copyingTo: copies)
      } catch {
        isRead = false
        log.error("what is stored cannot be read either: \(error)")
      }
    }
  }

  /// Writes one change, whole or not at all.
  func commit(_ change: StoreChange) -> LocationService.CommitOutcome {
    let begun = clock.bootClock
    do {
      guard let store = try usable() else { return .failed(trouble ?? "it is closed") }
      let remains = try store.commit(change)
      if let remains, remains != self.remains { log.error("\(remains)") }
      self.remains = remains
      trouble = nil
      return .written(seconds: Double(clock.bootClock - begun) / 1e6)
    } catch {
      trouble = "\(error)"
      return .failed("\(error)")
    }
  }

  /// Writes the last change, if any; the database is complete afterwards.
  func finish(change: StoreChange?) {
    if let change { _ = commit(change) }
    // If it cannot be written, the next service finds it beside the database.
    try? store?.settleRecent()
  }

  private func usable() throws -> StateStore? {
    if let store { return store }
    guard isRead, clock.bootClock - triedAt >= Self.pause else { return nil }
    triedAt = clock.bootClock
    store = try StateStore(path: path)
    return store
  }

  /// The newest rows of a log as an answer; `unwritten` are newer ones.
  func log(
    of app: AppID?, name: String, count: Int, unwritten: [LogRow]
  ) -> ServerMessage {
    do {
      let rows = try (store?.log(of: app, count: count) ?? []) + unwritten
      return LogDocument(
        app: name,
        entries: rows.suffix(count).map { .init(at: $0.at, kind: $0.kind, text: $0.text) }
      ).message
    } catch {
      return .error(code: .storage, "the log cannot be read: \(error)")
    }
  }

  /// A part of the history as an answer; `unwritten` are its newest entries.
  func history(_ range: HistoryRange, unwritten: [HistoryDocument.Entry]) -> ServerMessage {
    do {
      return range.document(of: try (store?.history(in: range) ?? []) + unwritten).message
    } catch {
      return .error(code: .storage, "the history cannot be read: \(error)")
    }
  }
}
