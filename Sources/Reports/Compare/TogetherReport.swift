// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel
import RadioPower
import Replay
import Wording

/// What each app adds where several run at once.
enum TogetherReport {
  static func text(_ together: DeviceSharingResult, style: TextStyle) -> String {
    let alone = together.apps.reduce(0) { $0 + $1.alone.total.nominal }
    var table = TextTable()
    table.header(["all apps at once, in the pocket", "alone", "adds"])
    for app in together.apps {
      table.row([
        app.plan.service.rawValue, Figures.energy(app.alone.total.nominal),
        Figures.energy(together.adds(app)),
      ])
    }
    table.row(["together", Figures.energy(alone), Figures.energy(together.whole.total.nominal)])
    return table.text(style)
      + Paragraph.text(
        "Adds: energy with the app minus energy without it; what the apps share (receiver, processor) "
          + "is in nobody's. Together: the sum of all alone, and all at once.")
  }

  static func write(_ together: DeviceSharingResult, into json: inout JSONWriter) {
    json.key("together")
    json.object { json in
      json.member("energy_j", together.whole.total.nominal, decimals: 6)
      json.key("apps")
      json.array { json in
        for app in together.apps {
          json.object { json in
            json.member("mode", app.plan.service.rawValue)
            json.member("alone_j", app.alone.total.nominal, decimals: 6)
            json.member("adds_j", together.adds(app), decimals: 6)
            json.energyRows("adds", together.rows(added: app))
          }
        }
      }
    }
  }
}
