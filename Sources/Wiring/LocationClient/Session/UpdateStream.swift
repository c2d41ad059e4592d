// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Synchronization

// Theory
// ======
//
//   idle ──next, nothing there──► waiting ──update──► idle       (the update is handed over at once)
//   idle ──update──► idle                                        (the update waits in the buffer)
//   any ──cancelled, closed, forgotten──► over                   (all tickets are given back)
//
// The ticket of the last update handed out is finished when the next one is requested. The session allows at most 256
// open tickets, so the buffer is bounded; of elements without a ticket the newest 16 are kept.

/// One iteration over live updates.
final class UpdateStream: Sendable {
  private let session: LocationSession
  private let inbox: Inbox
  private let id: Int

  init(_ session: LocationSession, _ request: StandardRequest) {
    self.session = session
    inbox = Inbox(session)
    id = session.join(inbox)
    session.change(id) {
      $0.standard = request
      $0.resumes = true
    }
  }

  deinit { end() }

  /// The next update; `nil` after the end.
  func next() async -> CLLocationUpdate? {
    while true {
      if let ticket = inbox.takeOut() { session.finished(ticket) }
      let notice = await withTaskCancellationHandler {
        await withCheckedContinuation { inbox.wait($0) }
      } onCancel: {
        end()
      }
      guard let notice else { return nil }
      if let update = CLLocationUpdate(notice, session: session) { return update }
    }
  }

  private func end() {
    if let tickets = inbox.end() { session.leave(id, tickets: tickets) }
  }
}

/// The place where a session leaves the notices for one iteration.
private final class Inbox: LocationSession.Consumer {
  private struct State: Sendable {
    var buffer: [Notice] = []
    var out: UInt64?
    var waiting: CheckedContinuation<Notice?, Never>?
    var isOver = false
  }

  private static let limit = 16
  private let session: LocationSession
  private let state = Mutex(State())

  init(_ session: LocationSession) { self.session = session }

  func take(_ notice: Notice) {
    let (waiting, refused) = state.withLock { state in
      if state.isOver { return (CheckedContinuation<Notice?, Never>?.none, notice.ticket) }
      if let waiting = state.waiting {
        state.waiting = nil
        state.out = notice.ticket
        return (waiting, nil)
      }
      state.buffer.append(notice)
      let others = state.buffer.indices.filter { state.buffer[$0].ticket == nil }
      if others.count > Self.limit { state.buffer.remove(at: others[0]) }
      return (nil, nil)
    }
    if let refused { session.finished(refused) }
    if let waiting {
      session.waits(-1)
      waiting.resume(returning: notice)
    }
  }

  func sessionClosed() { _ = end() }

  /// The ticket of the update that was handed out last.
  func takeOut() -> UInt64? {
    state.withLock { state in
      defer { state.out = nil }
      return state.out
    }
  }

  func wait(_ continuation: CheckedContinuation<Notice?, Never>) {
    let (isNow, notice) = state.withLock { state -> (Bool, Notice?) in
      if state.isOver { return (true, nil) }
      if !state.buffer.isEmpty {
        let notice = state.buffer.removeFirst()
        state.out = notice.ticket
        return (true, notice)
      }
      state.waiting = continuation
      session.waits(1)
      return (false, nil)
    }
    if isNow { continuation.resume(returning: notice) }
  }

  /// Ends it; returns the unfinished tickets, `nil` if it had ended before.
  func end() -> [UInt64]? {
    let (waiting, tickets) = state.withLock {
      state -> (CheckedContinuation<Notice?, Never>?, [UInt64]?) in
      guard !state.isOver else { return (nil, nil) }
      state.isOver = true
      defer {
        state.waiting = nil
        state.buffer = []
        state.out = nil
      }
      return (state.waiting, [state.out].compactMap { $0 } + state.buffer.compactMap(\.ticket))
    }
    if let waiting {
      session.waits(-1)
      waiting.resume(returning: nil)
    }
    return tickets
  }
}
