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

  package static func report(_ list: List) -> Report {
    let column = 4 + ((list.devices + list.networks).map(\.name.count).max() ?? 0)
    return Report {
      Node.title("Devices", " (--profile)")
      for entry in list.devices {
        let usual = entry.name == list.usual ? " (the default)" : ""
        Node.fact(entry.name, "\(entry.title); network \(entry.detail)\(usual)", column: column)
      }
      Node.part {
        Node.title("Networks", " (--network)")
        for entry in list.networks {
          Node.fact(entry.name, "\(entry.title); model \(entry.detail)", column: column)
        }
      }
    }
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

  /// Every number with its range, unit, certainty and source, and of a device the consequences of its numbers.
  package static func report(_ shown: Shown) -> Report {
    let table = Table(
      alignment: .words,
      rows: shown.numbers.map { number in
        [
          number.key.description, "\(number.nominalWords) \(number.unit)", number.rangeWords,
          number.confidence.rawValue, number.source,
        ]
      })
    return Report {
      Node.title(shown.entry.name, ": \(shown.entry.title); \(shown.entry.detail)")
      Node.part { Node.table(table) }
      if let device = shown.device { Node.part { Node.sentence(consequences(device)) } }
    }
  }

  /// The consequences of a device's numbers, in words: when switching the receiver off pays, and how
  /// little a hard guarantee would leave.
  private static func consequences(_ device: DeviceProfile) -> String {
    let usual = device.starts.usual
    let start = device.timeToFirstFix(start: usual, environment: .pocket).mean
    let breakEven = device.breakEvenPause(start: usual, seconds: start).map {
      "Switching the receiver off pays for pauses of more than \(Figures.span($0)), with "
        + "\(usual == .assisted ? "an" : "a") \(usual.rawValue) start of \(Figures.span(start)) in the pocket."
    }
    func pause(at speed: Double) -> String {
      // 500 m less 50 m of accuracy, at a speed that it may have at once [ours].
      let seconds = 450 / speed
      return seconds > start ? Figures.span(seconds - start) + " at a time" : "not at all"
    }
    return
      (breakEven ?? "Switching the receiver off saves nothing: it draws as much when it is off.")
      + " Never to miss a move of 500 m without any hint, it may sleep \(pause(at: 2.5)) on foot "
      + "(2.5 m/s) and \(pause(at: 40)) in a car (40 m/s)."
  }

  /// One profile in the output of `show`.
  package typealias Shown = (entry: Entry, device: DeviceProfile?, numbers: [ProfileNumber])

  package static let showDocument = JSONDocument<Shown>(
    "milepost.profile/1",
    "milepost profiles show --json: every number of a profile."
  ) { shown in
    shown.value("kind", .words(["device", "network"])) { $0.device == nil ? "network" : "device" }
    shown.value("name", \.entry.name)
    shown.value("title", \.entry.title)
    shown.optionalValue("network", String.json, about: "Of a device.") {
      $0.device == nil ? nil : $0.entry.detail
    }
    shown.optionalValue("model", String.json, about: "Of a network.") {
      $0.device == nil ? $0.entry.detail : nil
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
