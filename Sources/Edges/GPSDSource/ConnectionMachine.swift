// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract

/// The next step of the connection to gpsd, and its time.
///
/// Theory. Each input returns the actions to take, in order. No I/O, no clock.
///
///     idle ──watch on──► connecting ──connected──► greeting ──VERSION──► watching
///      ▲                   │   ▲                      │                     │
///      │                failed │ time                 └──── lost ──────┬────┘
///      │                   ▼   │                                       │
///      └──watch off──── waiting ◄──────────────────────────────────────┘
///      (from any state)
///
///     watching ──watch off──► releasing ──released──► idle, or connecting where a watch came meanwhile
///                (where gpsd can be told to close its devices)
///     watching ──watch off──► identifying ──identified, or time──► releasing
///                (where a receiver is to sleep whose kind is not known yet)
///
/// - Without a watch there is no connection: gpsd can close its devices only when its last watcher is gone. At the end
///   of a watch, the disabling command is sent first, then the connection is closed.
/// - If gpsd can be told to close its devices at once, that is done first: a watch that began in between would lose the
///   device that it had just opened.
/// - A look may be over before gpsd has heard of what kind its receiver is. Its watch goes on for some seconds then, as if
///   it were over; what comes meanwhile is for nobody. A watch that begins meanwhile goes on.
/// - A connection that sends no VERSION for `patience` is not to a gpsd, and is given up.
/// - The wait grows with each failure (`Backoff`). It starts again at the shortest once a connection has brought a
///   receiver's report, or has lasted for `trial`: so a gpsd that accepts and dies at once is not hammered.
/// - Each attempt has a number; later messages of an abandoned attempt are ignored.
struct ConnectionMachine<Generator: RandomNumberGenerator> {
  /// The states of the connection.
  enum State: Equatable {
    /// No watch is wanted; there is no connection.
    case idle
    /// An attempt is under way.
    case connecting
    /// Connected; gpsd has not identified itself yet.
    case greeting(since: EngineInstant)
    /// gpsd greeted and the watch was requested.
    case watching(since: EngineInstant)
    /// The watch is over, and goes on until a receiver's kind is known, `until` at the latest.
    case identifying(since: EngineInstant, until: EngineInstant)
    /// The last attempt or connection failed; the next begins at `until`.
    case waiting(until: EngineInstant)
    /// The watch is over; gpsd is being told to close its devices. A watch may be wanted again.
    case releasing(isWanted: Bool)
    /// Closed for good.
    case ended
  }

  enum Action: Equatable {
    case connect(attempt: Int)
    /// Send the command that enables the watch.
    case enableWatch
    /// Send the command that disables the watch.
    case disableWatch
    /// Close the connection, or give up the attempt.
    case hangUp
    /// Have gpsd close its devices at once; `released` follows.
    case release
    case tell(GPSDEvent.Link)
  }

  /// The time for which a connection may stay silent at its start, seconds.
  static var patience: Double { 10 }
  /// The time after which a connection has proved itself, seconds.
  static var trial: Double { 10 }

  private(set) var state = State.idle
  private(set) var attempt = 0
  /// Drawn from the upper half: clients that lost the same gpsd do not come back in step.
  private var backoff = Backoff(first: 2, longest: 60, shares: 0.5...1)
  private var generator: Generator
  /// Whether gpsd can be told to close its devices.
  private let releases: Bool

  init(_ generator: Generator, releases: Bool = false) {
    self.generator = generator
    self.releases = releases
  }

  var nextDeadline: EngineInstant? {
    switch state {
    case .idle, .connecting, .watching, .releasing, .ended: nil
    case .greeting(let since): since.advanced(bySeconds: Self.patience)
    case .waiting(let until), .identifying(_, let until): until
    }
  }

