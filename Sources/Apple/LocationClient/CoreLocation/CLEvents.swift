// SPDX-License-Identifier: Apache-2.0

/// A sequence of updates, events or diagnostics; each iteration reads by itself, from its beginning on.
public struct CLEvents<Element: Sendable>: AsyncSequence, Sendable {
  private let begin: @Sendable () -> @Sendable () async -> Element?

  /// `begin` is called once for each iteration, and returns the reader of its elements, which holds what they need.
  init(_ begin: @escaping @Sendable () -> @Sendable () async -> Element?) { self.begin = begin }

  public func makeAsyncIterator() -> Iterator { Iterator(read: begin()) }

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let read: @Sendable () async -> Element?

    public mutating func next() async throws -> Element? { await read() }
  }
}

@available(*, unavailable, message: "an iterator is for one task")
extension CLEvents.Iterator: Sendable {}
