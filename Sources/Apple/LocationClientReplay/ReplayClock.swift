// SPDX-License-Identifier: Apache-2.0

public import LocationClient
import LocationModel
import Synchronization

// Theory
// ======
//
//   sleeping ──virtual time reaches its deadline──► awake
//            ──task cancelled, life ended─────────► CancellationError
//
// A task that sleeps here counts as resting, so the replay goes on, and its deadline is one of the replay's. A
// suspended app sleeps on: its sleepers wake when it does, as they do on a device.

/// The virtual time of a replay, for app code that reads the time or waits.
///
/// A trace's `clock` shows the replay's current instant, and 1970 before the run. Code under test takes it in place of
/// `Date()` and `ContinuousClock`:
///
///     let trace = try ReplayedTrace("walk.nmea")
///     let account = try trace.run { _ in Walker(now: { trace.clock.date }) }
///
/// A position's age is then `now().timeIntervalSince(location.timestamp)`, live and here. Copies of a trace share one
/// clock, so only one of them should run at a time.
public final class ReplayClock: Clock {
  /// An instant of the trace.
  public struct Instant: InstantProtocol {
    let utc: UTCInstant

    /// The same as a date.
    public var date: Date { Date(utc) }

    public func advanced(by duration: Duration) -> Instant {
      Instant(utc: utc.advanced(bySeconds: duration / .seconds(1)))
    }

    public func duration(to other: Instant) -> Duration {
      .microseconds(other.utc.microseconds - utc.microseconds)
    }

    public static func < (a: Instant, b: Instant) -> Bool {
      a.utc.microseconds < b.utc.microseconds
    }
  }

  private struct Sleeper: Sendable {
    let id: UInt64
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State: Sendable {
    var now = Instant(utc: UTCInstant(microseconds: 0))
    var lastID: UInt64 = 0
    var sleepers: [Sleeper] = []
    /// Sleepers that were cancelled before they slept.
    var cancelled: Set<UInt64> = []
    /// The life in which time passes; `nil` outside of all.
    var session: LocationSession?
  }

  private let state = Mutex(State())

  init() {}

  public var now: Instant { state.withLock { $0.now } }
  /// What `Date()` would be on the device.
  public var date: Date { now.date }
  public var minimumResolution: Duration { .microseconds(1) }

  /// Waits until virtual time reaches `deadline`; throws `CancellationError` if the task is cancelled, or the app's
  /// life ends, before that. Outside of a run time stands still: it throws at once.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        begin(sleeper: Sleeper(id: id, deadline: deadline, continuation: continuation))
      }
    } onCancel: {
      cancel(id)
    }
  }

  private func begin(sleeper: Sleeper) {
    enum Outcome { case sleeps(LocationSession), due, over }
    let outcome = state.withLock { state -> Outcome in
      if state.cancelled.remove(sleeper.id) != nil { return .over }
      if sleeper.deadline <= state.now { return .due }
      guard let session = state.session else { return .over }
      state.sleepers.append(sleeper)
      return .sleeps(session)
    }
    switch outcome {
    case .sleeps(let session): session.waits(1)
    case .due: sleeper.continuation.resume()
    case .over: sleeper.continuation.resume(throwing: CancellationError())
    }
  }

  private func cancel(_ id: UInt64) {
    let (sleeper, session) = state.withLock { state -> (Sleeper?, LocationSession?) in
      guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
        state.cancelled.insert(id)
        return (nil, nil)
      }
      return (state.sleepers.remove(at: index), state.session)
    }
    session?.waits(-1)
    sleeper?.continuation.resume(throwing: CancellationError())
  }

  // MARK: The replay's side

  /// The time when the first of its sleepers wakes.
  var nextDeadline: UTCInstant? {
    state.withLock { $0.sleepers.map(\.deadline).min()?.utc }
  }

  func began(_ session: LocationSession) { state.withLock { $0.session = session } }

  func moved(to utc: UTCInstant) { state.withLock { $0.now = Instant(utc: utc) } }

  /// Wakes the sleepers whose deadline has come.
  func wake() {
    let (due, session) = state.withLock { state -> ([Sleeper], LocationSession?) in
      let now = state.now
      let due = state.sleepers.filter { $0.deadline <= now }
      state.sleepers.removeAll { $0.deadline <= now }
      return (due, state.session)
    }
    for sleeper in due.sorted(by: { $0.deadline < $1.deadline }) {
      session?.waits(-1)
      sleeper.continuation.resume()
    }
  }

  /// Ends all sleeps: the life is over.
  func ended() {
    let sleepers = state.withLock { state in
      defer {
        state.sleepers = []
        state.cancelled = []
        state.session = nil
      }
      return state.sleepers
    }
    for sleeper in sleepers { sleeper.continuation.resume(throwing: CancellationError()) }
  }
}