  /// Begins or ends the watch; its end waits for a receiver's kind until `kindBy`, where that is to be known first.
  mutating func watch(_ isOn: Bool, kindBy: EngineInstant? = nil) -> [Action] {
    switch (state, isOn) {
    case (.idle, true):
      backoff.succeeded()
      return connect()
    case (.connecting, false), (.greeting, false):
      state = .idle
      return [.hangUp]
    case (.waiting, false):
      state = .idle
      return []
    case (.watching(let since), false) where releases && kindBy != nil:
      guard let kindBy else { return [] }
      state = .identifying(since: since, until: kindBy)
      return [.tell(.watching(false))]
    case (.identifying(let since, _), true):
      state = .watching(since: since)
      return [.tell(.watching(true))]
    case (.watching, false) where releases:
      state = .releasing(isWanted: false)
      return [.disableWatch, .hangUp, .tell(.watching(false)), .release]
    case (.releasing, _):
      state = .releasing(isWanted: isOn)
      return []
    case (.watching, false):
      state = .idle
      return [.disableWatch, .hangUp, .tell(.watching(false))]
    case (.idle, false), (.connecting, true), (.greeting, true), (.waiting, true),
      (.watching, true), (.identifying, false), (.ended, _):
      return []
    }
  }

  /// Notes that the kinds of all receivers are known.
  mutating func identified() -> [Action] {
    guard case .identifying = state else { return [] }
    state = .releasing(isWanted: false)
    return [.disableWatch, .hangUp, .release]
  }

  /// Notes that gpsd has closed its devices, or would not.
  mutating func released() -> [Action] {
    guard case .releasing(let isWanted) = state else { return [] }
    state = .idle
    return isWanted ? watch(true) : []
  }

  mutating func connected(at now: EngineInstant) {
    if case .connecting = state { state = .greeting(since: now) }
  }

  /// Notes that the attempt failed, for `reason`.
  mutating func failed(_ reason: String, at now: EngineInstant) -> [Action] {
    guard case .connecting = state else { return [] }
    let seconds = wait(from: now)
    return [.tell(.unreachable(reason: reason, retryAfter: seconds))]
  }

  /// Notes gpsd's VERSION.
  mutating func greeted(at now: EngineInstant) -> [Action] {
    guard case .greeting = state else { return [] }
    state = .watching(since: now)
    return [.enableWatch, .tell(.watching(true))]
  }

  /// Notes a receiver's report: this connection is a good one.
  mutating func proved() { backoff.succeeded() }

  /// Notes that the connection is gone, or must be given up, for `reason`.
  mutating func lost(_ reason: String, at now: EngineInstant) -> [Action] {
    switch state {
    case .idle, .connecting, .waiting, .releasing, .ended: return []
    case .identifying:
      state = .idle
      return [.hangUp]
    case .greeting, .watching:
      if case .watching(let since) = state,
        EngineInstant.seconds(from: since, to: now) >= Self.trial
      {
        backoff.succeeded()
      }
      let seconds = wait(from: now)
      return [.hangUp, .tell(.lost(reason: reason, retryAfter: seconds))]
    }
  }

  /// Advances the time to `now`.
  mutating func advance(to now: EngineInstant) -> [Action] {
    guard let deadline = nextDeadline, deadline <= now else { return [] }
    switch state {
    case .waiting: return connect()
    case .greeting:
      return lost("it says nothing: gpsd hangs, or what listens there is no gpsd", at: now)
    case .identifying: return identified()
    case .idle, .connecting, .watching, .releasing, .ended: return []
    }
  }

  /// Whether what gpsd reports is for somebody: it goes on beyond the end of a look.
  var isHeard: Bool { if case .identifying = state { false } else { true } }

  /// Ends for good; no further action follows.
  mutating func endForGood() -> [Action] {
    let wasWatching =
      switch state {
      case .watching, .identifying: true
      case .idle, .connecting, .greeting, .waiting, .releasing, .ended: false
      }
    state = .ended
    return wasWatching ? [.disableWatch, .hangUp] : [.hangUp]
  }

  private mutating func connect() -> [Action] {
    attempt += 1
    state = .connecting
    return [.connect(attempt: attempt)]
  }

  private mutating func wait(from now: EngineInstant) -> Double {
    // Each wait is one draw, so that no generator, however odd, can block the loop.
    let seconds = backoff.failed(luck: Double(generator.next() >> 11) / Double(1 << 53))
    state = .waiting(until: now.advanced(bySeconds: seconds))
    return seconds
  }
}
