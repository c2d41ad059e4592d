// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import LocationModel
import ServiceContract

// Theory
// ======
//
// A template is a text with placeholders, `%LAT`: GPSLogger's names, in any case, and some of our own. Values are
// encoded for their context. In a URL or a form they are percent-encoded; in JSON they are escaped within quotes, and
// outside of them a number is a number, a text gets its quotes, and an unknown value is null. Elsewhere an unknown
// value is empty. The longest matching name counts: `%TIMESTAMP` is not `%TIME`.

/// A text with placeholders for an event's values.
struct EventTemplate: Sendable, Equatable {
  /// The form of a text, which determines the encoding of values.
  enum Form: Sendable, Equatable {
    case url
    case json
    case text
  }

  enum Value: Equatable {
    case number(String)
    case text(String)
    case bool(Bool)
    case unknown
  }

  private enum Piece: Sendable, Equatable {
    case text(String)
    case field(EventField, isQuoted: Bool)
  }

  private let form: Form
  private let pieces: [Piece]

  init(_ text: String, form: Form) {
    self.form = form
    var pieces: [Piece] = []
    var plain = ""
    var rest = text[...]
    var isQuoted = false
    while let character = rest.first {
      if character == "%", let (field, length) = EventField.named(in: rest.dropFirst()) {
        pieces += [.text(plain), .field(field, isQuoted: isQuoted)]
        plain = ""
        rest = rest.dropFirst(1 + length)
        continue
      }
      plain.append(character)
      rest = rest.dropFirst()
      if character == "\\", let escaped = rest.first {
        plain.append(escaped)
        rest = rest.dropFirst()
      } else if character == "\"" {
        isQuoted.toggle()
      }
    }
    self.pieces = pieces + [.text(plain)]
  }

  func text(for pending: PendingDelivery) -> String { text { $0.value(of: pending) } }

  /// The text with all values unknown.
  var emptied: String { text { _ in .unknown } }

  private func text(_ value: (EventField) -> Value) -> String {
    var text = ""
    for piece in pieces {
      switch piece {
      case .text(let plain): text += plain
      case .field(let field, let isQuoted): text += written(value(field), isQuoted: isQuoted)
      }
    }
    return text
  }

  private func written(_ value: Value, isQuoted: Bool) -> String {
    switch (value, form) {
    case (.number(let text), _): return text
    case (.bool(let isTrue), _): return isTrue ? "true" : "false"
    case (.unknown, .json): return isQuoted ? "" : "null"
    case (.unknown, _): return ""
    case (.text(let text), .url): return PercentCoding.component(text)
    case (.text(let text), .text): return text
    case (.text(let text), .json):
      var json = JSONWriter()
      json.string(text)
      return isQuoted ? String(json.text.dropFirst().dropLast()) : json.text
    }
  }
}

/// The values of an event for a template; the raw values are the placeholders' names.
enum EventField: String, CaseIterable, Sendable {
  // GPSLogger's.
  case latitude = "LAT"
  case longitude = "LON"
  case altitude = "ALT"
  case accuracy = "ACC"
  /// Metres per second.
  case speed = "SPD"
  case speedInKilometresPerHour = "SPD_KPH"
  case direction = "DIR"
  case satellites = "SAT"
  /// `gps` or `network`.
  case provider = "PROV"
  /// Seconds since 1970.
  case timestamp = "TIMESTAMP"
  case time = "TIME"
  case date = "DATE"
  case hdop = "HDOP"
  // Ours.
  /// The app's number and the event's: the same at each repetition.
  case id = "ID"
  /// Counts the events of the app.
  case number = "NUMBER"
  case service = "SERVICE"
  /// `position`, `enter`, `leave`, `arrive`, `depart` or `heartbeat`.
  case event = "EVENT"
  case region = "REGION"
  case arrival = "ARRIVAL"
  case departure = "DEPARTURE"
  /// The time of the service's decision to deliver it.
  case decided = "DECIDED"
  case isCached = "CACHED"

  /// Longer names first.
  private static let byLength = allCases.sorted { $0.rawValue.utf8.count > $1.rawValue.utf8.count }

  /// The field whose name is at the start of `text`, and the length of that name.
  static func named(in text: Substring) -> (EventField, Int)? {
    let head = text.prefix(16).uppercased()
    guard let field = byLength.first(where: { head.hasPrefix($0.rawValue) }) else { return nil }
    return (field, field.rawValue.count)
  }

  func value(of pending: PendingDelivery) -> EventTemplate.Value {
    let delivery = pending.delivery
    let fix = delivery.fix
    let time = pending.moment
    return switch self {
    case .latitude: .number(Decimal.text(fix.coordinate.latitude, decimals: 6))
    case .longitude: .number(Decimal.text(fix.coordinate.longitude, decimals: 6))
    case .altitude: Self.number(fix.altitude)
    case .accuracy: Self.number(fix.horizontalAccuracy)
    case .speed: Self.number(fix.speed)
    case .speedInKilometresPerHour: Self.number(fix.speed.map { $0 * 3.6 })
    case .direction: Self.number(fix.course)
    case .satellites: fix.satellites.map { .number(String($0)) } ?? .unknown
    case .provider: .text(fix.source == .gnss ? "gps" : "network")
    case .timestamp: .number(String(time.wholeSeconds))
    case .time: .text(time.rfc3339)
    case .date: .text(String(time.day))
    case .hdop: Self.number(fix.hdop)
    case .id: .text(pending.identity)
    case .number: .number(String(delivery.sequence))
    case .service: .text(delivery.service.rawValue)
    case .event: .text(pending.word)
    case .region: (delivery.event?.region).map { .text($0) } ?? .unknown
    case .arrival: (delivery.event?.visit?.arrival?.rfc3339).map { .text($0) } ?? .unknown
    case .departure:
      (delivery.event?.visit?.departure?.rfc3339).map { .text($0) } ?? .unknown
    case .decided: .text(pending.received.rfc3339)
    case .isCached: .bool(delivery.isCached)
    }
  }

  /// With at most two decimals.
  private static func number(_ value: Double?) -> EventTemplate.Value {
    guard let value, value.isFinite else { return .unknown }
    return .number(Decimal.text(value, decimals: 2, trimmed: true))
  }
}
