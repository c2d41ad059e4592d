// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// The next step on a connection to a broker, as a plain value: it receives events and returns commands, and knows no
// socket and no clock. A thread performs them (MQTTClient).
//
//     ┌────────┐ batch            ┌────────────┐ CONNACK 0        ┌────────┐
//     │ idle   ├─────────────────▶│ connecting ├─────────────────▶│ open   │◀─┐ batch, PUBACK, SUBACK
//     └────────┘                  └─┬───────▲──┘                  └─┬───▲──┴─┘
//        ▲  ▲   trouble: answer     │       │ 5 not understood:     │   │ (held only) a batch is done
//        │  └───────────────────────┘       │ again with 3.1.1;     │   │
//        │                                  │ IPv6 in vain: IPv4    │   │
//        └──────────────────────────────────┼───────────────────────┘───┘
//              all acknowledged: disconnect and answer; or trouble: abandon and answer
//
// A *held* connection (`keep_connected`) goes from connecting and open to `waiting` in place of idle, and connects
// again after 30 s, 1, 2 … 30 minutes, or when a batch comes. It begins with the first batch: a trial before that
// which publishes nothing disconnects, and so leaves no last will.
//
// The rules:
// - **Ours is the only queue.** A message counts as delivered when its PUBACK and those of all before it have arrived.
//   Messages unacknowledged at the connection's end are forgotten here, and come again from the service with the next
//   batch; the discarded library handle never sends any itself (libmosquitto would, even after `MOSQ_ERR_NO_CONN`).
// - **MQTT 5 first.** A broker that knows only 3.1.1 ends the connection without a CONNACK, is silent (it takes our
//   properties for the length of a name, and waits for the rest), or sends 0x84, or 1: then 3.1.1. The version that
//   worked is tried first from then on, until it fails.
// - **IPv6, then IPv4**, if a name has both: the library takes the first address that does not refuse at once.
// - At most 16 messages are under way, and no more than the broker's Receive Maximum. A refusal in the middle ends the
//   batch; later messages under way may have been accepted and come again, under the same numbers.
// - **A message that kills.** 3.1.1 cannot express "I cannot use this": the broker ends the connection. That has many
//   reasons, so the first unacknowledged message is only a suspect; the next time it is sent alone. If the connection
//   ends again at that place, the message is bad.
// - A recalled batch ends with the acknowledgements of what is under way; the rest is not published.
// - Everything has a limit: 20 s until a CONNACK, 20 s without an acknowledgement, 120 s for a batch.

/// The state between a sink and its broker.
struct MQTTSession: Sendable, Equatable {
  /// The fixed settings of a sink's connection.
  struct Terms: Sendable, Equatable {
    /// Whether the connection stays open after a batch.
    var isHeld = false
    /// The topics to subscribe to; if `isHeld` is false, the broker keeps their messages between connections.
    var subscriptions: [String] = []
    /// The messages that are published on each connection before all else, without waiting for them.
    var greetings: [MQTTMessage] = []
    var patience = Patience()
  }

  /// Seconds [ours].
  struct Patience: Sendable, Equatable {
    /// From the first packet to the CONNACK.
    var connect = 20.0
    /// Without an acknowledgement.
    var acknowledge = 20.0
    /// For a batch.
    var batch = 120.0
  }

  enum State: Sendable, Equatable {
    case idle
    /// A held connection is lost, and tried again at `until`; `tries` were in vain.
    case waiting(until: Double, tries: Int)
    case connecting(Attempt)
    case open(Link)
  }

  struct Attempt: Sendable, Equatable {
    var version: MQTTVersion
    /// Whether only IPv4 is tried, since IPv6 failed.
    var isIPv4Only = false
    var since: Double
    /// Whether the other side has accepted the connection.
    var isReached = false
    /// The number of attempts of a held connection before this one.
    var tries = 0
  }

  struct Link: Sendable, Equatable {
    var version: MQTTVersion
    /// The limit of messages under way at once.
    var limit: Int
    /// The number of subscriptions without an answer.
    var unanswered: Int
    /// The broker's reason for refusing one of them.
    var refusal: MQTTReason?
  }

