// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract

// Theory
// ======
//
// The state machine of a GeoClue service on a message bus, as a value: inputs come from the bus and the service, a
// connection performs the actions.
//
//             begin              greeted; the name is asked for         the bus gives it
//   resting ────────► opening ──────────────────────────────► waiting ─────────────────► serving
//                       │  ▲                                     │                          │
//                       │  └── pause over ── paused              │                          │
//                       │                       ▲                │                          │
//                       └───────────────────────┴── no bus, or it ended the connection ─────┘
//
// - While another program has the name (GeoClue itself, which ends 60 s after its last client), we are in the bus'
//   queue for it and are notified when it is ours; nothing is polled.
// - A bus that denies this user the name is reported once. It is not asked again: root must act, and nothing may wake
//   an idle daemon meanwhile.
// - A pause is 10 s at first and doubles to 10 min: the system bus disappears when the system stops.
// - The bus is asked for a caller's user, once for each connection; its calls wait meanwhile. A connection's end is
//   heard by a subscription only for it, made before the question: a connection that is gone by then has no user, and
//   is forgotten. A connection of another user is forgotten as soon as it is refused, so that others cannot fill the
//   table of callers.

/// Answers programs that use GeoClue.
struct GeoClueMachine: Sendable, Equatable {
  enum Input: Sendable, Equatable {
    case begin
    case opened
    /// There is no connection, or it has ended, with the reason.
    case failed(String)
    case answer(Answer, to: Question)
    case call(GeoClueCall)
    /// The name is ours, or no longer.
    case name(isOurs: Bool)
    case left(String)
    case limited(UInt32, by: String)
    case told(GeoClueClient, Fix)
    case timePassed
  }

  /// A question to the bus or to an agent.
  enum Question: Sendable, Equatable {
    case hello
    case name
    /// Subscribe to its end, or unsubscribe.
    case follow(String)
    case unfollow(String)
    case user(String)
    /// The level that an agent allows, now and after each change.
    case followAgent(String)
    case limit(String)
  }

  enum Answer: Sendable, Equatable {
    case done
    case number(UInt32)
    case refused(name: String, text: String)
  }

  enum Action: Sendable, Equatable {
    case open
    case close
    case ask(Question)
    case answer(UInt64, [BusValue])
    case refuse(UInt64, BusRefusal)
    /// Drop a call whose answer is no longer expected.
    case drop(UInt64)
    case signal(path: String, interface: String, member: String, [BusValue], to: String?)
    case say(GeoClueEvent)
  }

  enum State: Sendable, Equatable {
    case resting
    case opening
    /// No connection until then.
    case paused(until: Double)
    /// Connected, and the name is another's, or forbidden.
    case waiting
    case serving
  }

  private enum Caller: Sendable, Equatable {
    /// Its user was requested; its calls wait.
    case asked([GeoClueCall])
    case own
  }

  /// The limit of known connections, and of one's calls that wait for its user.
  static let callerLimit = 256
  static let waitingLimit = 32

  let user: UInt32
  private(set) var state = State.resting
  private var pauses = Backoff(first: 10, longest: 600)
  private var objects: GeoClueObjects
  private var callers: [String: Caller] = [:]

  init(user: UInt32) {
    self.user = user
    objects = GeoClueObjects(user: user)
  }

  /// The time at which time alone changes something.
  var deadline: Double? {
    if case .paused(let until) = state { until } else { nil }
  }

  /// Handles one input at `now`, seconds of a monotonic clock.
  mutating func handle(_ input: Input, at now: Double) -> [Action] {
    switch input {
    case .begin:
      guard state == .resting else { return [] }
      state = .opening
      return [.open]
    case .opened: return state == .opening ? [.ask(.hello), .ask(.name)] : []
    case .failed(let words): return failed(words, at: now)
    case .answer(let answer, let question): return takeAnswer(answer, to: question, at: now)
    case .name(let isOurs): return follow(name: isOurs)
    case .call(let call): return takeCall(call)
    case .left(let sender): return left(sender)
    case .limited(let maximum, let sender):
      return change { $0.limit(to: maximum, by: sender, into: &$1) }
    case .told(let client, let fix):
      return change { $0.passFix(to: client, fix, at: now, into: &$1) }
    case .timePassed:
      guard case .paused(let until) = state, until <= now else { return [] }
      state = .opening
      return [.open]
    }
  }

  // MARK: The connection

  private mutating func failed(_ words: String, at now: Double) -> [Action] {
    guard state != .resting else { return [] }
    if case .paused = state { return [] }
    let actions = forgetClients()
    let pause = pauses.failed()
    state = .paused(until: now + pause)
    let text =
      "programs that ask GeoClue are not answered: the system bus: \(words); tried again in "
      + "\(Int(pause)) s"
    return actions + [.close, .say(.answering(false, text))]
  }

  /// Forgets all clients: they are gone with the connection.
  private mutating func forgetClients() -> [Action] {
    let events: [Action] = objects.clients.compactMap { client in
      client.phase == .active ? .say(.stopped(client.id)) : nil
    }
    objects.forgetClients()
    callers = [:]
    return events
  }

  private mutating func follow(name isOurs: Bool) -> [Action] {
    switch state {
    case .resting, .paused: return []
    case .opening, .waiting:
      guard isOurs else { return [] }
      state = .serving
      pauses.succeeded()
      return [.say(.answering(true, "programs that ask GeoClue are answered"))]
    case .serving:
      guard !isOurs else { return [] }
      state = .waiting
      let forgotten = callers.keys.sorted().flatMap { forget(caller: $0) }
      return forgotten + forgetClients() + [
        .say(.answering(false, "another program took over answering those that ask GeoClue"))
      ]
    }
  }

