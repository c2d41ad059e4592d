// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// A form of record: its component, the key by which it is known, and what its value says. Transfers, which have several
/// keys, are the rest.
private struct ActivityForm: Sendable {
  enum Values: Sendable {
    /// The only value is `true`.
    case truth(Activity.Event)
    case flag(@Sendable (Bool) -> Activity.Event)
    case word([(word: String, event: Activity.Event)])
  }

  /// `nil` for those that go without.
  let component: String?
  let key: String
  let values: Values

  /// The first form of a component counts whose key is there, else the last. `track` is good tracking.
  static let all = [
    Self(
      component: "gnss", key: "state",
      values: .word(
        Activity.GNSSState.allCases.map { ($0.rawValue, .gnss($0)) }
          + [("track", .gnss(.trackGood))])),
    Self(component: "cell", key: "wake", values: .truth(.cellWake)),
    Self(component: "wifi", key: "scan", values: .truth(.wifiScan)),
    Self(
      component: "soc", key: "event",
      values: .word([("launch", .launch), ("wake", .wake), ("delivery", .delivery)])),
    Self(
      component: "soc", key: "state",
      values: .word(Activity.SoCState.allCases.map { ($0.rawValue, .soc($0)) })),
    Self(component: "sensor", key: "motion", values: .flag { .motionSensor($0) }),
    Self(component: "device", key: "moving", values: .flag { .moving($0) }),
    Self(component: "flash", key: "commit", values: .truth(.flashCommit)),
    Self(component: nil, key: "end", values: .truth(.end)),
    Self(component: nil, key: "metering", values: .flag { .metering($0) }),
  ]
}

/// The members of one record.
struct ActivityRecord {
  let value: JSONValue
  let fail: (String) -> InputError

  private static let components = ["gnss", "cell", "wifi", "soc", "sensor", "device", "flash"]
  /// Bytes of one transfer: 1 TB is more than any radio here carries in a year.
  private static let byteLimit = 1e12

  func event() throws(InputError) -> Activity.Event {
    let member = value["component"]
    let component = member?.string
    if let member, !Self.components.contains(component ?? "") {
      let name = member.string.map { "the component \"\($0)\"" } ?? "this component"
      throw fail("\(name) is not known; allowed: " + Self.components.listed)
    }
    let forms = ActivityForm.all.filter { $0.component == component }
    if let form = forms.first(where: { value[$0.key] != nil }) { return try event(form) }
    switch component {
    case nil:
      throw fail(
        "\"component\" is missing (" + Self.components.listed
          + "); only \"end\" and \"metering\" go without")
    case "cell":
      let (up, down, rate) = try transfer(otherwise: "wake")
      return .cellTransfer(uploadBytes: up, downloadBytes: down, rateMbps: rate)
    case "wifi":
      let (up, down, rate) = try transfer(otherwise: "scan")
      return .wifiTransfer(uploadBytes: up, downloadBytes: down, rateMbps: rate)
    default: return try event(forms[forms.count - 1])
    }
  }

  private func event(_ form: ActivityForm) throws(InputError) -> Activity.Event {
    let (key, member) = (form.key, value[form.key])
    try allow([key])
    switch form.values {
    case .truth(let event):
      guard member?.bool == true else { throw fail("\"\(key)\" can only be true") }
      return event
    case .flag(let event):
      guard let flag = member?.bool else { throw fail("\"\(key)\" must be true or false") }
      return event(flag)
    case .word(let words):
      let (component, names) = (form.component ?? "", words.map(\.word).listed)
      guard let text = member?.string else {
        throw fail("\"\(key)\" of \(component) is missing or not text; allowed: \(names)")
      }
      guard let found = words.first(where: { $0.word == text }) else {
        throw fail("the \(key) \"\(text)\" of \(component) is not known; allowed: \(names)")
      }
      return found.event
    }
  }

  private func transfer(otherwise: String) throws(InputError) -> (Int, Int, Double?) {
    try allow(["upload_bytes", "download_bytes", "rate_mbps"])
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
    return (try bytes("upload_bytes"), try bytes("download_bytes"), rate)
  }

  private func bytes(_ key: String) throws(InputError) -> Int {
    guard let member = value[key] else { return 0 }
    guard let number = member.number, number >= 0, number <= Self.byteLimit,
      number == number.rounded()
    else { throw fail("\"\(key)\" must be a whole number from 0 to 1000000000000") }
    return Int(number)
  }

  private func allow(_ allowed: [String]) throws(InputError) {
    for member in value.members ?? []
    where member.key != "at_s" && member.key != "component" && !allowed.contains(member.key) {
      throw fail(
        "the key \"\(member.key)\" is not known here; allowed: " + (["at_s"] + allowed).listed)
    }
  }
}

extension [String] {
  fileprivate var listed: String { joined(separator: ", ") }
}
