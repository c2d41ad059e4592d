// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization

/// A broker made by hand, for behaviour that a real one does not show on demand: it knows only MQTT 3.1.1, is silent,
/// ends the connection, acknowledges late.
///
/// Packets by MQTT 3.1.1, chapters 2 and 3.
final class StandInBroker: Sendable {
  /// Its behaviour beside accepting.
  enum Manner: Sendable, Equatable {
    /// Admits clients with 3.1.1, and ends the connection of those with 5, without an answer (as amqtt does).
    case threeOnly
    /// The same, with a CONNACK of 3.1.1 that names the version (code 1).
    case threeOnlyInWords
    /// Accepts a connection and never answers.
    case mute
    /// Ends every connection at once.
    case slamming
    /// Speaks 3.1.1, and ends the connection without an answer when a message holds this text.
    case chokesOn(String)
    /// Speaks 3.1.1, and acknowledges this number of messages and then none.
    case acknowledges(Int)
  }

  struct Seen: Sendable, Equatable {
    /// 4 is 3.1.1, 5 is 5 (the protocol level of CONNECT).
    var level: [UInt8] = []
    var clientIDs: [String] = []
    var payloads: [String] = []
    /// Messages with the mark of a repetition (DUP).
    var duplicates = 0
  }

  let port: Int
  private let listener: Int32
  private let manner: Manner
  private let seenState = Mutex(Seen())
  private let isStopped = Mutex(false)
  private let finished = DispatchSemaphore(value: 0)

  init(_ manner: Manner) {
    self.manner = manner
    (listener, port) = Loopback.listening()
    let thread = Thread { [self] in run() }
    thread.start()
  }

  var seen: Seen { seenState.withLock { $0 } }

  func stop() {
    let wasStopped = isStopped.withLock { flag in
      defer { flag = true }
      return flag
    }
    if !wasStopped { finished.wait() }
  }

  private func run() {
    defer {
      close(listener)
      finished.signal()
    }
    while !isStopped.withLock({ $0 }) {
      var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 20) > 0 else { continue }
      let peer = accept(listener, nil, nil)
      guard peer >= 0 else { continue }
      if manner != .slamming { serve(peer) }
      close(peer)
    }
  }

  private func serve(_ peer: Int32) {
    var acknowledged = 0
    while let (head, body) = packet(peer) {
      if manner == .mute { continue }
      switch head >> 4 {
      case 1:  // CONNECT: name of the protocol (2 + 4), level, flags, keep alive (2), client id
        let level = body[6]
        let idAt = level == 5 ? 10 + 1 + Int(body[10]) : 10
        let length = Int(body[idAt]) << 8 | Int(body[idAt + 1])
        let id = String(decoding: body[(idAt + 2)..<(idAt + 2 + length)], as: UTF8.self)
        seenState.withLock {
          $0.level.append(level)
          $0.clientIDs.append(id)
        }
        if level == 5 {
          if manner == .threeOnlyInWords { send(peer, [0x20, 2, 0, 1]) }
          return
        }
        send(peer, [0x20, 2, 0, 0])
      case 3:  // PUBLISH: topic, packet identifier where the quality is 1, payload
        let topic = Int(body[0]) << 8 | Int(body[1])
        let quality = (head >> 1) & 3
        let payloadAt = 2 + topic + (quality > 0 ? 2 : 0)
        let text = String(decoding: body[payloadAt...], as: UTF8.self)
        seenState.withLock {
          $0.payloads.append(text)
          if head & 8 != 0 { $0.duplicates += 1 }
        }
        if case .chokesOn(let word) = manner, text.contains(word) { return }
        if case .acknowledges(let limit) = manner, acknowledged >= limit { continue }
        acknowledged += 1
        if quality > 0 { send(peer, [0x40, 2, body[2 + topic], body[3 + topic]]) }
      case 8:  // SUBSCRIBE: granted with quality 1
        send(peer, [0x90, 3, body[0], body[1], 1])
      case 14: return
      default: break
      }
    }
  }

  private func send(_ peer: Int32, _ bytes: [UInt8]) {
    _ = Glibc.send(peer, bytes, bytes.count, 0x4000)
  }

  /// The next packet; `nil` at the end, and when this is stopped.
  private func packet(_ peer: Int32) -> (head: UInt8, body: [UInt8])? {
    guard let head = bytes(peer, 1)?.first else { return nil }
    var (length, shift) = (0, 0)
    while let byte = bytes(peer, 1)?.first {
      length |= Int(byte & 0x7F) << shift
      shift += 7
      if byte & 0x80 == 0 { break }
    }
    return bytes(peer, length).map { (head, $0) }
  }

  private func bytes(_ peer: Int32, _ count: Int) -> [UInt8]? {
    var all: [UInt8] = []
    while all.count < count {
      var waiting = pollfd(fd: peer, events: Int16(POLLIN), revents: 0)
      if isStopped.withLock({ $0 }) { return nil }
      guard poll(&waiting, 1, 20) > 0 else { continue }
      var part = [UInt8](repeating: 0, count: count - all.count)
      let read = recv(peer, &part, part.count, 0)
      guard read > 0 else { return nil }
      all += part[..<read]
    }
    return all
  }
}
