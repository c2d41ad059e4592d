// SPDX-License-Identifier: Apache-2.0

package import JSONText
import LocationModel

extension DaemonConfiguration {
  /// The greatest number of listeners for gpsd clients.
  package static let listenerLimit = 16

  /// Names known to other targets that the file may use; `nil` if they are not checked here.
  package struct KnownNames: Sendable, Equatable {
    package var policies: [String]?
    package var deviceProfiles: [String]?
    package var networkProfiles: [String]?
    /// The base of relative paths: the file's folder, absolute.
    package var directory: String

    package init(
      policies: [String]? = nil, deviceProfiles: [String]? = nil, networkProfiles: [String]? = nil,
      directory: String = "/"
    ) {
      self.directory = directory
      self.policies = policies
      self.deviceProfiles = deviceProfiles
      self.networkProfiles = networkProfiles
    }
  }

  /// Reads a configuration; unstated options have their defaults.
  ///
  /// Throws `SettingsError` with all faults.
  package init(
    _ value: JSONValue, file: String, names: KnownNames = KnownNames()
  ) throws(SettingsError) {
    let (configuration, problems) = Self.reading(value, file: file, names: names)
    guard problems.isEmpty else { throw SettingsError(problems: problems) }
    self = configuration
  }

  /// Reads as much of a configuration as can be used, and all of its faults; faulty options have their defaults.
  package static func reading(
    _ value: JSONValue, file: String, names: KnownNames = KnownNames()
  ) -> (configuration: DaemonConfiguration, problems: [SettingsProblem]) {
    var table = SettingsTable(value, file: file)
    var configuration = DaemonConfiguration()
    for option in ConfigurationOption.all { option.read(&configuration, &table, names) }
    table.finish()
    return (configuration, table.problems)
  }

  static func listeners(in table: inout SettingsTable) -> [GPSDListener]? {
    var ports: [Int: String] = [:]
    return table.tables("gpsd_listeners", limit: Self.listenerLimit) { part, path in
      guard let listener = GPSDListener(&part) else { return nil }
      if let other = ports.updateValue(path, forKey: listener.port) {
        part.noteProblem(at: "port", "\(listener.port) is the port of \(other) too; choose another")
      }
      return listener
    }
  }
}

extension DaemonConfiguration.GPSDListener {
  fileprivate init?(_ table: inout SettingsTable) {
    let port = table.integer("port", in: 1...65_535)
    if !table.states("port") {
      table.noteProblem(at: "port", "missing; gpsd's own is \(DaemonConfiguration.usual.gpsdPort)")
    }
    let service = table.choice("service", among: Service.allCases)
    if !table.states("service") {
      table.noteProblem(at: "service", "missing; say standard, significant or continuous")
    }
    let filter = table.number("distance_filter_m", in: 0...1_000_000, unit: "metres")
    if filter != nil, service == .significant {
      table.noteProblem(
        at: "distance_filter_m", "significant changes have their own distance; leave it out")
    }
    table.finish()
    guard let port, let service else { return nil }
    self.init(port: port, service: service, distanceFilter: filter)
  }

  /// The listener as YAML writes it.
  var text: String {
    let filter = distanceFilter.map { ", distance_filter_m: \(Decimal.shortest($0))" } ?? ""
    return "{port: \(port), service: \(service.rawValue)\(filter)}"
  }
}
