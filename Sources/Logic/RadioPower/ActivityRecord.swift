// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// The members of one record.
struct ActivityRecord {
  typealias Failure = (String) -> ActivityLogError
  private let value: JSONValue
  private let keys: [String]

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
