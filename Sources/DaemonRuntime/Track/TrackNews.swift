// SPDX-License-Identifier: Apache-2.0

import GPSDSource
import ServiceContract

// Theory
// ======
//
// The events of gpsd that a person wants to hear, and how often. A watch that begins or ends, a receiver
// that is opened or released as planned are details. A connection, its loss, a receiver that went away
// while it was wanted are remarks. Events that repeat themselves (an attempt every minute, a receiver that
// stutters) are said once: an attempt once per reason until a connection comes, a trouble once per kind.
// At the end those that came more than once are told with their number.

/// Which of gpsd's events are worth a sentence.
struct TrackNews: Sendable {
  /// Receivers that gpsd has open; empty also where it has not said so yet.
  private var receivers: Set<String> = []
  private var lastToSpeak: String?
  private var failure: String?
  private var troubles: [(kind: String, last: String, count: Int)] = []

  /// Names of receivers, and kinds of trouble, that are kept; more are not told apart.
  private static let limit = 64

  var hasReceiver: Bool { !receivers.isEmpty }

  /// A report of a receiver came.
  mutating func heard(_ device: String) {
    lastToSpeak = device
    add(device)
  }

  /// Whether the device that was closed is the one that reported last.
  func spokeLast(_ device: GPSDEvent.Device) -> Bool {
    if case .closed(let path) = device { path == lastToSpeak } else { false }
  }

  /// Nobody wants a receiver any more.
  mutating func rest() { receivers = [] }

  /// `nil` where it was said before.
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
      add(path)
      return .detail(device.words)
    case .released: return .detail(device.words)
    case .closed(let path):
      // gpsd may say it twice.
      let isNews = receivers.remove(path) != nil
      return isWanted && isNews
        ? .remark("gpsd closed \(path): unplugged?") : .detail(device.words)
    }
  }

  /// In full the first time; `nil` afterwards.
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

  private mutating func add(_ path: String) {
    if receivers.count < Self.limit { receivers.insert(path) }
  }
}

extension GPSDEvent.Trouble {
  /// A piece of news that is told once.
  fileprivate var kind: String {
    switch self {
    case .timeWentBack(_, let device): "time went back: \(device.prefix(40))"
    case .overlongLine: "overlong line"
    case .badLine: "bad line"
    case .unpackDiffers: "unpack differs"
    case .protocolMismatch: "protocol mismatch"
    case .notReleased: "not released"
    case .reported: "reported"
    }
  }
}
