// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel
package import RadioPower
package import Replay
import ServiceContract

/// The account of an Android scenario for people: one line for each thing that the phone did, and what became of each app.
package enum AndroidText {
  /// What is played, by which rules, over which trace.
  package static func head(
    _ title: String, _ script: AndroidScript, trace: String, device: DeviceProfile
  ) -> String {
    let subject = subject(script, trace: trace, device: device)
    return Paragraph.text("\(Self.title(title)): by \(subject)") + "\n"
  }

  static func title(_ title: String) -> String {
    title.isEmpty ? "A scenario" : Quoted.plain(title)
  }

  static func subject(_ script: AndroidScript, trace: String, device: DeviceProfile) -> String {
    "the rules of Android \(script.release.version), over \(trace); \(device.name), in one simulated world."
  }

  package static func line(_ line: AndroidLine) -> String {
    "\(line.time.rfc3339.prefix(10)) \(DateText.clock(line.time, seconds: true))  "
      + (line.app.map { "\($0) " } ?? "the phone: ") + line.what.words + "\n"
  }

  /// What became of each app, and what the radios took.
  package static func end(_ result: AndroidResult, _ device: DeviceProfile) -> String {
    (result.apps.map { "\($0.app): \(sums($0))" } + [Self.device(result, device)]).reduce("\n") {
      $0 + Paragraph.text($1)
    }
  }

  /// `told 12 locations, run for an event 3 times.`
  static func sums(_ app: AndroidTotals) -> String {
    told(app) + notWoken(app)
      + (app.refusedStarts == 0
        ? "."
        : "; \(Figures.count(app.refusedStarts, "start", "starts")) of a foreground service refused.")
  }

  static func told(_ app: AndroidTotals) -> String {
    "told \(Figures.count(app.told, "location", "locations")), run for an event "
      + Figures.count(app.wakes, "time", "times")
  }

  static func device(_ result: AndroidResult, _ device: DeviceProfile) -> String {
    let total = result.energy.total
    return
      "\(device.name): \(Figures.energy(total.nominal, from: total.low, to: total.high)), the receiver on for "
      + "\(Figures.span(result.receiverOnSeconds)). Modelled, without the display; Android's own work beside the apps is left out."
  }

  private static func notWoken(_ app: AndroidTotals) -> String {
    guard !app.notWoken.isEmpty else { return "" }
    let reasons = app.notWoken.map { "\(Figures.count($0.count)) since \($0.why)" }
    return "; not run " + Figures.list(reasons)
  }
}
