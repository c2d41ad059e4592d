// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Geodesy
import LocationModel

// Arrivals, their consumers and their acknowledgement; the theory is above `Correspondence`.

extension Correspondence {
  /// A numbered message that the daemon handed over.
  struct Arrival: Sendable, Equatable {
    enum News: Sendable, Equatable {
      case location(Delivery)
      case region(RegionNotice)
      case visit(Visit)
    }

    let number: UInt64
    let news: News
    let received: UTCInstant
  }

  /// A delivery that consumers are working on.
  struct Open: Sendable, Equatable {
    let ticket: UInt64
    /// The number; `nil` for a motion, which is not numbered, and for numbers of an earlier count.
    var number: UInt64?
    var remaining: Int
  }

  mutating func arrived(_ arrival: Arrival, into actions: inout [Action]) {
    // Numbers begin with 1.
    guard arrival.number > 0 else { return }
    if let accepted, arrival.number <= accepted {
      if memory.contains(where: { $0.isOne(with: arrival) }) {
        if arrival.number <= finished, isGreeted {
          actions.append(.send(.acknowledge(finished)))
        }
        return
      }
      startCountingAnew(at: arrival.number)
    }
    accepted = arrival.number
    memory.append(arrival)
    if memory.count > Self.memoryLimit { memory.removeFirst() }
    if case .location(let delivery) = arrival.news { latest = (delivery.fix, arrival.received) }
    if isAskedFor(arrival.news) || isAnswer(arrival.news) {
      hand(arrival, into: &actions)
    } else {
      held.append(arrival)
      giveUpOldest(into: &actions)
    }
  }

  /// Whether a consumer here has asked for such news, now or before.
  private func isAskedFor(_ news: Arrival.News) -> Bool {
    switch news {
    case .location(let delivery):
      delivery.service == .significant ? hasAskedSignificant : hasAskedStandard
    case .region(let notice): consumers.contains { $0.places.hears(notice.identifier) }
    case .visit: consumers.contains { $0.places == .app }
    }
  }

  /// Whether this may be a position for a single request of this process.
  private func isAnswer(_ news: Arrival.News) -> Bool {
    guard case .location(let delivery) = news else { return false }
    return hasAskedOnce && delivery.isNew
  }

  private mutating func startCountingAnew(at number: UInt64) {
    memory.removeAll()
    held.removeAll()
    finished = number - 1
    closed = number - 1
    for index in open.indices { open[index].number = nil }
  }

  private mutating func giveUpOldest(into actions: inout [Action]) {
    guard let oldest = held.first, !isAskedFor(oldest.news),
      held.count > Self.heldLimit || heldBack(by: oldest.number) >= Self.behindLimit
    else { return }
    held.removeFirst()
    close(oldest.number, into: &actions)
    tellAll(.lost(count: 1), into: &actions)
  }

  /// The number of finished deliveries that cannot be acknowledged because of this held one; 0 if consumers work on an
  /// older one.
  private func heldBack(by number: UInt64) -> Int {
    let worked = open.compactMap(\.number)
    guard worked.allSatisfy({ $0 > number }) else { return 0 }
    let behind = memory.count { $0.number > number }
    return behind - worked.count - held.count { $0.number > number }
  }

  mutating func releaseHeld(into actions: inout [Action]) {
    // Each is held until it is handed over: a later number that is finished must not acknowledge it.
    for arrival in held where isAskedFor(arrival.news) {
      held.removeAll { $0.number == arrival.number }
      hand(arrival, isHeld: true, into: &actions)
    }
  }

  /// `isHeld`: it came before a consumer asked for it, so it answers no single request.
  private mutating func hand(
    _ arrival: Arrival, isHeld: Bool = false, into actions: inout [Action]
  ) {
    lastTicket += 1
    let count =
      switch arrival.news {
      case .location(let delivery):
        hand(
          delivery, received: arrival.received, answers: !isHeld && delivery.isNew, into: &actions)
      case .region(let notice): hand(notice, ticket: lastTicket, into: &actions)
      case .visit(let visit):
        tellAll(
          .visit(visit, ticket: lastTicket), where: { $0.places == .app }, into: &actions)
      }
    if case .location = arrival.news {
    } else if count > 0, state == .background {
      owesDone = true
    }
    guard count > 0 else {
      close(arrival.number, into: &actions)
      return sayDone(into: &actions)
    }
    open.append(Open(ticket: lastTicket, number: arrival.number, remaining: count))
  }

  /// Returns the number of consumers that received it. `answers`: it ends single requests.
  private mutating func hand(
    _ delivery: Delivery, received: UTCInstant, answers: Bool, into actions: inout [Action]
  ) -> Int {
    var count = 0
    let merged = said.standard?.distanceFilter
    for index in consumers.indices
    where consumers[index].takes(delivery, answers: answers, pastMerged: merged) {
      if consumers[index].isPaused && delivery.service != .significant {
        consumers[index].isPaused = false
        actions.append(.hand(.resumed, to: consumers[index].id))
      }
      count += 1
      actions.append(
        .hand(
          .location(delivery.fix, received: received, ticket: lastTicket),
          to: consumers[index].id))
    }
    if delivery.service == .significant, state == .background { owesDone = true }
    if answers {
      for index in consumers.indices { consumers[index].wishes.once = false }
      said.once = false
    }
    return count
  }

