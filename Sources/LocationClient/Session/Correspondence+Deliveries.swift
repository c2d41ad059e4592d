// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Geodesy
import LocationModel

// What arrives, who gets it, and when it is acknowledged; the theory stands above `Correspondence`.

extension Correspondence {
  mutating func arrived(
    _ delivery: Delivery, received: UTCInstant, into actions: inout [Action]
  ) {
    if let accepted, delivery.sequence <= accepted {
      let known = memory.last { $0.sequence == delivery.sequence }
      if known?.isOne(with: delivery) ?? true {
        if delivery.sequence <= finished, isGreeted {
          actions.append(.send(.acknowledge(finished)))
        }
        return
      }
      startCountingAnew(at: delivery.sequence)
    }
    accepted = delivery.sequence
    memory.append(delivery)
    if memory.count > Self.memoryLimit { memory.removeFirst() }
    latest = (delivery.fix, received)
    let hasBeenAsked =
      delivery.service == .significant ? hasAskedSignificant : hasAskedStandard
    if hasBeenAsked {
      hand(delivery, received: received, into: &actions)
    } else {
      held.append((delivery, received))
      giveUpOldest(into: &actions)
    }
  }

  private mutating func startCountingAnew(at number: UInt64) {
    memory.removeAll()
    held.removeAll()
    finished = number - 1
    closed = number - 1
    for index in open.indices { open[index].number = nil }
  }

  private mutating func giveUpOldest(into actions: inout [Action]) {
    guard held.count > Self.heldLimit else { return }
    let oldest = held.removeFirst()
    close(oldest.delivery.sequence, into: &actions)
    tellAll(.lost(count: 1), into: &actions)
  }

  mutating func releaseHeld(into actions: inout [Action]) {
    guard !heldDeliveries.isEmpty else { return }
    let waiting = held
    held = waiting.filter {
      !($0.delivery.service == .significant ? hasAskedSignificant : hasAskedStandard)
    }
    for (delivery, received) in waiting {
      guard delivery.service == .significant ? hasAskedSignificant : hasAskedStandard
      else { continue }
      hand(delivery, received: received, into: &actions)
    }
  }

  private mutating func hand(
    _ delivery: Delivery, received: UTCInstant, into actions: inout [Action]
  ) {
    lastTicket += 1
    let ticket = lastTicket
    var count = 0
    for index in consumers.indices
    where consumers[index].takes(delivery, pastMerged: said.standard?.distanceFilter) {
      if consumers[index].isPaused && delivery.service != .significant {
        consumers[index].isPaused = false
        actions.append(.hand(.resumed, to: consumers[index].id))
      }
      count += 1
      actions.append(
        .hand(
          .location(delivery.fix, received: received, ticket: ticket), to: consumers[index].id))
    }
    if delivery.service == .significant, state == .background { owesDone = true }
    if delivery.service != .significant {
      for index in consumers.indices { consumers[index].wishes.once = false }
      said.once = false
    }
    guard count > 0 else {
      close(delivery.sequence, into: &actions)
      return sayDone(into: &actions)
    }
    open.append(Open(ticket: ticket, number: delivery.sequence, remaining: count))
  }

  /// The request of one position brought none: whoever waits for it hears so, and waits no longer.
  mutating func requestFailed(_ reason: String, into actions: inout [Action]) {
    tellAll(
      .failure(CLError(.locationUnknown, reason)), where: { $0.wishes.once }, into: &actions)
    for index in consumers.indices { consumers[index].wishes.once = false }
    said.once = false
    sayDone(into: &actions)
  }

  mutating func moved(into actions: inout [Action]) {
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

  /// A delivery needs nobody any more: acknowledges it where all before it are finished too.
  private mutating func close(_ number: UInt64, into actions: inout [Action]) {
    let waiting = open.compactMap(\.number) + heldDeliveries.map(\.sequence)
    closed = max(closed, number)
    let reached = waiting.min().map { min($0 - 1, closed) } ?? closed
    guard reached > finished else { return }
    finished = reached
    if isGreeted { actions.append(.send(.acknowledge(reached))) }
  }

  private mutating func sayDone(into actions: inout [Action]) {
    guard owesDone, open.isEmpty, isGreeted else { return }
    guard !consumers.contains(where: { $0.endsWorkItself || $0.wishes.keepsWorking }) else {
      return
    }
    owesDone = false
    actions.append(.send(.done))
  }
}

extension Wishes {
  fileprivate var keepsWorking: Bool { standard != nil || once }
}

extension Correspondence.Consumer {
  /// Whether a delivery is for this consumer; remembers it where the distance filter counts.
  fileprivate mutating func takes(_ delivery: Delivery, pastMerged merged: Double?) -> Bool {
    if delivery.service == .significant { return wishes.significant }
    guard let request = wishes.standard else { return wishes.once }
    if let filter = request.distanceFilter, filter > (merged ?? 0), !wishes.once, let last,
      last.coordinate.distance(to: delivery.fix.coordinate) < filter
    {
      return false
    }
    last = delivery.fix
    return true
  }
}

extension Delivery {
  /// Whether two deliveries of one number are the same one, sent again.
  fileprivate func isOne(with other: Delivery) -> Bool {
    // Text in between may cost the last digits; 1e-6° is a tenth of a metre.
    let a = fix.coordinate
    let b = other.fix.coordinate
    return service == other.service && fix.time == other.fix.time
      && (a.latitude - b.latitude).magnitude < 1e-6
      && (a.longitude - b.longitude).magnitude < 1e-6
  }
}
