// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Synchronization

// Theory
// ======
//
// The ticket of the last update handed out is finished when the next one is requested, or when the iteration ends; then
// the tickets of the waiting ones are given back too. The session allows at most 256 open tickets, so the line is
// bounded; of elements without a ticket the newest 16 are kept.

/// One iteration over live updates.
final class UpdateStream: Sendable {
  private let session: LocationSession
  private let inbox: Inbox
  private let id: Int
  /// The ticket of the update that was handed out last.
  private let out = Mutex<UInt64?>(nil)
  private let hasLeft = Atomic(false)

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
      finishLast()
      let notice = await withTaskCancellationHandler {
        await inbox.line.next()
      } onCancel: {
        end()
      }
      guard let notice else { return nil }
      out.withLock { $0 = notice.ticket }
      if let update = CLLocationUpdate(notice, session: session) { return update }
    }
  }

  private func finishLast() {
    let ticket = out.withLock { ticket in
      defer { ticket = nil }
      return ticket
    }
    if let ticket { session.finished(ticket) }
  }

  private func end() {
    finishLast()
    guard !hasLeft.exchange(true, ordering: .relaxed) else { return }
    session.leave(id, tickets: inbox.line.drop().compactMap(\.ticket))
  }
}

/// The place where a session leaves the notices for one iteration.
private final class Inbox: LocationSession.Consumer {
  private static let limit = 16

  let line: EventLine<Notice>
  private let session: LocationSession

  init(_ session: LocationSession) {
    self.session = session
    line = EventLine(session) { waiting in
      let others = waiting.indices.filter { waiting[$0].ticket == nil }
      return others.count > Self.limit ? others[0] : nil
    }
  }

  func receive(_ notice: Notice) {
    if !line.put(notice), let ticket = notice.ticket { session.finished(ticket) }
  }

  func sessionClosed() { _ = line.drop() }
}