  /// Returns the number of consumers that are told.
  @discardableResult
  func tellAll(
    _ notice: Notice, where condition: (Consumer) -> Bool = { _ in true },
    into actions: inout [Action]
  ) -> Int {
    let told = consumers.filter(condition)
    for consumer in told { actions.append(.hand(notice, to: consumer.id)) }
    return told.count
  }

  /// Reports to the waiting consumers that the request of one position failed, and ends their wait.
  mutating func requestFailed(_ reason: String, into actions: inout [Action]) {
    tellAll(
      .failure(CLError(.locationUnknown, reason)), where: { $0.wishes.once }, into: &actions)
    for index in consumers.indices { consumers[index].wishes.once = false }
    said.once = false
    sayDone(into: &actions)
  }

  /// Requests the standard service again for the consumers that only this value resumes.
  mutating func endPauses() {
    guard consumers.contains(where: \.awaitsMotion) else { return }
    said.standard = nil
    for index in consumers.indices where consumers[index].awaitsMotion {
      consumers[index].isPaused = false
    }
  }

  mutating func moved(into actions: inout [Action]) {
    endPauses()
    sayWishes(into: &actions)
    let count = consumers.count { $0.wishes.motion }
    guard count > 0 else { return }
    lastTicket += 1
    if state == .background { owesDone = true }
    tellAll(.motion(ticket: lastTicket), where: { $0.wishes.motion }, into: &actions)
    open.append(Open(ticket: lastTicket, number: nil, remaining: count))
  }

  mutating func finish(_ ticket: UInt64, into actions: inout [Action]) {
    guard let index = open.firstIndex(where: { $0.ticket == ticket }) else { return }
    open[index].remaining -= 1
    guard open[index].remaining == 0 else { return }
    let number = open.remove(at: index).number
    if let number { close(number, into: &actions) }
    sayDone(into: &actions)
  }

  /// Closes a delivery that no consumer needs any more: acknowledges it if all before it are finished too.
  private mutating func close(_ number: UInt64, into actions: inout [Action]) {
    let waiting = open.compactMap(\.number) + held.map(\.number)
    closed = max(closed, number)
    let reached = waiting.min().map { min($0 - 1, closed) } ?? closed
    if reached > finished {
      finished = reached
      if isGreeted { actions.append(.send(.acknowledge(reached))) }
    }
    giveUpOldest(into: &actions)
  }

  /// Whether all managers leave the end of the work to this value. Without a manager there is nobody who asks for an
  /// end before the budget's, if there is anybody but the object that stands for the app.
  private var endsWorkForManagers: Bool {
    let managers = consumers.compactMap(\.endsWorkItself)
    guard managers.isEmpty else { return !managers.contains(true) }
    return consumers.allSatisfy { $0.id == background.listener }
  }

  private mutating func sayDone(into actions: inout [Action]) {
    guard owesDone, open.isEmpty, isGreeted else { return }
    guard endsWorkForManagers, !consumers.contains(where: \.wishes.keepsWorking) else { return }
    owesDone = false
    actions.append(.send(.done))
  }
}

extension Wishes {
  fileprivate var keepsWorking: Bool { standard != nil || once }
}

extension Correspondence.Consumer {
  /// Whether this consumer takes a delivery; remembers it for the distance filter.
  fileprivate mutating func takes(
    _ delivery: Delivery, answers: Bool, pastMerged merged: Double?
  ) -> Bool {
    if delivery.service == .significant { return wishes.significant }
    let isAnswered = wishes.once && answers
    guard let request = wishes.standard else { return isAnswered }
    if let filter = request.distanceFilter, filter > (merged ?? 0), !isAnswered, let last,
      last.coordinate.distance(to: delivery.fix.coordinate) < filter
    {
      return false
    }
    last = delivery.fix
    return true
  }
}

extension Correspondence.Arrival {
  /// Whether this is the other arrival, sent again.
  fileprivate func isOne(with other: Self) -> Bool {
    guard number == other.number else { return false }
    return switch (news, other.news) {
    case (.location(let a), .location(let b)): a.isOne(with: b)
    case (.region(let a), .region(let b)):
      (a.identifier, a.event, a.moment) == (b.identifier, b.event, b.moment)
    default: news == other.news
    }
  }
}

extension Delivery {
  /// Whether it may answer a single request: a position of now.
  fileprivate var isNew: Bool { service != .significant && !isCached }

  /// Whether two deliveries of one number are the same one, sent again.
  fileprivate func isOne(with other: Delivery) -> Bool {
    // The text form may lose the last digits; 1e-6° is a tenth of a metre.
    let a = fix.coordinate
    let b = other.fix.coordinate
    return service == other.service && fix.time == other.fix.time
      && (a.latitude - b.latitude).magnitude < 1e-6
      && (a.longitude - b.longitude).magnitude < 1e-6
  }
}
