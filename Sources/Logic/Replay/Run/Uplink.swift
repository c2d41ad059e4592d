// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import RadioPower

// Theory
// ======
//
// The law limits what the radio carries of the policy's messages. On a band with a duty cycle a sender that was on the
// air for t is silent until t / duty cycle has passed since its start (LoRaWAN 1.0, section 7):
//
//      message    ▲ 4 frames
//      on air     ██                  ██                  ██                  █
//                 ├── t / 0.01 ──────▶├── t / 0.01 ──────▶├ …
//
// - A message is one batch of the policy. It goes in frames of at most the allowed bytes, the oldest message first, and
//   has arrived with its last frame. The modem has it by then: frames need no app.
// - `limit` messages wait at most; beyond it the oldest of them is dropped, as in a full store.
// - Nothing is sent within a gap, about which nothing is known; its silence counts.
// - A link without frames carries each message whole and at once, with the connection's overhead.
//
// Messages left at the end of the trace are counted with their age, and not sent: a transfer behind the end would have
// a tail that the next one might have shared, and a batch of hours would be charged to minutes. Nor do they count as
// known: with uploads the recipient is the server, which learns the device's place from what has arrived (`Report`).

/// The information in deliveries: the newest position, and all news of stays.
struct Report: Sendable {
  let place: Coordinate
  /// Metres; `nil` if unknown.
  let accuracy: Double?
  /// The instant of the position, on the clock of events (`Whereabouts`).
  let taken: EngineInstant
  var news: [News]

  /// News, and the instant on that clock at which the app heard them.
  struct News: Sendable {
    let what: PlaceNews
    let taken: EngineInstant
  }
}

/// An app's messages, and their times on the air.
struct Uplink: Sendable {
  /// A transfer that goes now.
  struct Transfer: Sendable {
    let bytes: Int
    /// Deliveries that have arrived with it, and their information; 0 and `nil` before the last frame.
    var items = 0
    var report: Report?
  }

  private struct Message: Sendable {
    let items: Int
    let report: Report?
    /// The time of the first delivery in it.
    let since: EngineInstant
    /// Bytes not sent yet.
    var bytes: Int
  }

  /// The greatest number of waiting messages [ours: one a second for almost three hours].
  static let limit = 10_000

  private var outbox: UploadQueue
  /// The information in the waiting items.
  private var report: Report?
  private let options: ReplayOptions
  private let frame: LoRaFrame?
  /// The message whose frames are being sent.
  private var sending: Message?
  /// The messages behind it, from `first` on.
  private var messages: [Message] = []
  private var first = 0
  /// The time at which the law allows the next frame.
  private var freeAt = EngineInstant.zero
  /// Dropped deliveries, and the time of the first of them.
  private var givenUp = 0
  private var firstGivenUp: EngineInstant?

  init(_ options: ReplayOptions) {
    self.options = options
    outbox = UploadQueue(options.uploads, openFor: options.uploadTail)
    frame = options.network?.frame
  }

  /// Whether anything is sent at all.
  var isUsed: Bool { options.uploads != .none }

  /// Takes the information in the next added delivery.
  mutating func note(report latest: Report) {
    let before = report?.news ?? []
    report = latest
    if !before.isEmpty { report?.news = before + latest.news }
  }

  /// The time of the next transfer; `nil` while none is due. Only a running app sends.
  func due(appRuns: Bool) -> EngineInstant? {
    .earlier(appRuns ? outbox.due : nil, sending == nil ? nil : freeAt)
  }

  /// Adds a delivery to be sent; its app runs.
  mutating func addDelivery(at now: EngineInstant) {
    if outbox.addItem(at: now) { send(at: now) }
  }

  /// The next transfer that goes now; `nil` when all allowed ones have gone.
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

  /// Counts the waiting deliveries.
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

  /// Takes all waiting deliveries out of the app, as one message.
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

  /// Takes the oldest waiting message. Taken ones are removed in lumps, so that each costs the same.
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
