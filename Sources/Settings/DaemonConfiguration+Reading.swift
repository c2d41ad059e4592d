// SPDX-License-Identifier: Apache-2.0

package import JSONText
import LocationModel

extension DaemonConfiguration {
  /// Listeners for gpsd clients at most.
  package static let listenerLimit = 16

  /// Names that other parts know and the file may use; `nil` where they are not checked here.
  package struct KnownNames: Sendable, Equatable {
    package var policies: [String]?
    package var deviceProfiles: [String]?
    package var networkProfiles: [String]?

    package init(
      policies: [String]? = nil, deviceProfiles: [String]? = nil, networkProfiles: [String]? = nil
    ) {
      self.policies = policies
      self.deviceProfiles = deviceProfiles
      self.networkProfiles = networkProfiles
    }
  }

  /// Reads a configuration; what the file does not say has its default.
  ///
  /// Throws `SettingsError` with everything that is wrong.
  package init(
    _ value: JSONValue, file: String, names: KnownNames = KnownNames()
  ) throws(SettingsError) {
    var table = SettingsTable(value, file: file)
    self.init()
    readSource(&table)
    readSignificant(&table, names)
    readProfiles(&table, names)
    readApps(&table)
    readListeners(&table)
    table.finish()
    guard table.problems.isEmpty else { throw SettingsError(problems: table.problems) }
  }

  private mutating func readSource(_ table: inout SettingsTable) {
    if let host = Self.text("gpsd_host", upTo: 253, in: &table) { gpsdHost = host }
    gpsdPort = table.integer("gpsd_port", in: 1...65_535) ?? gpsdPort
    gpsdDevice = Self.text("gpsd_device", upTo: 255, in: &table)
    receiverHold =
      table.number("receiver_hold_s", in: 0...3_600, unit: "seconds") ?? receiverHold
  }

  private mutating func readSignificant(_ table: inout SettingsTable, _ names: KnownNames) {
    policy = Self.name("policy", among: names.policies, in: &table) ?? policy
    if let name = table.word("era", among: Era.all.map(\.name)), let era = Era.named(name) {
      self.era = era
    }
    significantDistance =
      table.number("significant_distance_m", in: 1...100_000, unit: "metres")
      ?? significantDistance
    significantInterval =
      table.number("significant_interval_s", in: 0...86_400, unit: "seconds")
      ?? significantInterval
    modem = table.choice("modem", among: Modem.allCases) ?? modem
  }

  private mutating func readProfiles(_ table: inout SettingsTable, _ names: KnownNames) {
    deviceProfile =
      Self.name("device_profile", among: names.deviceProfiles, in: &table) ?? deviceProfile
    networkProfile = Self.name("network_profile", among: names.networkProfiles, in: &table)
  }

  private mutating func readApps(_ table: inout SettingsTable) {
    newApps = table.choice("new_apps", among: Authorization.allCases) ?? newApps
    freezer = table.choice("freezer", among: Freezer.allCases) ?? freezer
    crashLimit = table.integer("crash_limit", in: 1...1_000) ?? crashLimit
    outboxLimit = table.integer("outbox_limit", in: 1...1_000_000) ?? outboxLimit
    retriesFor = table.number("retry_for_s", in: 0...31_536_000, unit: "seconds") ?? retriesFor
    purgesAfter = table.number("purge_after_s", in: 1...31_536_000, unit: "seconds") ?? purgesAfter
    wakeBudget = table.number("wake_budget_s", in: 0.1...3_600, unit: "seconds") ?? wakeBudget
  }

  private mutating func readListeners(_ table: inout SettingsTable) {
    guard let value = table.value("gpsd_listeners") else { return }
    guard let elements = value.array, elements.count <= Self.listenerLimit else {
      return table.note(
        "gpsd_listeners",
        "\(SettingsTable.words(value)) where an array of at most \(Self.listenerLimit) tables was "
          + "expected")
    }
    var ports: [Int: String] = [:]
    for (index, element) in elements.enumerated() {
      let path = table.path("gpsd_listeners[\(index)]")
      var part = SettingsTable(element, file: table.file, path: path)
      if let listener = Self.listener(&part) {
        if let other = ports.updateValue(path, forKey: listener.port) {
          part.note("port", "\(listener.port) is the port of \(other) too; choose another")
        }
        gpsdListeners.append(listener)
      }
      table.include(part.problems)
    }
  }

  private static func listener(_ table: inout SettingsTable) -> GPSDListener? {
    let port = table.integer("port", in: 1...65_535)
    if !table.states("port") { table.note("port", "missing; gpsd's own is 2947") }
    let service = table.choice("service", among: Service.allCases)
    if !table.states("service") {
      table.note("service", "missing; say standard, significant or continuous")
    }
    let filter = table.number("distance_filter_m", in: 0...1_000_000, unit: "metres")
    if filter != nil, service == .significant {
      table.note("distance_filter_m", "significant changes have their own distance; leave it out")
    }
    table.finish()
    guard let port, let service else { return nil }
    return GPSDListener(port: port, service: service, distanceFilter: filter)
  }

  /// A text that is neither empty nor longer than `limit` bytes.
  private static func text(
    _ key: String, upTo limit: Int, in table: inout SettingsTable
  ) -> String? {
    guard let text = table.string(key) else { return nil }
    let isPlain = text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
    guard !text.isEmpty, text.utf8.count <= limit, isPlain else {
      table.note(
        key,
        "'\(SettingsTable.shortened(text))' is not a text of 1 to \(limit) bytes without blanks")
      return nil
    }
    return text
  }

  private static func name(
    _ key: String, among names: [String]?, in table: inout SettingsTable
  ) -> String? {
    guard let names else { return text(key, upTo: 64, in: &table) }
    return table.word(key, among: names)
  }
}
