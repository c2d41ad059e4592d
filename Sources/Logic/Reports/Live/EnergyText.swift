// SPDX-License-Identifier: Apache-2.0

import LocationModel
import RadioPower
import ServiceContract
import ServiceCore

/// The energy used since the service began, as words for people: of `status` and of `dash`.
enum EnergyText {
  /// `status`: with its parts, a row each.
  @ReportBuilder static func rows(_ status: StatusDocument) -> [Node] {
    let energy = status.energy
    let battery = energy.battery.flatMap { $0 > 0 ? energy.total.energy.nominal / $0 : nil }
    let parts = energy.components.filter { $0.energy.nominal > 0 }.map {
      "\($0.name) \(Figures.energy($0.energy.nominal))"
    }
    LiveRow.fact(
      "energy",
      total(energy, "above the baseline in")
        + (battery.map { ", \(Figures.percent($0 * 100)) of a full battery" } ?? "")
        + "; modelled for \(status.deviceProfile)")
    if !parts.isEmpty { LiveRow.fact("", parts.joined(separator: ", ")) }
    if let modes = modes(energy) { LiveRow.fact("", modes) }
    if let share = share(energy) { LiveRow.fact("", share) }
    if energy.earlier > 0 {
      LiveRow.fact("", "and \(Figures.energy(energy.earlier)) by daemons before this one")
    }
  }

  /// `dash`: in one.
  static func line(_ energy: StatusDocument.Energy) -> String {
    ([total(energy, "in")] + [share(energy), modes(energy)].compactMap { $0 })
      .joined(separator: ", ")
  }

  private static func total(_ energy: StatusDocument.Energy, _ preposition: String) -> String {
    let total = energy.total.energy
    return "\(Figures.energy(total.nominal, from: total.low, to: total.high)) \(preposition) "
      + Figures.span(energy.metered)
  }

  /// `by mode: significant 12 J, standard 3.0 J`; `nil` if nothing was used yet.
  private static func modes(_ energy: StatusDocument.Energy) -> String? {
    let used = energy.modes.filter { $0.energy.nominal > 0 }
    guard !used.isEmpty else { return nil }
    return "by mode: "
      + used.map { "\($0.mode?.rawValue ?? "nobody") \(Figures.energy($0.energy.nominal))" }
      .joined(separator: ", ")
  }

  /// `3 % of what continuous updates would have taken at least (540 J)`.
  private static func share(_ energy: StatusDocument.Energy) -> String? {
    guard let whole = energy.continuous, whole.energy.nominal > 0 else { return nil }
    return
      "\(Figures.percent(energy.total.energy.nominal / whole.energy.nominal * 100)) of what continuous updates would have "
      + "taken at least (\(Figures.energy(whole.energy.nominal)))"
  }
}
