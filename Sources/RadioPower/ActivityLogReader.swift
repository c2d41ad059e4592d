// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LocationModel

/// Reads activities from JSON lines, in pieces of any size; see ActivityLog.swift for the format.
///
/// It stops at the first line that is wrong: a log with a hole would give joules that mean nothing.
package struct ActivityLogReader: Sendable {
  /// Longer lines are refused.
  package static let lineLimit = 4096

  /// Lines begun so far.
  package private(set) var line = 0
  /// Whether the log said that it ends. A log that does not is metered up to its last record, and
  /// whoever meters it should say so.
  package private(set) var hasEnd = false
  private var pending: [UInt8] = []
  private var last = EngineInstant.zero

  package init() {}

  /// Reads the complete lines of what has come in so far and keeps the rest.
  package mutating func decode(
    _ bytes: borrowing Span<UInt8>, into activities: inout [Activity]
  ) throws(ActivityLogError) {
    for index in bytes.indices {
      let byte = bytes[index]
      if byte == 0x0A {
        try takeLine(into: &activities)
      } else {
        pending.append(byte)
        if pending.count > Self.lineLimit {
          line += 1
          throw fail("a line has at most \(Self.lineLimit) bytes")
        }
      }
    }
  }

  /// Reads a last line that no line feed ends.
  package mutating func finish(into activities: inout [Activity]) throws(ActivityLogError) {
    if !pending.isEmpty { try takeLine(into: &activities) }
  }

  private func fail(_ message: String) -> ActivityLogError {
    ActivityLogError(line: line, message: message)
  }

  private mutating func takeLine(into activities: inout [Activity]) throws(ActivityLogError) {
    line += 1
    defer { pending.removeAll(keepingCapacity: true) }
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    guard let first = pending.first(where: { !isBlank($0) }), first != UInt8(ascii: "#") else {
      return
    }
    let value: JSONValue
    do {
      value = try JSONValue.parse(pending.span)
    } catch {
      throw fail("this is not JSON: byte \(error.offset + 1), \(error.message)")
    }
    guard let members = value.members else { throw fail("a JSON object was expected") }
    guard !hasEnd else { throw fail("a record follows after \"end\"") }
    let at = try instant(value)
    let event = try ActivityRecord(value, keys: members.map(\.key)).event(fail)
    guard at >= last else {
      throw fail(
        "at_s runs backwards, from \(ActivityLogWriter.seconds(last.microseconds)) to "
          + ActivityLogWriter.seconds(at.microseconds))
    }
    last = at
    hasEnd = event == .end
    activities.append(Activity(at: at, event))
  }

  private func instant(_ value: JSONValue) throws(ActivityLogError) -> EngineInstant {
    guard let seconds = value["at_s"]?.number, seconds >= 0, seconds <= 1e9 else {
      throw fail("\"at_s\" must be a number of seconds from 0 to 1000000000")
    }
    return EngineInstant(microseconds: Int64((seconds * 1e6).rounded()))
  }
}

/// The members of one record.
private struct ActivityRecord {
  typealias Failure = (String) -> ActivityLogError
  let value: JSONValue
  let keys: [String]

  init(_ value: JSONValue, keys: [String]) {
    self.value = value
    self.keys = keys
  }

  func event(_ fail: Failure) throws(ActivityLogError) -> Activity.Event {
    guard let member = value["component"] else { return try bareEvent(fail) }
    switch member.string {
    case "gnss":
      try allow(["state"], fail)
      return .gnss(try word("state", ActivityWord.gnss, "gnss", fail))
    case "cell": return try cellEvent(fail)
    case "wifi": return try wifiEvent(fail)
    case "soc":
      if value["event"] != nil {
        try allow(["event"], fail)
        return try word("event", ActivityWord.impulses, "soc", fail)
      }
      try allow(["state"], fail)
      return .soc(try word("state", ActivityWord.soc, "soc", fail))
    case "sensor":
      try allow(["motion"], fail)
      return .motionSensor(try flag("motion", fail))
    case "flash":
      try allow(["commit"], fail)
      try demand("commit", fail)
      return .flashCommit
    default:
      let name = member.string.map { "the component \"\($0)\"" } ?? "this component"
      throw fail("\(name) is not known; allowed: " + ActivityWord.components.listed)
    }
  }

