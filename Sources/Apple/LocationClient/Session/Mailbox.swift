// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import LocationModel

// Theory
// ======
//
// A manager's notices wait here in order until its queue has time. Consecutive positions are handed over in one call,
// which is the purpose of the array of `didUpdateLocations`. A session allows at most 256 unfinished deliveries; beyond
// 512 notices the oldest that is no delivery is dropped, since a newer one supersedes it.

/// Brings a session's notices to one manager's delegate.
final class Mailbox: LocationSession.Consumer, @unchecked Sendable {
  let session: LocationSession
  // `lock` guards everything below it.
  private let lock = NSLock()
  private var number = 0
  private weak var owner: CLLocationManager?
  private var notices: [Notice] = []
  private var isScheduled = false
  private var isClosed = false
  private var queue: DispatchQueue
  private var underWay = UnderWay()

  /// The state of a manager that begins anew with each process.
  struct UnderWay {
    var isUpdating = false
    var updatesHeading = false
    /// The last heading that the delegate received.
    var heading: CLHeading?
    var location: CLLocation?
    var authorization: Authorization?
    /// The news for which the delegate has no method.
    var silence = DelegateSilence()
  }

  static let limit = 512

  init(_ session: LocationSession, queue: DispatchQueue) {
    self.session = session
    self.queue = queue
  }

  /// Takes its place in the session; its notices go to `manager`.
  func join(as manager: CLLocationManager) {
    lock.withLock { owner = manager }
    let number = session.join(self)
    lock.withLock { self.number = number }
  }

  /// The number by which the session knows it.
  var id: Int { lock.withLock { number } }

  func with<Value>(_ body: (inout UnderWay) -> Value) -> Value {
    lock.withLock { body(&underWay) }
  }

  var target: DispatchQueue {
    get { lock.withLock { queue } }
    set { lock.withLock { queue = newValue } }
  }

  /// Removes the notices that will never be read; returns their tickets.
  func abandon() -> [UInt64] {
    lock.withLock {
      isClosed = true
      defer { notices.removeAll() }
      return notices.compactMap(\.ticket)
    }
  }

  func sessionClosed() { _ = abandon() }

  func receive(_ notice: Notice) {
    lock.lock()
    guard !isClosed else {
      lock.unlock()
      if let ticket = notice.ticket { session.finished(ticket) }
      return
    }
    if notices.count >= Self.limit, notice.ticket == nil,
      let old = notices.firstIndex(where: { $0.ticket == nil })
    {
      notices.remove(at: old)
    }
    notices.append(notice)
    guard !isScheduled else { return lock.unlock() }
    isScheduled = true
    let queue = queue
    lock.unlock()
    session.post(on: queue) { self.drain() }
  }

  private func drain() {
    while true {
      lock.lock()
      guard !notices.isEmpty, let owner else {
        isScheduled = false
        let tickets = notices.compactMap(\.ticket)
        notices.removeAll()
        lock.unlock()
        for ticket in tickets { session.finished(ticket) }
        return
      }
      let count = max(1, notices.prefix { $0.isLocation }.count)
      let batch = Array(notices.prefix(count))
      notices.removeFirst(count)
      lock.unlock()
      owner.tellDelegate(batch)
      for ticket in batch.compactMap(\.ticket) { session.finished(ticket) }
    }
  }
}

extension Notice {
  var isLocation: Bool {
    switch self {
    case .location, .locations: true
    case .motion, .heading, .deferralEnded, .authorization, .accuracy, .failure, .state,
      .willTerminate, .paused, .resumed, .lost, .region, .visit, .background:
      false
    }
  }
}
