// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationEngine
import LocationModel

// Theory
// ======
//
// An option is stated once: its key, its meaning, its allowed values, the effect of a change, and its place in a
// configuration. From the list the file is read, the explained file is written, two configurations are compared, and
// immediate changes are taken over.

/// One key of the configuration file.
struct ConfigurationOption: Sendable {
  typealias Names = DaemonConfiguration.KnownNames
  typealias Effect = ConfigurationChange.Effect

  let key: String
  /// One or two sentences.
  let explanation: String
  /// The allowed values, with range and unit.
  let allowed: String
  let effect: Effect
  /// The example in the explained file for an option without a default.
  let example: String
  /// The value as YAML writes it; `nil` if the configuration has none.
  let text: @Sendable (DaemonConfiguration) -> String?
  /// The change from the configuration before, in words; `nil` if there is none.
  let change: @Sendable (_ old: DaemonConfiguration, _ new: DaemonConfiguration) -> String?
  /// Reads the key into a configuration; faults are noted in the table.
  let read: @Sendable (inout DaemonConfiguration, inout SettingsTable, Names) -> Void
  /// Takes the value over from another configuration.
  let adopt: @Sendable (inout DaemonConfiguration, DaemonConfiguration) -> Void

  typealias Path<Value> = any WritableKeyPath<DaemonConfiguration, Value> & Sendable

  /// An option by its reader: a missing or faulty value leaves the configuration unchanged.
  init<Value: Equatable & SendableMetatype>(
    _ key: String, _ path: Path<Value>, _ effect: Effect, allowed: String, _ explanation: String,
    example: String = "", text: @escaping @Sendable (Value) -> String?,
    change: (@Sendable (Value, Value) -> String)? = nil,
    read: @escaping @Sendable (inout SettingsTable, Names) -> Value?
  ) {
    self.key = key
    self.explanation = explanation
    self.allowed = allowed
    self.effect = effect
    self.example = example
    self.text = { text($0[keyPath: path]) }
    let words = change ?? { "\(text($0) ?? "none") becomes \(text($1) ?? "none")" }
    self.change = { old, new in
      let (before, after) = (old[keyPath: path], new[keyPath: path])
      return before == after ? nil : words(before, after)
    }
    self.read = { configuration, table, names in
      if let value = read(&table, names) { configuration[keyPath: path] = value }
    }
    adopt = { $0[keyPath: path] = $1[keyPath: path] }
  }

  // MARK: Kinds of options

  private static func number(
    _ key: String, _ path: Path<Double>, in range: ClosedRange<Double>, _ unit: String,
    _ effect: Effect, _ explanation: String
  ) -> Self {
    let (low, high) = (Decimal.shortest(range.lowerBound), Decimal.shortest(range.upperBound))
    return Self(
      key, path, effect, allowed: "\(low) to \(high) \(unit)", explanation,
      text: Decimal.shortest, read: { table, _ in table.number(key, in: range, unit: unit) })
  }

  /// An optional number.
  private static func optionalNumber(
    _ key: String, _ path: Path<Double?>, in range: ClosedRange<Double>, _ unit: String,
    _ effect: Effect, _ explanation: String, example: String
  ) -> Self {
    let (low, high) = (Decimal.shortest(range.lowerBound), Decimal.shortest(range.upperBound))
    return Self(
      key, path, effect, allowed: "\(low) to \(high) \(unit)", explanation, example: example,
      text: { $0.map(Decimal.shortest) },
      read: { table, _ in .some(table.number(key, in: range, unit: unit)) })
  }

  private static func integer(
    _ key: String, _ path: Path<Int>, in range: ClosedRange<Int>, _ effect: Effect,
    _ explanation: String
  ) -> Self {
    Self(
      key, path, effect, allowed: "\(range.lowerBound) to \(range.upperBound)", explanation,
      text: { String($0) }, read: { table, _ in table.integer(key, in: range) })
  }

  private static func flag(
    _ key: String, _ path: Path<Bool>, _ effect: Effect, _ explanation: String
  ) -> Self {
    Self(
      key, path, effect, allowed: "true, false", explanation, text: { String($0) },
      read: { table, _ in table.bool(key) })
  }

