// SPDX-License-Identifier: Apache-2.0

// Theory
// ======
//
// Server-sent events carry `id: ERA-NUMBER`. A browser that lost its connection sends the last one (Last-Event-ID) and
// gets the later ones that are still kept; any other id gets a `reset`, upon which the page requests the whole history
// again. Without a viewer no events are made, so missed ones are unknown: a new era begins with the next viewer.

/// The newest events, for reconnecting browsers.
struct EventLog: Sendable, Equatable {
  struct Event: Sendable, Equatable {
    let id: String
    let name: String
    /// One line.
    let data: String

    /// The wire format (HTML standard, 9.2.5).
    var text: String { "id: \(id)\nevent: \(name)\ndata: \(data)\n\n" }
  }

  /// The limit of kept events: at one a second, half a minute.
  static let limit = 32

  private var era: String
  private var count = 0
  private(set) var events: [Event] = []

  init(era: String) { self.era = era }

  mutating func begin(era: String) {
    self.era = era
    (count, events) = (0, [])
  }

  mutating func addEvent(_ name: String, _ data: String) -> Event {
    count += 1
    let event = Event(id: "\(era)-\(count)", name: name, data: data)
    events.append(event)
    if events.count > Self.limit { events.removeFirst() }
    return event
  }

  /// The events after the one with that id; `nil` if unknown.
  func after(_ id: String) -> [Event]? {
    guard let index = events.firstIndex(where: { $0.id == id }) else { return nil }
    return Array(events[(index + 1)...])
  }

  /// The message to a page with an unknown last id; it is no event that can be missed.
  static let reset = "event: reset\ndata: {}\n\n"
}
