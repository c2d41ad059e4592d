// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import LocationEngine
package import ServiceContract

/// What somebody wrote of a simulated world: its keys change the options of a replay; the others stay.
package struct WorldFile: Sendable {
  private let changes: [WorldKey.Change]
  /// The keys that it states of those about significant changes.
  private let statedRules: [(key: String, rule: SignificantPolicy.Rule)]
  /// The path of a list of towers; `nil` for synthetic ones.
  package let towers: String?

  /// Reads a file; a relative path in it begins at `directory`.
  ///
  /// Throws `SettingsError` with all faults.
  package init(
    _ value: JSONValue, file: String, directory: String
  ) throws(SettingsError) {
    var table = SettingsTable(value, file: file)
    statedRules = Self.rules.filter { [table] in table.states($0.key) }
    changes = WorldKey.all.compactMap { $0.read(&table) }
    towers = table.absolutePath("towers", from: directory)
    for option in Self.options where table.states(option) {
      table.noteProblem(at: option, "no key of a world; it is the option --\(option)")
      _ = table.value(option)
    }
    table.finish()
    guard table.problems.isEmpty else { throw SettingsError(problems: table.problems) }
  }

  /// Parts of the world that are options of the command.
  private static let options = ["environment", "start", "era", "seed", "upload"]

  /// The keys that say something about the policies of others.
  private static let rules: [(key: String, rule: SignificantPolicy.Rule)] = [
    ("significant_distance_m", .distance), ("significant_interval_s", .interval),
    ("max_late_s", .lateness), ("lateness_price_mj_per_s", .lateness),
    ("external_power", .lateness),
  ]

  /// Its keys that do not matter to a policy.
  package func keys(ignoredBy policy: SignificantPolicy) -> [String] {
    statedRules.filter { !policy.heeds($0.rule) }.map(\.key)
  }

  package func apply(to options: inout ReplayOptions) {
    for change in changes { change(&options) }
    options.towerFile = towers ?? options.towerFile
    options.scoring.distance = options.rules.significantDistance
    options.scoring.interval = options.rules.significantInterval
  }

  package static let schema = JSONSchema(
    "milepost.world/1",
    "A world file, as YAML or JSON: what milepost compare, replay and score --world read.",
    .object(
      WorldKey.all.map { .init(name: $0.name, shape: $0.shape, isRequired: false, about: $0.about) }
    ))
}
