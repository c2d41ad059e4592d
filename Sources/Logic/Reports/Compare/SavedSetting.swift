// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import RadioPower
import Replay
import ServiceContract

/// One setting of a comparison besides its trace and profile, saved in the JSON, so that a later comparison can say
/// which differ.
struct SavedSetting {
  /// The option without its `--`, or the key of the world file.
  let name: String
  /// As it would be written.
  let value: String
  /// The name for people, `--seed` or `cell_spacing_m`.
  let title: String

  static func all(of options: ReplayOptions) -> [SavedSetting] {
    let named = [
      ("network", options.network?.name ?? "none"),
      ("environment", options.mixesEnvironments ? "mixed" : options.environment.rawValue),
      ("start", options.firstStart.rawValue),
      ("era", options.rules.era.title),
      ("seed", String(options.seed)),
      ("upload", options.uploads.description),
      ("radius", Figures.plain(options.placeRadius)),
    ]
    return named.map { .init(name: $0, value: $1, title: "--" + $0) }
      + WorldKey.all.map { .init(name: $0.name, value: $0.written(options), title: $0.name) }
  }

  /// By name, as documents have them.
  static func texts(of options: ReplayOptions) -> [(name: String, value: String)] {
    all(of: options).map { ($0.name, $0.value) }
  }
}
