// SPDX-License-Identifier: Apache-2.0

import JSONText
package import RadioPower
import Scoring
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
    let text = style.bold(entry.name) + ": \(entry.title); \(entry.detail)\n\n"
    var table = TextTable(isLeft: true)
    for number in numbers {
      table.row([
        number.key.description, "\(number.nominalWords) \(number.unit)", number.rangeWords,
        number.confidence.rawValue, number.source,
      ])
    }
    return text + table.text(.plain)
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
      // 500 m less 50 m of accuracy, at a speed that it may have at once.
      let seconds = EarliestCrossing(speed: speed, acceleration: 0, limit: speed).seconds(to: 450)
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
      json.objects("numbers", numbers) {
        [
          "component": .text($0.key.component), "state": .text($0.key.state),
          "quantity": .text($0.key.quantity), "nominal": .number($0.value.nominal, decimals: 9),
          "low": .number($0.value.low, decimals: 9), "high": .number($0.value.high, decimals: 9),
          "unit": .text($0.unit), "confidence": .text($0.confidence.rawValue),
          "source": .text($0.source),
        ]
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
            json.strings("allowed", error.allowed)
          }
        }
      }
    }
    return json.bytes
  }
}

extension ProfileNumber {
  /// The row of the profile in words: `soc awake_idle power`.
  var name: String { "\(key.component) \(key.state) \(key.quantity)" }

  /// The value and its range as the profile has them.
  var nominalWords: String { Self.exact(value.nominal) }
  var rangeWords: String { "\(Self.exact(value.low))–\(Self.exact(value.high))" }

  private static func exact(_ value: Double) -> String {
    Decimal.text(value, decimals: 6, trimmed: true)
  }
}

extension JSONWriter {
  fileprivate mutating func entries(
    _ name: String, _ entries: [ProfileReport.Entry], detail: String
  ) {
    objects(name, entries) {
      ["name": .text($0.name), "title": .text($0.title), detail: .text($0.detail)]
    }
  }
}
