// SPDX-License-Identifier: Apache-2.0

import Synchronization

// Theory
// ======
//
//   idle ──next, nothing there──► waiting ──element──► idle
//   idle ──element──► idle                              (it waits; of too many the oldest go)
//   any ──cancelled, ended──► over

/// The line of elements from which one loop over updates, events or diagnostics reads.
final class EventLine<Element: Sendable>: Sendable {
  private struct State: Sendable {
    var buffer: [Element] = []
    var waiting: CheckedContinuation<Element?, Never>?
    var isOver = false
  }

  private let session: LocationSession
  private let state: Mutex<State>
  private let excess: @Sendable ([Element]) -> Int?

  /// `first`: the elements that the loop receives at once. `excess`: the place of the waiting element that goes, `nil`
  /// for none; by default the oldest of more than 64. In a replay, a waiting loop counts as resting.
  init(
    _ session: LocationSession, first: [Element] = [],
    excess: @escaping @Sendable ([Element]) -> Int? = { $0.count > limit ? 0 : nil }
  ) {
    self.session = session
    self.excess = excess
    state = Mutex(State(buffer: first))
  }

  static var limit: Int { 64 }

  /// Returns false after the end.
  @discardableResult
  func put(_ element: Element) -> Bool {
    let (waiting, isTaken) = state.withLock {
      state -> (CheckedContinuation<Element?, Never>?, Bool) in
      guard !state.isOver else { return (nil, false) }
      if let waiting = state.waiting {
        state.waiting = nil
        return (waiting, true)
      }
      state.buffer.append(element)
      if let place = excess(state.buffer) { state.buffer.remove(at: place) }
      return (nil, true)
    }
    if let waiting {
      session.waits(-1)
      waiting.resume(returning: element)
    }
    return isTaken
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

  /// Ends it; returns the elements that were not read, which nobody reads now.
  func drop() -> [Element] {
    end()
    return state.withLock { state in
      defer { state.buffer = [] }
      return state.buffer
    }
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

  /// Whether any loop reads.
  var areRead: Bool { state.withLock { !$0.lines.isEmpty } }

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
