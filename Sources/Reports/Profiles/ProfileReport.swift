// SPDX-License-Identifier: Apache-2.0

import JSONText
package import RadioPower
import Wording

/// `milepost profiles`: device and network profiles as text and JSON.
package enum ProfileReport {
  /// What `list` says of one profile.
  package struct Entry: Sendable {
    package let name: String
    package let title: String
    /// The usual network of a device, or the kind of link of a network.
    package let detail: String

    package init(_ device: DeviceProfile) {
      (name, title, detail) = (device.name, device.title, device.network)
    }

    package init(_ network: NetworkProfile) {
      (name, title, detail) = (network.name, network.title, network.model)
    }
  }

  package static func list(
    devices: [Entry], networks: [Entry], usual: String, style: TextStyle
  ) -> String {
    let width = ((devices + networks).map(\.name.count).max() ?? 0) + 2
    let line = { (entry: Entry, note: String) in
      "  " + entry.name + String(repeating: " ", count: width - entry.name.count) + entry.title
        + note
        + "\n"
    }
    var text = style.bold("Devices") + " (--profile)\n"
    for entry in devices {
      text += line(
        entry, "; network \(entry.detail)" + (entry.name == usual ? " (the default)" : ""))
    }
    text += "\n" + style.bold("Networks") + " (--network)\n"
    for entry in networks { text += line(entry, "; model \(entry.detail)") }
    return text
  }

  /// Schema `milepost.profiles/1`.
  package static func listJSON(devices: [Entry], networks: [Entry], usual: String) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("schema", "milepost.profiles/1")
      json.member("default", usual)
      json.entries("devices", devices, detail: "network")
      json.entries("networks", networks, detail: "model")
    }
    return json.bytes
  }

  /// Every number with its range, unit, certainty and source.
  package static func show(_ entry: Entry, _ numbers: [ProfileNumber], style: TextStyle) -> String {
    var text = style.bold(entry.name) + ": \(entry.title); \(entry.detail)\n\n"
    let keys = numbers.map(\.key.description)
    let values = numbers.map { "\(plain($0.value.nominal)) \($0.unit)" }
    let ranges = numbers.map { "\(plain($0.value.low))–\(plain($0.value.high))" }
    let widths = [keys, values, ranges].map { $0.map(\.count).max() ?? 0 }
    for (index, number) in numbers.enumerated() {
      text += pad(keys[index], widths[0]) + "  " + pad(values[index], widths[1]) + "  "
      text += pad(ranges[index], widths[2]) + "  " + pad(number.confidence.rawValue, 8) + "  "
      text += number.source + "\n"
    }
    return text
  }

  /// What follows from a device's numbers, in words: when switching the receiver off pays, and how
  /// little a hard guarantee would leave.
  package static func consequences(_ device: DeviceProfile) -> String {
    let start = device.timeToFirstFix(start: .hot, environment: .pocket).mean
    let breakEven = device.breakEvenPause(start: .hot, seconds: start).map {
      "Switching the receiver off pays for pauses of more than \(Figures.span($0)), with a hot start "
        + "of \(Figures.span(start)) in the pocket."
    }
    func pause(at speed: Double) -> String {
      // 500 m less 50 m of accuracy, at a speed that it may have at once (power model, section 8.1).
      let seconds = 450 / speed
      return seconds > start ? Figures.span(seconds - start) + " at a time" : "not at all"
    }
    let guarantee =
      "Never to miss a move of 500 m without any hint, it may sleep \(pause(at: 2.5)) on foot "
      + "(2.5 m/s) and \(pause(at: 40)) in a car (40 m/s)."
    return "\n"
      + Paragraph.text(
        (breakEven ?? "Switching the receiver off saves nothing: it draws as much when it is off.")
          + " " + guarantee)
  }

  /// Schema `milepost.profile/1`.
  package static func showJSON(_ entry: Entry, kind: String, _ numbers: [ProfileNumber]) -> [UInt8]
  {
    var json = JSONWriter()
    json.object { json in
      json.member("schema", "milepost.profile/1")
      json.member("kind", kind)
      json.member("name", entry.name)
      json.member("title", entry.title)
      json.member(kind == "device" ? "network" : "model", entry.detail)
      json.key("numbers")
      json.array { json in
        for number in numbers { json.number(number) }
      }
    }
    return json.bytes
  }

  /// Schema `milepost.profile-check/1`.
  package static func checkJSON(_ file: String, errors: [ProfileError]) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("schema", "milepost.profile-check/1")
      json.member("file", file)
      json.member("ok", errors.isEmpty)
      json.key("errors")
      json.array { json in
        for error in errors {
          json.object { json in
            json.member("line", error.line)
            json.member("key", error.key)
            json.member("value", error.value)
            json.member("message", error.message)
            json.key("allowed")
            json.array { json in for value in error.allowed { json.string(value) } }
          }
        }
      }
    }
    return json.bytes
  }

  private static func plain(_ value: Double) -> String {
    Decimal.text(value, decimals: 6, trimmed: true)
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

extension JSONWriter {
  fileprivate mutating func entries(
    _ name: String, _ entries: [ProfileReport.Entry], detail: String
  ) {
    key(name)
    array { json in
      for entry in entries {
        json.object { json in
          json.member("name", entry.name)
          json.member("title", entry.title)
          json.member(detail, entry.detail)
        }
      }
    }
  }

  fileprivate mutating func number(_ number: ProfileNumber) {
    object { json in
      json.member("component", number.key.component)
      json.member("state", number.key.state)
      json.member("quantity", number.key.quantity)
      json.member("nominal", number.value.nominal, decimals: 9)
      json.member("low", number.value.low, decimals: 9)
      json.member("high", number.value.high, decimals: 9)
      json.member("unit", number.unit)
      json.member("confidence", number.confidence.rawValue)
      json.member("source", number.source)
    }
  }
}
