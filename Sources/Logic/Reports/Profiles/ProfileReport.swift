// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import RadioPower
import ServiceContract

/// `milepost profiles`: device and network profiles as text and JSON.
package enum ProfileReport {
  /// One profile in the output of `list`.
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

  package static func list(_ list: List, style: TextStyle) -> String {
    let width = ((list.devices + list.networks).map(\.name.count).max() ?? 0) + 2
    let line = { (entry: Entry, note: String) in
      "  " + entry.name + String(repeating: " ", count: width - entry.name.count) + entry.title
        + note
        + "\n"
    }
    var text = style.bold("Devices") + " (--profile)\n"
    for entry in list.devices {
      text += line(
        entry, "; network \(entry.detail)" + (entry.name == list.usual ? " (the default)" : ""))
    }
    text += "\n" + style.bold("Networks") + " (--network)\n"
    for entry in list.networks { text += line(entry, "; model \(entry.detail)") }
    return text
  }

  /// All profiles, and the name of the default device.
  package typealias List = (devices: [Entry], networks: [Entry], usual: String)

  package static let listDocument = JSONDocument<List>(
    "milepost.profiles/1",
    "milepost profiles list --json."
  ) { list in
    list.value("default", \.usual)
    for (name, entries, detail) in [
      ("devices", \List.devices, "network"), ("networks", \List.networks, "model"),
    ] as [(String, any KeyPath<List, [Entry]> & Sendable, String)] {
      list.objects(name, { $0[keyPath: entries] }) { entry in
        entry.value("name", \.name)
        entry.value("title", \.title)
        entry.value(detail, \.detail)
      }
    }
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

  /// The consequences of a device's numbers, in words: when switching the receiver off pays, and how
  /// little a hard guarantee would leave.
  package static func consequences(_ device: DeviceProfile) -> String {
    let start = device.timeToFirstFix(start: .hot, environment: .pocket).mean
    let breakEven = device.breakEvenPause(start: .hot, seconds: start).map {
      "Switching the receiver off pays for pauses of more than \(Figures.span($0)), with a hot start "
        + "of \(Figures.span(start)) in the pocket."
    }
    func pause(at speed: Double) -> String {
      // 500 m less 50 m of accuracy, at a speed that it may have at once [ours].
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

  /// One profile in the output of `show`.
  package typealias Shown = (entry: Entry, isDevice: Bool, numbers: [ProfileNumber])

  package static let showDocument = JSONDocument<Shown>(
    "milepost.profile/1",
    "milepost profiles show --json: every number of a profile."
  ) { shown in
    shown.value("kind", .words(["device", "network"])) { $0.isDevice ? "device" : "network" }
    shown.value("name", \.entry.name)
    shown.value("title", \.entry.title)
    shown.optionalValue("network", String.json, about: "Of a device.") {
      $0.isDevice ? $0.entry.detail : nil
    }
    shown.optionalValue("model", String.json, about: "Of a network.") {
      $0.isDevice ? nil : $0.entry.detail
    }
    shown.objects("numbers", \.numbers) { number in
      number.value("component", \.key.component)
      number.value("state", \.key.state)
      number.value("quantity", \.key.quantity)
      number.known("nominal", decimals: 9, \.value.nominal)
      number.known("low", decimals: 9, \.value.low)
      number.known("high", decimals: 9, \.value.high)
      number.value("unit", \.unit)
      number.value("confidence", .word(among: Confidence.allCases), { $0.confidence })
      number.value("source", \.source)
    }
  }

  package static let checkDocument = JSONDocument<(file: String, errors: [ProfileError])>(
    "milepost.profile-check/1",
    "milepost profiles check --json."
  ) { check in
    check.value("file", \.file)
    check.value("ok", \.errors.isEmpty)
    check.objects("errors", \.errors) { error in
      error.value("line", \.line)
      error.value("key", \.key)
      error.value("value", \.value)
      error.value("message", \.message)
      error.value("allowed", \.allowed)
    }
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
