// SPDX-License-Identifier: Apache-2.0

// Theory
// ======
//
// Server-sent events bear `id: ERA-NUMBER`. A browser that lost its line says the last one (Last-Event-ID) and
// gets those behind it, as far as they are kept; to any other id belongs a `reset`, at which the page asks for
// the whole history again. While nobody looks nothing is made, so there is no telling what was missed: a
// new era begins with the next look.

/// The newest events, for who comes back.
struct EventLog: Sendable, Equatable {
  struct Event: Sendable, Equatable {
    let id: String
    let name: String
    /// One line.
    let data: String

    /// As it goes over the wire (HTML standard, 9.2.5).
    var text: String { "id: \(id)\nevent: \(name)\ndata: \(data)\n\n" }
  }

  /// Events that are kept: at one a second, half a minute.
  static let limit = 32

  private var era: String
  private var count = 0
  private(set) var events: [Event] = []

  init(era: String) { self.era = era }

  mutating func begin(era: String) {
    self.era = era
    (count, events) = (0, [])
  }

  mutating func add(_ name: String, _ data: String) -> Event {
    count += 1
    let event = Event(id: "\(era)-\(count)", name: name, data: data)
    events.append(event)
    if events.count > Self.limit { events.removeFirst() }
    return event
  }

  /// What came after the event of that id; `nil` where nobody knows.
  func after(_ id: String) -> [Event]? {
    guard let index = events.firstIndex(where: { $0.id == id }) else { return nil }
    return Array(events[(index + 1)...])
  }

  /// What a page is told whose last id is not known; it is no event that can be missed.
  static let reset = "event: reset\ndata: {}\n\n"
}
