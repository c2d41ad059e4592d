// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import RadioPower
import Scoring

// Theory
// ======
//
// Between what the policy sends and what the radio carries lies the law. On a band with a duty cycle a sender
// that was on the air for t is silent until t / duty cycle has passed since it began (LoRaWAN 1.0, section 7):
//
//      message    ▲ 4 frames
//      on air     ██                  ██                  ██                  █
//                 ├── t / 0.01 ──────▶├── t / 0.01 ──────▶├ …
//
// - A message is what the policy sends at once. It goes in frames of as many bytes as one may have, the oldest
//   message first, and has arrived with its last frame. The modem has it by then: frames need no app.
// - `limit` messages wait at most; beyond it the oldest of them is given up, as a full store does.
// - Nothing is sent within a gap, of which nobody knows anything; its silence counts.
// - A link without frames carries each message whole and at once, with what connecting adds to it.
//
// What waits at the end of the trace is counted with its age, and not sent: a transfer behind the end would
// have a tail of which nobody knows whether the next one would have shared it, and a batch of hours would be
// charged to minutes. Nor does it count as known: with uploads it is the server that is to know where the device is,
// and it learns that from what has arrived (`Report`).

/// What deliveries tell of where the device is: the newest position, and all that was said of stays.
struct Report: Sendable {
  let place: Coordinate
  let measured: EngineInstant
  var news: [PlaceNews]
}

/// What an app sends, and when it is on the air.
struct Uplink: Sendable {
  /// Something that goes now.
  struct Transfer: Sendable {
    let bytes: Int
    /// Deliveries that have arrived with it, and what they tell; 0 and `nil` before the last frame.
    var items = 0
    var report: Report?
  }

  private struct Message: Sendable {
    let items: Int
    let report: Report?
    /// When the first of them was delivered.
    let since: EngineInstant
    /// Bytes that are still to go.
    var bytes: Int
  }

  /// Messages that wait for their turn [ours: one a second for almost three hours].
  static let limit = 10_000

  private var outbox: UploadQueue
  /// What those in it tell.
  private var report: Report?
  private let options: ReplayOptions
  private let frame: LoRaFrame?
  /// The message whose frames are going.
  private var sending: Message?
  /// Those that wait for it, from `first` on.
  private var messages: [Message] = []
  private var first = 0
  /// When the law lets the next frame go.
  private var freeAt = EngineInstant.zero
  /// Deliveries that were given up, and when the first of them was made.
  private var givenUp = 0
  private var firstGivenUp: EngineInstant?

  init(_ options: ReplayOptions) {
    self.options = options
    outbox = UploadQueue(options.uploads, openFor: options.uploadTail)
    frame = options.network?.frame
  }

  /// Whether anything is sent at all.
  var isUsed: Bool { options.uploads != .none }

  /// What the delivery that is added next tells.
  mutating func note(_ latest: Report) {
    let before = report?.news ?? []
    report = latest
    if !before.isEmpty { report?.news = before + latest.news }
  }

  /// When the next transfer is due; `nil` while nothing presses. Only an app that runs sends.
  func due(appRuns: Bool) -> EngineInstant? {
    .earlier(appRuns ? outbox.due : nil, sending == nil ? nil : freeAt)
  }

  /// A delivery waits to be sent; its app runs.
  mutating func add(at now: EngineInstant) {
    if outbox.add(at: now) { send(at: now) }
  }

  /// The next transfer that goes now; `nil` when all that may go has gone.
  mutating func next(
    at now: EngineInstant, appRuns: Bool, _ counters: inout Counters
  ) -> Transfer? {
    if appRuns, outbox.isDue(at: now) { send(at: now) }
    guard var message = sending, freeAt <= now else { return nil }
    let bytes = min(message.bytes, frame?.payload ?? .max)
    message.bytes -= bytes
    if let frame {
      freeAt = now.advanced(bySeconds: frame.airtime(of: bytes) / frame.dutyCycle)
    }
    guard message.bytes == 0 else {
      sending = message
      return Transfer(bytes: bytes)
    }
    arrived(message, at: now, &counters)
    sending = takeNext()
    return Transfer(bytes: bytes, items: message.items, report: message.report)
  }

  /// Counts what waits.
  func countUnsent(at now: EngineInstant, _ counters: inout Counters) {
    let waiting = messages[first...].reduce(sending?.items ?? 0) { $0 + $1.items }
    counters.unsent = givenUp + waiting + outbox.count
    let oldest = firstGivenUp ?? sending?.since ?? outbox.oldest
    counters.oldestUnsent = oldest.map { EngineInstant.seconds(from: $0, to: now) } ?? 0
  }

  private func arrived(_ message: Message, at now: EngineInstant, _ counters: inout Counters) {
    counters.uploads += 1
    counters.uploadedDeliveries += message.items
    counters.longestUploadDelay = max(
      counters.longestUploadDelay, EngineInstant.seconds(from: message.since, to: now))
  }

  /// Takes all that waits out of the app, as one message.
  private mutating func send(at now: EngineInstant) {
    guard let since = outbox.oldest else { return }
    let items = outbox.send(at: now)
    let message = Message(
      items: items, report: report, since: since, bytes: options.transferBytes(items))
    report = nil
    guard sending != nil else { return sending = message }
    if messages.count - first >= Self.limit, let lost = takeNext() {
      givenUp += lost.items
      firstGivenUp = firstGivenUp ?? lost.since
    }
    messages.append(message)
  }

  /// The oldest message that waits. What was taken is let go of in lumps, so that each costs the same.
  private mutating func takeNext() -> Message? {
    guard first < messages.count else { return nil }
    defer {
      first += 1
      if first >= Self.limit {
        messages.removeFirst(first)
        first = 0
      }
    }
    return messages[first]
  }
}