  /// A batch that is under way.
  struct Work: Sendable, Equatable {
    var messages: [MQTTMessage]
    /// The next message to publish.
    var next = 0
    /// The number of acknowledged messages from the first one on.
    var confirmed = 0
    /// Acknowledged messages after those.
    var early: Set<Int> = []
    var since: Double
    var progress: Double
    /// The first topic that the broker reported to have no subscribers; `nil` if there is none.
    var unheard: String?
    /// Whether the connection was made for a trial: it ends with that, although others are held.
    var isTrial = false
    /// Whether the messages that had not been published were recalled, and are not among `messages` any more.
    var isRecalled = false

    /// The last delivery that the first `count` messages convey completely, with all before it; `nil` if there is none.
    static func passed(_ count: Int, of messages: [MQTTMessage]) -> UInt64? {
      let open = messages.dropFirst(count).lazy.compactMap(\.origin?.number).first
      return messages.prefix(count).last { $0.origin != nil && $0.origin?.number != open }?.origin?
        .number
    }

    var inFlight: Int { next - confirmed - early.count }
    var isDone: Bool { confirmed == messages.count }
  }

  /// An event.
  enum Input: Sendable, Equatable {
    /// A batch to publish; without messages it is a trial. Only if none is under way.
    case batch([MQTTMessage])
    /// The other side has accepted the connection, and has sent nothing yet.
    case reached
    case connected(MQTTWelcome)
    /// A CONNACK with a refusal.
    case notLetIn(MQTTReason)
    case subscribed(MQTTReason)
    /// The message at this position of the batch.
    case acknowledged(Int, MQTTReason)
    /// The library rejects the message at this position, with the reason.
    case unsendable(Int, String)
    /// No connection was made, or it cannot be secured. `isIPv6`: an address of version 6 was tried.
    case failed(MQTTTrouble, isIPv6: Bool)
    /// The connection ended; the broker may have given a reason.
    case closed(MQTTReason?)
    /// More messages for the batch, or for a new one if none is under way: answers to a command.
    case reply([MQTTMessage])
    /// Nothing more of the batch under way may be published.
    case recall
    case timePassed
    /// The connection is not wanted any more.
    case leave
  }

  /// An action.
  enum Command: Sendable, Equatable {
    case connect(MQTTVersion, isIPv4Only: Bool)
    case subscribe(String)
    case greet(MQTTMessage)
    /// Publish the message at this position of the batch.
    case publish(Int)
    /// Disconnect, close, and discard the handle; `willStands`: with the last will published.
    case disconnect(willStands: Bool)
    /// Close without DISCONNECT, and discard the handle.
    case abandon
    /// Return the outcome to the caller of the batch, with the number of delivered messages from the first one on.
    case answer(Answer)
  }

  enum Answer: Sendable, Equatable {
    /// `unheard`: a topic to which nobody listens; `refusal`: of a subscription.
    case done(MQTTVersion, unheard: String?, refusal: MQTTReason? = nil)
    case failed(MQTTTrouble, confirmed: Int)
  }

  static let inFlightLimit = 16

  let terms: Terms
  private(set) var state = State.idle
  private(set) var work: Work?
  /// The version of the next attempt.
  private(set) var version = MQTTVersion.five
  /// The message at which the connection last ended without a reason.
  private(set) var suspect: MQTTMessage.Origin?
  /// Whether the broker has granted all subscriptions since this sink began: then a session that it kept has them.
  private(set) var hasSubscribed = false

  init(_ terms: Terms) { self.terms = terms }

  /// Whether a recall would keep messages of the batch under way from being published.
  var canRecall: Bool { work.map { !$0.isRecalled && !$0.isDone } ?? false }

  /// Whether a batch may come.
  var isFree: Bool { work == nil }

  /// The time of `timePassed`, unless another event comes before.
  var deadline: Double? {
    switch state {
    case .idle: nil
    case .waiting(let until, _): until
    case .connecting(let attempt): attempt.since + terms.patience.connect
    case .open:
      work.map { min($0.progress + terms.patience.acknowledge, $0.since + terms.patience.batch) }
    }
  }

