// SPDX-License-Identifier: Apache-2.0

import Synchronization

// Theory
// ======
//
//   idle ──next, nothing there──► waiting ──element──► idle
//   idle ──element──► idle                              (it waits; of more than 64 the oldest go)
//   any ──cancelled, ended──► over
//
// Elements here are not acknowledged; `UpdateStream` handles those that are.

/// The line of events from which one loop over events or diagnostics reads.
final class EventLine<Element: Sendable>: Sendable {
  private struct State: Sendable {
    var buffer: [Element] = []
    var waiting: CheckedContinuation<Element?, Never>?
    var isOver = false
  }

  private let session: LocationSession
  private let state: Mutex<State>

  /// `first`: the elements that the loop receives at once. In a replay, a waiting loop counts as resting.
  init(_ session: LocationSession, first: [Element]) {
    self.session = session
    state = Mutex(State(buffer: first))
  }

  static var limit: Int { 64 }

  func put(_ element: Element) {
    let waiting = state.withLock { state -> CheckedContinuation<Element?, Never>? in
      guard !state.isOver else { return nil }
      if let waiting = state.waiting {
        state.waiting = nil
        return waiting
      }
      state.buffer.append(element)
      if state.buffer.count > Self.limit { state.buffer.removeFirst() }
      return nil
    }
    guard let waiting else { return }
    session.waits(-1)
    waiting.resume(returning: element)
  }

  /// The next element; `nil` after the end.
  func next() async -> Element? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { wait($0) }
    } onCancel: {
      end()
    }
  }

  private func wait(_ continuation: CheckedContinuation<Element?, Never>) {
    let (isNow, element) = state.withLock { state -> (Bool, Element?) in
      if !state.buffer.isEmpty { return (true, state.buffer.removeFirst()) }
      if state.isOver { return (true, nil) }
      state.waiting = continuation
      session.waits(1)
      return (false, nil)
    }
    if isNow { continuation.resume(returning: element) }
  }

  func end() {
    let waiting = state.withLock { state in
      state.isOver = true
      defer { state.waiting = nil }
      return state.waiting
    }
    guard let waiting else { return }
    session.waits(-1)
    waiting.resume(returning: nil)
  }
}

/// The lines of all loops over the same events.
final class EventLines<Element: Sendable>: Sendable {
  /// The events from before a loop began that it receives.
  enum Past: Sendable {
    /// The unread events, the newest 64; the first loop gets them.
    case unread
    /// The newest, read or not.
    case newest
  }

  private struct State: Sendable {
    var lines: [EventLine<Element>] = []
    var past: [Element] = []
    var isOver = false
  }

  private let session: LocationSession
  private let kept: Past
  private let state = Mutex(State())

  init(_ session: LocationSession, keeping kept: Past) {
    self.session = session
    self.kept = kept
  }

  func line() -> EventLine<Element> {
    state.withLock { state in
      let line = EventLine(session, first: state.past)
      switch kept {
      case .unread: state.past = []
      case .newest: break
      }
      state.lines.append(line)
      if state.isOver { line.end() }
      return line
    }
  }

  func put(_ element: Element) {
    let lines = state.withLock { state in
      switch kept {
      case .unread where state.lines.isEmpty:
        state.past.append(element)
        if state.past.count > EventLine<Element>.limit { state.past.removeFirst() }
      case .unread: break
      case .newest: state.past = [element]
      }
      return state.lines
    }
    for line in lines { line.put(element) }
  }

  func remove(_ line: EventLine<Element>) {
    line.end()
    state.withLock { state in state.lines.removeAll { $0 === line } }
  }

  func end() {
    let lines = state.withLock { state in
      state.isOver = true
      return state.lines
    }
    for line in lines { line.end() }
  }
}

/// Ends a line when its loop is released.
final class LineReader<Element: Sendable>: Sendable {
  let line: EventLine<Element>
  private let lines: EventLines<Element>

  init(_ lines: EventLines<Element>) {
    self.lines = lines
    line = lines.line()
  }

  deinit { lines.remove(line) }
}