  private mutating func takeAnswer(
    _ answer: Answer, to question: Question, at now: Double
  ) -> [Action] {
    switch (question, answer) {
    case (.hello, .refused(_, let text)): return failed(text, at: now)
    case (.name, let answer): return takeName(answer)
    case (.user(let sender), .number(let user)): return know(sender, user)
    // The connection has gone meanwhile.
    case (.user(let sender), _): return forget(caller: sender)
    case (.limit(let sender), .number(let maximum)):
      return change { $0.limit(to: maximum, by: sender, into: &$1) }
    case (.hello, _), (.follow, _), (.unfollow, _), (.followAgent, _), (.limit, _): return []
    }
  }

  /// The bus' answer to `RequestName` (D-Bus specification): 1 ours, 2 in the queue, 4 ours already.
  private mutating func takeName(_ answer: Answer) -> [Action] {
    guard state == .opening else { return [] }
    switch answer {
    case .number(1), .number(4): return follow(name: true)
    case .number:
      state = .waiting
      return [
        .say(
          .answering(
            false,
            "programs that ask GeoClue are answered by GeoClue itself, which runs; Milepost answers when it "
              + "ends, 60 s after its last client, or at once after: sudo systemctl stop geoclue"))
      ]
    case .done, .refused:
      state = .waiting
      let why = if case .refused(_, let text) = answer { text } else { "no answer" }
      return [
        .say(
          .answering(
            false,
            "programs that ask GeoClue are not answered: the system bus does not let this user have the name "
              + "\(GeoClueName.service) (\(why)); milepostd's documentation, \"Programs that ask GeoClue or "
              + "gpsd\", says what root puts into /etc/dbus-1/system.d; restart milepostd then"))
      ]
    }
  }

  // MARK: Callers

  private mutating func takeCall(_ call: GeoClueCall) -> [Action] {
    switch callers[call.sender] {
    case .own: return answer(call)
    case .asked(var calls):
      guard calls.count < Self.waitingLimit else {
        return [.refuse(call.token, .tooManyCalls(Self.waitingLimit))]
      }
      calls.append(call)
      callers[call.sender] = .asked(calls)
      return []
    case nil:
      guard callers.count < Self.callerLimit else {
        return [.refuse(call.token, .tooManyPrograms(Self.callerLimit))]
      }
      callers[call.sender] = .asked([call])
      return [.ask(.follow(call.sender)), .ask(.user(call.sender))]
    }
  }

  private mutating func know(_ sender: String, _ other: UInt32) -> [Action] {
    guard case .asked(let calls)? = callers[sender] else { return [] }
    guard other == user else {
      callers[sender] = nil
      return calls.map { .refuse($0.token, .foreign(other, own: user)) } + [.ask(.unfollow(sender))]
    }
    callers[sender] = .own
    var actions: [Action] = []
    for call in calls { actions += answer(call) }
    return actions
  }

  private mutating func left(_ sender: String) -> [Action] {
    guard callers[sender] != nil else { return [] }
    return change { $0.left(sender, into: &$1) } + forget(caller: sender)
  }

  /// Forgets a caller that no longer hears its answers.
  private mutating func forget(caller sender: String) -> [Action] {
    guard let caller = callers.removeValue(forKey: sender) else { return [] }
    var waiting: [Action] = []
    if case .asked(let calls) = caller { waiting = calls.map { .drop($0.token) } }
    return waiting + [.ask(.unfollow(sender))]
  }

  private mutating func answer(_ call: GeoClueCall) -> [Action] {
    var effects: [GeoClueEffect] = []
    do throws(BusRefusal) {
      let values = try objects.answer(call, into: &effects)
      // The answer precedes the signals that follow from it, as in GeoClue.
      return [.answer(call.token, values)] + effects.flatMap(actions)
    } catch {
      return [.refuse(call.token, error)]
    }
  }

  private mutating func change(
    _ body: (inout GeoClueObjects, inout [GeoClueEffect]) -> Void
  ) -> [Action] {
    var effects: [GeoClueEffect] = []
    body(&objects, &effects)
    return effects.flatMap(actions)
  }

  private func actions(of effect: GeoClueEffect) -> [Action] {
    switch effect {
    case .signal(let path, let interface, let member, let values, let to):
      [.signal(path: path, interface: interface, member: member, values, to: to)]
    case .event(let event): [.say(event)]
    case .agent(let sender): [.ask(.followAgent(sender)), .ask(.limit(sender))]
    }
  }
}

/// A call of a program.
struct GeoClueCall: Sendable, Equatable {
  /// Identifies the message to answer.
  let token: UInt64
  /// Its unique name on the bus.
  let sender: String
  let path: String
  /// `nil` if the caller states none.
  let interface: String?
  let member: String
  /// Types of the arguments.
  let signature: String
  let arguments: [BusValue]
}

/// What follows from a call, or from a position, beside the answer.
enum GeoClueEffect: Sendable, Equatable {
  /// A signal to one connection, or to all listeners.
  case signal(path: String, interface: String, member: String, [BusValue], to: String?)
  case event(GeoClueEvent)
  /// From now on that connection sets the level that its user allows.
  case agent(String)
}