  mutating func handle(_ input: Input, at now: Double) -> [Command] {
    switch input {
    case .batch(let messages):
      work = Work(messages: messages, since: now, progress: now)
      work?.isTrial = messages.isEmpty && state == .idle
      return begin(at: now)
    case .reached:
      if case .connecting(var attempt) = state {
        attempt.isReached = true
        state = .connecting(attempt)
      }
      return []
    case .connected(let welcome): return connected(welcome, at: now)
    case .notLetIn(let reason):
      if reason == .versionUnsupported, let again = again(at: now) { return again }
      return fail(.notLetIn(reason), at: now)
    case .subscribed(let reason): return answered(reason, at: now)
    case .acknowledged(let index, let reason): return acknowledged(index, reason, at: now)
    case .unsendable(let index, let words): return fail(.unsendable(index, words), at: now)
    case .failed(let trouble, let isIPv6): return failed(trouble, isIPv6: isIPv6, at: now)
    case .closed(let reason): return closed(reason, at: now)
    case .reply(let messages):
      if let work {
        guard !work.isRecalled else { return [] }
        self.work?.messages += messages
        return publishMore(at: now)
      }
      guard case .open = state else { return [] }
      work = Work(messages: messages, since: now, progress: now)
      return publishMore(at: now)
    case .recall:
      guard let work, canRecall else { return [] }
      self.work?.messages.removeLast(work.messages.count - work.next)
      self.work?.isRecalled = true
      return publishMore(at: now)
    case .timePassed: return timePassed(at: now)
    case .leave: return leave()
    }
  }

  // MARK: Connecting

  private mutating func begin(at now: Double) -> [Command] {
    switch state {
    case .idle: return connect(tries: 0, at: now)
    case .waiting(_, let tries): return connect(tries: tries, at: now)
    case .connecting: return []
    case .open: return publishMore(at: now)
    }
  }

  private mutating func connect(tries: Int, at now: Double) -> [Command] {
    state = .connecting(Attempt(version: version, since: now, tries: tries))
    return [.connect(version, isIPv4Only: false)]
  }

  /// Retries with 3.1.1 after an attempt with 5; `nil` if the attempt was not with 5.
  private mutating func again(at now: Double) -> [Command]? {
    guard case .connecting(var attempt) = state, attempt.version == .five else { return nil }
    attempt.version = .three
    attempt.since = now
    attempt.isReached = false
    state = .connecting(attempt)
    return [.abandon, .connect(.three, isIPv4Only: attempt.isIPv4Only)]
  }

  private mutating func connected(_ welcome: MQTTWelcome, at now: Double) -> [Command] {
    guard case .connecting(let attempt) = state else { return [] }
    version = attempt.version
    let isKnown = welcome.hasSession && hasSubscribed
    let wanted = isKnown ? [] : terms.subscriptions
    hasSubscribed = isKnown
    state = .open(
      Link(
        version: attempt.version, limit: min(Self.inFlightLimit, max(1, welcome.receiveMaximum)),
        unanswered: wanted.count))
    work?.progress = now
    return terms.greetings.map { .greet($0) } + wanted.map { .subscribe($0) } + publishMore(at: now)
  }

  private mutating func failed(
    _ trouble: MQTTTrouble, isIPv6: Bool, at now: Double
  ) -> [Command] {
    guard case .connecting(var attempt) = state else { return closed(nil, at: now) }
    guard isIPv6, !attempt.isIPv4Only, case .unreachable = trouble else {
      return fail(trouble, at: now)
    }
    attempt.isIPv4Only = true
    attempt.since = now
    state = .connecting(attempt)
    return [.abandon, .connect(attempt.version, isIPv4Only: true)]
  }

  // MARK: Publishing

  private mutating func publishMore(at now: Double) -> [Command] {
    guard case .open(let link) = state, var work else { return [] }
    if work.isDone, link.unanswered == 0 {
      self.work = nil
      let answer = Command.answer(
        work.isRecalled
          ? .failed(.recalled, confirmed: work.confirmed)
          : .done(link.version, unheard: work.unheard, refusal: link.refusal))
      guard !terms.isHeld || work.isTrial else { return [answer] }
      state = .idle
      return [.disconnect(willStands: false), answer]
    }
    let isSuspect =
      suspect != nil && work.confirmed < work.messages.count
      && work.messages[work.confirmed].origin == suspect
    let limit = isSuspect ? 1 : link.limit
    var commands: [Command] = []
    while work.next < work.messages.count, work.inFlight < limit {
      commands.append(.publish(work.next))
      work.next += 1
    }
    self.work = work
    return commands
  }