  /// One of a closed list of words.
  private static func word<Word: RawRepresentable<String> & CaseIterable & Equatable & Sendable>(
    _ key: String, _ path: Path<Word>, _ effect: Effect, _ explanation: String
  ) -> Self {
    let words = Array(Word.allCases)
    return Self(
      key, path, effect, allowed: words.map(\.rawValue).joined(separator: ", "), explanation,
      text: { quoted($0.rawValue) }, read: { table, _ in table.choice(key, among: words) })
  }

  /// A text of at most `limit` bytes; `nil` if it is optional and missing.
  static func text(
    _ key: String, _ path: Path<String?>, upTo limit: Int, _ effect: Effect, allowed: String,
    _ explanation: String, example: String
  ) -> Self {
    Self(
      key, path, effect, allowed: allowed, explanation, example: example,
      text: { $0.map(quoted) }, read: { table, _ in .some(table.plainText(key, upTo: limit)) })
  }

  /// A list of tables with names, by which changes are reported. The tables' content goes into no log: it may be a
  /// secret (in a URL), or the hidden place.
  private static func tables<Table: Equatable & SendableMetatype>(
    _ key: String, _ path: Path<[Table]>, name: @escaping @Sendable (Table) -> String,
    _ effect: Effect, allowed: String, _ explanation: String, example: String,
    read: @escaping @Sendable (inout SettingsTable, Names) -> [Table]?
  ) -> Self {
    Self(
      key, path, effect, allowed: allowed, explanation, example: example, text: { _ in nil },
      change: { old, new in
        let gone = Set(old.map(name)).subtracting(new.map(name)).sorted()
        let words = new.compactMap { table -> String? in
          guard let before = old.first(where: { name($0) == name(table) }) else {
            return "\(name(table)) is new"
          }
          return before == table ? nil : "\(name(table)) is changed"
        }
        let all = words + gone.map { "\($0) is gone" }
        return all.isEmpty ? "in another order" : all.joined(separator: ", ")
      }, read: read)
  }

  /// A name known to other targets.
  private static func name(
    _ key: String, _ path: Path<String>, _ known: @escaping @Sendable (Names) -> [String]?,
    _ effect: Effect, allowed: String, _ explanation: String
  ) -> Self {
    Self(
      key, path, effect, allowed: allowed, explanation, text: quoted,
      read: { table, names in table.name(key, among: known(names)) })
  }

