// SPDX-License-Identifier: Apache-2.0

import GPSDSource
import ServiceContract

// Theory
// ======
//
// The events of gpsd that matter to a person, and how often. Planned events (a watch that begins or ends, a receiver
// that is opened or released) are details. A connection, its loss, and the loss of a wanted receiver are remarks.
// Repeated events (an attempt every minute, a stuttering receiver) are reported once: an attempt once per reason until
// a connection comes, a trouble once per kind. At the end, repeated ones are reported with their number.

/// Selects the events of gpsd that are worth a sentence.
struct TrackNews: Sendable {
  /// Receivers that gpsd has open; also empty if it has not reported them yet.
  private var receivers: Set<String> = []
  private var lastToSpeak: String?
  private var failure: String?
  private var troubles: [(kind: String, last: String, count: Int)] = []

  /// The limit of stored receiver names and kinds of trouble; more are not told apart.
  private static let limit = 64

  var hasReceiver: Bool { !receivers.isEmpty }

  /// Notes a report of a receiver.
  mutating func heard(_ device: String) {
    lastToSpeak = device
    addReceiver(device)
  }

  /// Whether the closed device is the one that reported last.
  func spokeLast(_ device: GPSDEvent.Device) -> Bool {
    if case .closed(let path) = device { path == lastToSpeak } else { false }
  }

  /// Notes that no receiver is wanted any more.
  mutating func rest() { receivers = [] }

  /// `nil` if it was reported before.
  mutating func output(of link: GPSDEvent.Link) -> Tracker.Output? {
    switch link {
    case .connected:
      failure = nil
      return .remark(link.words)
    case .lost(let reason, _):
      receivers = []
      failure = nil
      return .remark("gpsd is gone: \(reason); tried again until it answers")
    case .unreachable(let reason, _):
      receivers = []
      guard failure != reason else { return nil }
      failure = reason
      return .remark(
        "gpsd cannot be reached: \(reason); tried again until it answers (milepost doctor says more)"
      )
    case .watching: return .detail(link.words)
    }
  }

  mutating func output(of device: GPSDEvent.Device, isWanted: Bool) -> Tracker.Output {
    switch device {
    case .none:
      receivers = []
      return .remark(device.words)
    case .opened(let path, _):
      addReceiver(path)
      return .detail(device.words)
    case .identified, .released, .asleep: return .detail(device.words)
    case .closed(let path):
      // gpsd may say it twice.
      let isNews = receivers.remove(path) != nil
      return isWanted && isNews
        ? .remark("gpsd closed \(path): unplugged?") : .detail(device.words)
    }
  }

  /// Returns the full sentence the first time; `nil` afterwards.
  mutating func sentence(of trouble: GPSDEvent.Trouble) -> String? {
    let kind = trouble.kind
    if let index = troubles.firstIndex(where: { $0.kind == kind }) {
      troubles[index].count += 1
      troubles[index].last = trouble.words
      return nil
    }
    guard troubles.count < Self.limit else { return nil }
    troubles.append((kind, trouble.words, 1))
    return trouble.words
  }

  /// The troubles that came more than once, with their numbers.
  var repeated: [String] {
    troubles.filter { $0.count > 1 }.map { "\($0.count) times, at last: \($0.last)" }
  }

  private mutating func addReceiver(_ path: String) {
    if receivers.count < Self.limit { receivers.insert(path) }
  }
}

extension GPSDEvent.Trouble {
  /// The kind of news that is reported once.
  fileprivate var kind: String {
    switch self {
    case .timeWentBack(_, let device): "time went back: \(device.prefix(40))"
    case .overlongLine: "overlong line"
    case .badLine: "bad line"
    case .unpackDiffers: "unpack differs"
    case .protocolMismatch: "protocol mismatch"
    case .notReleased: "not released"
    case .notAsleep: "not asleep"
    case .reported: "reported"
    }
  }
}
