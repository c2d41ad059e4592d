// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Synchronization

/// Connections of one event loop that have bytes to write.
///
/// One delivery to each of a thousand clients wakes the loop once, not a thousand times.
final class FlushQueue: Sendable {
  private let loop: any EventLoop
  private let waiting = Mutex<[Connection]>([])

  init(on loop: any EventLoop) { self.loop = loop }

  func add(connection: Connection) {
    let isFirst = waiting.withLock { waiting in
      waiting.append(connection)
      return waiting.count == 1
    }
    if isFirst { loop.execute { self.flushConnections() } }
  }

  private func flushConnections() {
    let batch = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for connection in batch { connection.flush() }
  }
}