  private func bareEvent(_ fail: Failure) throws(ActivityLogError) -> Activity.Event {
    if value["end"] != nil {
      try allow(["end"], fail)
      try demand("end", fail)
      return .end
    }
    if value["metering"] != nil {
      try allow(["metering"], fail)
      return .metering(try flag("metering", fail))
    }
    throw fail(
      "\"component\" is missing (" + ActivityWord.components.listed
        + "); only \"end\" and \"metering\" go without")
  }

  private func cellEvent(_ fail: Failure) throws(ActivityLogError) -> Activity.Event {
    if value["wake"] != nil {
      try allow(["wake"], fail)
      try demand("wake", fail)
      return .cellWake
    }
    let (up, down, rate) = try transfer(fail, otherwise: "wake")
    return .cellTransfer(uploadBytes: up, downloadBytes: down, rateMbps: rate)
  }

  private func wifiEvent(_ fail: Failure) throws(ActivityLogError) -> Activity.Event {
    if value["scan"] != nil {
      try allow(["scan"], fail)
      try demand("scan", fail)
      return .wifiScan
    }
    let (up, down, rate) = try transfer(fail, otherwise: "scan")
    return .wifiTransfer(uploadBytes: up, downloadBytes: down, rateMbps: rate)
  }

  private func transfer(
    _ fail: Failure, otherwise: String
  ) throws(ActivityLogError) -> (Int, Int, Double?) {
    try allow(["upload_bytes", "download_bytes", "rate_mbps"], fail)
    guard value["upload_bytes"] != nil || value["download_bytes"] != nil else {
      throw fail("\"upload_bytes\", \"download_bytes\" or \"\(otherwise)\" is missing")
    }
    var rate: Double?
    if let member = value["rate_mbps"], member != .null {
      guard let number = member.number, number > 0 else {
        throw fail("\"rate_mbps\" must be a number above 0")
      }
      rate = number
    }
    return (try bytes("upload_bytes", fail), try bytes("download_bytes", fail), rate)
  }

  private func bytes(_ key: String, _ fail: Failure) throws(ActivityLogError) -> Int {
    guard let member = value[key] else { return 0 }
    guard let number = member.number, number >= 0, number <= ActivityWord.byteLimit,
      number == number.rounded()
    else { throw fail("\"\(key)\" must be a whole number from 0 to 1000000000000") }
    return Int(number)
  }

  private func word<Value>(
    _ key: String, _ table: [(String, Value)], _ component: String, _ fail: Failure
  ) throws(ActivityLogError) -> Value {
    let names = table.map(\.0).listed
    guard let text = value[key]?.string else {
      throw fail("\"\(key)\" of \(component) is missing or not text; allowed: \(names)")
    }
    guard let found = table.first(where: { $0.0 == text }) else {
      throw fail("the \(key) \"\(text)\" of \(component) is not known; allowed: \(names)")
    }
    return found.1
  }

  private func flag(_ key: String, _ fail: Failure) throws(ActivityLogError) -> Bool {
    guard let flag = value[key]?.bool else { throw fail("\"\(key)\" must be true or false") }
    return flag
  }

  private func demand(_ key: String, _ fail: Failure) throws(ActivityLogError) {
    guard value[key]?.bool == true else { throw fail("\"\(key)\" can only be true") }
  }

  private func allow(_ allowed: [String], _ fail: Failure) throws(ActivityLogError) {
    for key in keys where key != "at_s" && key != "component" && !allowed.contains(key) {
      throw fail("the key \"\(key)\" is not known here; allowed: " + (["at_s"] + allowed).listed)
    }
  }
}

extension [String] {
  fileprivate var listed: String { joined(separator: ", ") }
}
