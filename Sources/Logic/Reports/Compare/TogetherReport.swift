// SPDX-License-Identifier: Apache-2.0

import JSONText
import RadioPower
import Replay
import ServiceContract

/// The addition of each app when several run at once.
enum TogetherReport {
  @ReportBuilder static func nodes(_ together: DeviceSharingResult) -> [Node] {
    Node.table(apps(together))
    Node.sentence(
      "Adds: energy with the app minus energy without it; what the apps share (receiver, processor) "
        + "is in nobody's. Together: the sum of all alone, and all at once.")
  }

  private static func apps(_ together: DeviceSharingResult) -> Table {
    let alone = together.apps.reduce(0) { $0 + $1.alone.total.nominal }
    let rows = together.apps.map { app in
      [
        app.plan.isAndroid ? app.plan.androidName : app.plan.mode.rawValue,
        Figures.energy(app.alone.total.nominal),
        Figures.energy(together.adds(app)),
      ]
    }
    let all = ["together", Figures.energy(alone), Figures.energy(together.whole.total.nominal)]
    return Table(head: ["all apps at once, in the pocket", "alone", "adds"], rows: rows + [all])
  }

  static let table = JSONTable<DeviceSharingResult> { together in
    together.known("energy_j", decimals: 6, \.whole.total.nominal)
    together.objects("apps", { together in together.apps.map { (together: together, app: $0) } }) {
      part in
      part.value("mode", .word(among: RunPlan.Mode.allCases), \.app.plan.mode)
      part.known("alone_j", decimals: 6, \.app.alone.total.nominal)
      part.known("adds_j", in: -1e15...1e15, decimals: 6) { $0.together.adds($0.app) }
      part.value("adds", EnergyTables.differences) { $0.together.rows(added: $0.app) }
    }
  }
}