  private mutating func acknowledged(
    _ index: Int, _ reason: MQTTReason, at now: Double
  ) -> [Command] {
    guard case .open = state, var work, index < work.next, index >= work.confirmed else {
      return []
    }
    guard reason.isConsent else { return fail(.refused(index, reason), at: now) }
    work.progress = now
    if reason == .nobodyListens { work.unheard = work.unheard ?? work.messages[index].topic }
    work.early.insert(index)
    while work.early.remove(work.confirmed) != nil {
      // A message that got through alone is not the one that kills.
      if work.messages[work.confirmed].origin == suspect { suspect = nil }
      work.confirmed += 1
    }
    self.work = work
    return publishMore(at: now)
  }

  /// Notes the answer to a subscription; a refusal is no reason to keep positions back.
  private mutating func answered(_ reason: MQTTReason, at now: Double) -> [Command] {
    guard case .open(var link) = state, link.unanswered > 0 else { return [] }
    link.unanswered -= 1
    if !reason.isConsent { link.refusal = reason }
    hasSubscribed = link.unanswered == 0 && link.refusal == nil
    state = .open(link)
    work?.progress = now
    return publishMore(at: now)
  }

  // MARK: Endings

  private mutating func closed(_ reason: MQTTReason?, at now: Double) -> [Command] {
    switch state {
    case .idle, .waiting: return []
    case .connecting(let attempt):
      if let again = again(at: now) { return again }
      // The broker may support 5 by now.
      if attempt.version == .three { version = .five }
      return fail(reason.map { .notLetIn($0) } ?? .unwelcome, at: now)
    case .open:
      guard reason == nil, let work, work.inFlight > 0,
        let origin = work.messages[work.confirmed].origin
      else { return fail(.ended(reason), at: now) }
      if suspect == origin, work.inFlight == 1 {
        suspect = nil
        return fail(.choked(work.confirmed), at: now)
      }
      suspect = origin
      return fail(.ended(nil), at: now)
    }
  }

  private mutating func timePassed(at now: Double) -> [Command] {
    guard let deadline, now >= deadline else { return [] }
    switch state {
    case .idle: return []
    case .waiting(_, let tries): return connect(tries: tries, at: now)
    case .connecting(let attempt):
      if attempt.isReached, let again = again(at: now) { return again }
      if attempt.version == .three { version = .five }
      return fail(.mute(terms.patience.connect), at: now)
    case .open:
      let isSlow = work.map { now >= $0.since + terms.patience.batch } ?? false
      return fail(
        isSlow ? .slow(terms.patience.batch) : .unacknowledged(terms.patience.acknowledge), at: now)
    }
  }

  /// Ends the connection and the batch.
  private mutating func fail(_ trouble: MQTTTrouble, at now: Double) -> [Command] {
    let tries: Int
    switch state {
    case .idle: tries = 0
    case .waiting(_, let before): tries = before
    case .connecting(let attempt): tries = attempt.tries
    case .open: tries = 0
    }
    let isHeld = terms.isHeld && work?.isTrial != true
    let again = now + Self.pauses.wait(after: tries + 1)
    state = isHeld ? .waiting(until: again, tries: tries + 1) : .idle
    let answer = work.map { Command.answer(.failed(trouble, confirmed: $0.confirmed)) }
    work = nil
    return [.abandon] + (answer.map { [$0] } ?? [])
  }

  private mutating func leave() -> [Command] {
    let isOpen = if case .open = state { true } else { false }
    state = .idle
    let answer = work.map { Command.answer(.failed(.ended(nil), confirmed: $0.confirmed)) }
    work = nil
    return [isOpen ? .disconnect(willStands: true) : .abandon] + (answer.map { [$0] } ?? [])
  }

  /// The pauses before a held connection is tried again, seconds [ours].
  static let pauses = Backoff(first: 30, longest: 1_800)
}
