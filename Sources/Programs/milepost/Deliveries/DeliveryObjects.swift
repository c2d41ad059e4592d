// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import LocationModel
import Replay

/// Deliveries in JSON objects that are no traces: our own replays, OwnTracks, Overland, lists in `data`.
struct DeliveryObjects {
  private(set) var format = "json"
  private(set) var deliveries: [TimedDelivery] = []
  private(set) var skipped: [String: Int] = [:]

  /// `nil` if the bytes are something else.
  init?(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: 0x0A)
    guard let first = lines.first(where: { $0.contains { $0 > 0x20 } }) else { return nil }
    if let value = Self.value(of: first) {
      guard let format = Self.format(of: value) else { return nil }
      self.format = format
      for line in lines where line.contains(where: { $0 > 0x20 }) {
        guard let value = Self.value(of: line) else {
          skip("malformed JSON")
          continue
        }
        takeValue(value)
      }
    } else if first.first == UInt8(ascii: "{") || first.first == UInt8(ascii: "[") {
      guard let value = try? JSONValue.parse(bytes.span), let format = Self.format(of: value) else {
        return nil
      }
      self.format = format
      takeValue(value)
    } else {
      return nil
    }
  }

  /// The JSON of a line; in OwnTracks recorder's files it follows the second tab.
  private static func value(of line: ArraySlice<UInt8>) -> JSONValue? {
    var text = line
    if line.first.map({ (0x30...0x39).contains($0) }) == true {
      let fields = line.split(separator: 0x09, maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { return nil }
      text = fields[2]
    }
    guard text.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") || text.first == UInt8(ascii: "[")
    else { return nil }
    return try? JSONValue.parse(Array(text).span)
  }

  private static func format(of value: JSONValue) -> String? {
    if value["seq"] != nil, value["event"]?.string != nil { return "milepost-replay" }
    if value["_type"]?.string != nil { return "owntracks" }
    if let list = value["locations"]?.array {
      return list.first?["geometry"] == nil ? "json" : "overland"
    }
    if let list = value.array ?? value["data"]?.array {
      return list.first.map { format(of: $0) ?? "json" } ?? "json"
    }
    return nil
  }

  private mutating func skip(_ reason: String) { skipped[reason, default: 0] += 1 }

  private mutating func takeValue(_ value: JSONValue) {
    if let list = value.array ?? value["locations"]?.array ?? value["data"]?.array {
      for element in list { takeValue(element) }
      return
    }
    if let event = value["event"]?.string, value["seq"] != nil, event != "deliver" {
      return skip("another event")
    }
    if let type = value["_type"]?.string, type != "location" { return skip("not a location") }
    if let geometry = value["geometry"] {
      let place = geometry["coordinates"]?.array ?? []
      return takePosition(
        value["properties"] ?? .null, longitude: place.first?.number,
        latitude: place.count > 1 ? place[1].number : nil)
    }
    takePosition(
      value, longitude: value.number("longitude", "lon", "lng"),
      latitude: value.number("latitude", "lat"))
  }

  private mutating func takePosition(_ value: JSONValue, longitude: Double?, latitude: Double?) {
    guard let longitude, let latitude else { return skip("no position") }
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
      return skip("coordinate out of range")
    }
    guard let time = value.instant("time", "timestamp", "tst") else { return skip("no time") }
    let accuracy = value.number("accuracy_m", "accuracy", "acc", "horizontal_accuracy")
    deliveries.append(
      TimedDelivery(
        time: time, coordinate: coordinate, accuracy: accuracy.flatMap { $0 > 0 ? $0 : nil },
        isCached: value["cached"]?.bool ?? false))
  }
}

extension JSONValue {
  /// The first of these members that is a number.
  fileprivate func number(_ keys: String...) -> Double? {
    for key in keys {
      if let number = self[key]?.number { return number }
    }
    return nil
  }

  /// The first of these members that is a time: RFC 3339, or seconds or milliseconds since 1970.
  fileprivate func instant(_ keys: String...) -> UTCInstant? {
    for key in keys {
      if let text = self[key]?.string, let time = RFC3339.parse(Array(text.utf8).span) {
        return time.instant
      }
      if let number = self[key]?.number, number.magnitude < 1e14 {
        // From 10¹¹ on it is milliseconds: in seconds that is the year 5138.
        let scale = number.magnitude < 1e11 ? 1e6 : 1e3
        return UTCInstant(microseconds: Int64((number * scale).rounded()))
      }
    }
    return nil
  }
}
