// SPDX-License-Identifier: Apache-2.0

import DaemonRuntime
import Foundation
import Glibc
import LocationModel
import Synchronization

/// A receiver on a TCP port of this machine that plays an NMEA log of one epoch a second by a clock that may run
/// faster. Like a receiver it reports the present to the current listeners: unheard sentences are not repeated. Before
/// the log begins it has no fix.
final class TraceFeed: Sendable {
  let port: UInt16
  private let listener: Int32
  private let epochs: [String]
  private let start: UTCInstant
  private let clock: HostClock
  private let isOver = Mutex(false)

  /// `start` is the instant of the log's first epoch.
  init(_ path: String, from start: UTCInstant, by clock: HostClock) throws {
    epochs = try Self.epochs(of: String(contentsOfFile: path, encoding: .utf8))
    (self.start, self.clock) = (start, clock)
    let opened = try Feed.listen(on: 0)
    (listener, port) = (opened.descriptor, opened.port)
    let thread = Thread { [self] in serve() }
    thread.start()
  }

  func close() {
    isOver.withLock { $0 = true }
    shutdown(listener, Int32(SHUT_RDWR))
    Glibc.close(listener)
  }

  /// The sentences of each epoch, which begins with RMC.
  private static func epochs(of log: String) -> [String] {
    var epochs: [String] = []
    for line in log.split(whereSeparator: \.isNewline) where line.hasPrefix("$") {
      if line.dropFirst(3).hasPrefix("RMC") { epochs.append("") }
      guard !epochs.isEmpty else { continue }
      epochs[epochs.count - 1] += line + "\r\n"
    }
    return epochs
  }

  private func serve() {
    while !isOver.withLock({ $0 }) {
      let client = accept(listener, nil, nil)
      guard client >= 0 else { return }
      var last = second
      while !isOver.withLock({ $0 }) {
        guard second > last else {
          Waiting.pass(0.002)
          continue
        }
        // One after the other, as on a serial line, even if this thread was delayed.
        last += 1
        let text = text(of: last)
        let sent = text.withCString { send(client, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
        if sent <= 0 { break }
      }
      Glibc.close(client)
    }
  }

  /// Whole seconds since the log's first epoch; below 0 before it.
  private var second: Int {
    Int(UTCInstant.seconds(from: start, to: clock.utc).rounded(.down))
  }

  private func text(of second: Int) -> String {
    if epochs.indices.contains(second) { return epochs[second] }
    return Feed.sentence("GPRMC,,V,,,,,,,,,,N") + Feed.sentence("GPGGA,,,,,,0,00,99.9,,,,,,")
  }
}