  /// A text as YAML writes it: plain where it can be nothing else, else in quotes.
  static func quoted(_ text: String) -> String {
    let isPlain =
      text.utf8.first.map { Self.isLetter($0) || $0 == UInt8(ascii: "/") } ?? false
      && text.utf8.allSatisfy { Self.isLetter($0) || "0123456789._-/".utf8.contains($0) }
    if isPlain, !["true", "false", "null"].contains(text.lowercased()) { return text }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { quoted.unicodeScalars.append("\\") }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  // MARK: The options

  /// In the order of the explained file.
  static let all = service + page

  /// All except the live page's.
  private static let service = [
    Self(
      "gpsd_host", \.gpsdHost, .atOnce, allowed: "a host name or an address", "Where gpsd runs.",
      text: quoted, read: { table, _ in table.plainText("gpsd_host", upTo: 253) }),
    integer("gpsd_port", \.gpsdPort, in: 1...65_535, .atOnce, "gpsd's port."),
    text(
      "gpsd_device", \.gpsdDevice, upTo: 255, .atOnce,
      allowed: "a path as gpsd calls the device",
      "Only this one of gpsd's devices; without it all are followed.",
      example: "/dev/ttyACM0"),
    text(
      "gpsd_control", \.gpsdControl, upTo: 107, .atRestart,
      allowed: "the path of a socket that this user may write to",
      "The control socket of a gpsd on this machine (gpsd -F). With it the receiver is closed as soon as "
        + "nothing needs it and no other client of gpsd is connected; without it gpsd holds it on.",
      example: "/run/gpsd.sock"),
    number(
      "receiver_hold_s", \.receiverHold, in: 0...3_600, "seconds", .atRestart,
      "How long gpsd keeps a device open after its last watcher has gone; the energy of that time is "
        + "counted."),
    word(
      "receiver_sleep", \.receiverSleep, .atRestart,
      "Whether a receiver is told to sleep until the next look, once gpsd has closed it (gpsd_control). timed does "
        + "so where its own timer or a byte wakes it; always also where only one of them does."
    ),
    name(
      "policy", \.policy, \.policies, .atRestart, allowed: "milepost, periodic, receiver",
      "How significant changes are looked for."),
    Self(
      "era", \.era, .atRestart,
      allowed: Era.all.map(\.name).joined(separator: ", ")
        + ", or a table: base, one of these, and rules of its own, as in {base: ios7, "
        + "task_budget_s: 60}",
      "The generation of the rules that apps live by; they differ in relaunching and in what "
        + "background updates need.", text: \.text, read: { table, _ in table.era("era") }),
    number(
      "significant_distance_m", \.significantDistance, in: 1...100_000, "metres", .atRestart,
      "How far from the last event the device must be for the next significant change."),
    number(
      "significant_interval_s", \.significantInterval, in: 0...86_400, "seconds", .atRestart,
      "How long after an event the next one may come at the earliest."),
    optionalNumber(
      "max_late_s", \.maxLate, in: 1...86_400, "seconds", .atOnce,
      "How late a significant change may be told, whatever it costs, by what the policy milepost believes, and "
        + "but for the time to the first fix; without it a look comes when it is worth its energy.",
      example: "30"),
    optionalNumber(
      "lateness_price_mj_per_s", \.latenessPrice, in: 0.1...100_000, "millijoules a second",
      .atOnce,
      "What a second of lateness is worth: the policy milepost weighs it against the energy of a look by the "
        + "device's profile. Without it a second is worth one of tracking, for \(Decimal.shortest(EngineRules.usualInterval)) s between "
        + "events.",
      example: "25"),
    word(
      "external_power", \.externalPower, .atOnce,
      "Whether the machine is on external power, where the policy milepost looks more often: a joule counts "
        + "a tenth. automatic goes by /sys/class/power_supply; a machine that tells nothing counts as on a "
        + "battery. vehicle does so too, and takes its coming and going for the ignition: a hint that a ride "
        + "begins, or has ended."),
    word(
      "modem", \.modem, .atRestart,
      "Whether the policy milepost takes changes of cell for hints of a move. automatic does where "
        + "ModemManager has a modem that tells its cells, and goes on without where not."),
    word(
      "motion", \.motion, .atRestart,
      "Whether the policy milepost takes what an accelerometer in /sys/bus/iio feels for hints of a move. automatic does "
        + "where it tells of motion by itself, which wakes nobody while it is still; milepost doctor lists it."
    ),
    number(
      "motion_sample_s", \.motionSample, in: 0...3_600, "seconds", .atRestart,
      "How often an accelerometer is read that does not tell by itself; each reading wakes the machine. 0 never does."
    ),
    flag(
      "wake_machine", \.wakesMachine, .atRestart,
      "Whether a machine that sleeps is woken for the next look, by its RTC; needs CAP_WAKE_ALARM. milepost doctor says "
        + "whether it can."),
    flag(
      "memory_pressure", \.memoryPressure, .atRestart,
      "Whether suspended apps are ended when the kernel says that programs wait for memory."),
    number(
      "low_power_below_percent", \.lowPowerBelow, in: 0...95, "per cent", .atRestart,
      "The charge of the battery below which Low Power Mode begins; it ends 5 per cent above it, or on "
        + "the charger. 0 leaves it to milepost apps device."),
    name(
      "device_profile", \.deviceProfile, \.deviceProfiles, .atRestart,
      allowed: "the name of a device profile",
      "The device whose energy is counted; milepost profiles list names them."),
    Self(
      "network_profile", \.networkProfile, .atRestart, allowed: "the name of a network profile",
      "The mobile network over which the device sends; without it the device's own default counts.",
      example: "lte-2012-huang", text: { $0.map(quoted) },
      read: { table, names in
        .some(table.name("network_profile", among: names.networkProfiles))
      }),
    word(
      "new_apps", \.newApps, .atOnce,
      "The authorization of an app whose manifest states none. With not_determined the app waits for "
        + "milepost apps authorize."),
    word(
      "freezer", \.freezer, .atRestart,
      "How suspended apps are frozen. automatic takes the first that this machine allows: cgroup2, "
        + "cgroup1, signals."),
    integer(
      "crash_limit", \.crashLimit, in: 1...1_000, .atOnce,
      "After so many crashes within 10 minutes an app is held until milepost apps release."),
    integer(
      "outbox_limit", \.outboxLimit, in: 1...1_000_000, .atOnce,
      "How many deliveries wait for one app at most; then the oldest is dropped, and the app is told."
    ),
    number(
      "retry_for_s", \.retriesFor, in: 0...31_536_000, "seconds", .atOnce,
      "How long an event on which a handler fails is tried again from its own first failure on, the runs "
        + "not counted; then it is given up, and milepost apps events keeps it."),
    number(
      "purge_after_s", \.purgesAfter, in: 1...31_536_000, "seconds", .atRestart,
      "How long after its suspension an app is ended, as memory pressure does on a phone."),
    number(
      "wake_budget_s", \.wakeBudget, in: 0.1...3_600, "seconds", .atRestart,
      "How long an app that was woken for an event may work, where it does not say earlier that it is "
        + "through."),
    number(
      "handler_budget_s", \.handlerBudget, in: 0.1...3_600, "seconds", .atRestart,
      "How long the handler of a fetch, a keep-alive, a push or a location push may take; an app whose handler does not "
        + "return by then is ended."),
    Self(
      "gpsd_listeners", \.gpsdListeners, .atRestart,
      allowed:
        "up to \(DaemonConfiguration.listenerLimit) tables, each with port (1 to 65535), service "
        + "(\(Service.allCases.map(\.rawValue).joined(separator: ", "))) and, where wished, "
        + "distance_filter_m (0 to 1000000 metres)",
      "Ports, on the loopback address only, at which ordinary gpsd clients are given what an app in that "
        + "mode would get; without it there is none.",
      example: "[{port: 2948, service: standard, distance_filter_m: 100}]",
      text: { listeners in
        listeners.isEmpty ? nil : "[" + listeners.map(\.text).joined(separator: ", ") + "]"
      }, read: { table, _ in DaemonConfiguration.listeners(in: &table) }),
    number(
      "keep_days", \.keepDays, in: 0...36_500, "days", .atOnce,
      "How long the log of each app, and events that wait for it or were given up, are kept; older ones are "
        + "deleted when the service is awake anyway, at most once an hour. 0 keeps them as long as there is room."
    ),
    tables(
      "privacy_zones", \.zones, name: { $0.name }, .atOnce,
      allowed:
        "up to \(PrivacyZone.limit) tables, each with name, latitude, longitude, radius_m "
        + "(\(Int(PrivacyZone.radii.lowerBound)) to \(Int(PrivacyZone.radii.upperBound)) metres) and, where "
        + "wished, say (\(PrivacyZone.Telling.allCases.map(\.rawValue).joined(separator: ", "))) and apps (names "
        + "of those that see inside)",
      "Where the device does not want to be known to be: within a square that holds the circle no position is "
        + "stored or told to anybody. With say: name, apps and sinks are told that the zone was entered or "
        + "left, and no place.",
      example:
        "[{name: home, latitude: 52.5163, longitude: 13.3777, radius_m: 300}]",
      read: { table, _ in DaemonConfiguration.zones(in: &table) }),
    word(
      "geoclue", \.geoClue, .atRestart,
      "Whether programs that ask GeoClue for a position, those of this user alone, are answered in its place. "
        + "answer needs a file of root's in /etc/dbus-1/system.d."),
    tables(
      "sinks", \.sinks, name: { $0.name }, .atOnce,
      allowed:
        "up to \(DaemonConfiguration.sinkLimit) tables by name, each with kind and what that kind "
        + "needs; service (significant where it is not said), distance_filter_m, urgent, max_delay_s, rides, "
        + "keep, on_metered; the page Uplinks has all of them",
      "Where events go without a program of one's own: a server, a broker, a file. Nothing leaves this machine "
        + "but by what stands here or was added with milepost apps add.",
      example: "{van: {kind: file, folder: /srv/tracks}}",
      read: { table, names in DaemonConfiguration.sinks(in: &table, directory: names.directory) }),
  ]
}

extension SettingsTable {
  /// A text that is neither empty nor longer than `limit` bytes, and has no blanks.
  mutating func plainText(_ key: String, upTo limit: Int) -> String? {
    guard let text = string(key) else { return nil }
    let isPlain = text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
    guard !text.isEmpty, text.utf8.count <= limit, isPlain else {
      noteProblem(
        at: key, "'\(Self.shortened(text))' is not a text of 1 to \(limit) bytes without blanks")
      return nil
    }
    return text
  }

  /// One of `names`; any short text if they are not known here.
  fileprivate mutating func name(_ key: String, among names: [String]?) -> String? {
    guard let names else { return plainText(key, upTo: 64) }
    return word(key, among: names)
  }
}
