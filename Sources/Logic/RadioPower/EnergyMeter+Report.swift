// SPDX-License-Identifier: Apache-2.0

internal import LocationModel

extension EnergyMeter {
  /// The energy used up to the last `finish`, by component and state. Rows that cost nothing at either end of their
  /// range are left out.
  package func report() -> EnergyReport {
    let components = receiverRows + rows(cell, "cell") + wifiRows + processorRows + otherRows
    let floor = device.values["floor", "suspended", "power"]
    var baseline = [row("floor", "suspended", Double(now) / 1e6, watts: floor, 1e-3)]
    if let link = cell.first, device.floor == .parts {
      baseline.append(linkRow(cell, 0, "cell", name: link.table.rows[0]))
    }
    return EnergyReport(
      components: components.filter(\.hasCost), baseline: baseline.filter(\.hasCost),
      seconds: Double(now) / 1e6)
  }

  private var receiverRows: [EnergyReport.Row] {
    let linger = device.values["gnss", "linger", "power"]
    var rows: [EnergyReport.Row] = []
    for state in Activity.GNSSState.allCases {
      let power = device.values["gnss", state.rawValue, "power"]
      let time = receiver.time[state.index]
      guard state == receiver.restState else {
        rows.append(row("gnss", state.rawValue, Double(time) / 1e6, watts: power, 1e-3))
        continue
      }
      let lingered = receiver.lingered.map { Double($0) / 1e6 }
      let rest = lingered.map { max(0, Double(time) / 1e6 - $0) }
      rows.append(
        .init(component: "gnss", state: state.rawValue, seconds: rest[0], lanes: rest, power))
      rows.append(
        .init(component: "gnss", state: "linger", seconds: lingered[0], lanes: lingered, linger))
    }
    return rows
  }

  private var wifiRows: [EnergyReport.Row] {
    let power = device.values["wifi", "scan", "power"]
    let each = device.values["wifi", "scan", "duration"]
    let seconds = Lane.allCases.map { Double(scans) * each[$0] }
    return [.init(component: "wifi", state: "scan", seconds: seconds[0], lanes: seconds, power)]
      + rows(wifi, "wifi")
  }

  private var processorRows: [EnergyReport.Row] {
    let active = device.values["soc", "active", "power"]
    let idle = device.values["soc", "awake_idle", "power"]
    let moving = device.values["soc", "moving", "power"]
    let impulses = [
      ("launch", processor.launches), ("wake", processor.wakes),
      ("delivery", processor.deliveries), ("cell_wake", processor.cellWakes),
    ]
    return [
      row("soc", "awake_idle", Double(processor.awake) / 1e6, watts: idle, 1e-3),
      row("soc", "active", Double(processor.active) / 1e6, watts: active, 1e-3),
      row("soc", "moving", Double(processor.moving) / 1e6, watts: moving, 1e-3),
    ]
      + impulses.map { name, count in
        let each = device.values["soc", name, "duration"]
        let seconds = Lane.allCases.map { Double(count) * each[$0] }
        return .init(
          component: "soc", state: name, seconds: seconds[0], lanes: seconds, active)
      }
  }

  private var otherRows: [EnergyReport.Row] {
    let motion = device.values["sensor", "motion", "power"]
    let commit = device.values["flash", "commit", "energy"]
    var flash = row("flash", "commit", Double(commits), watts: commit, 1)
    flash.seconds = 0
    return [row("sensor", "motion", Double(motionSensor.time) / 1e6, watts: motion, 1e-3), flash]
  }

  /// Everything of a link except its idle row.
  private func rows(_ links: [RadioLink], _ component: String) -> [EnergyReport.Row] {
    guard let link = links.first else { return [] }
    return link.table.rows.indices.dropFirst().map {
      linkRow(links, $0, component, name: link.table.rows[$0])
    }
  }

  private func linkRow(
    _ links: [RadioLink], _ index: Int, _ component: String, name: String
  ) -> EnergyReport.Row {
    let joules = links.map { $0.energy[index] * 1e-9 }
    return .init(
      component: component, state: name, seconds: Double(links[0].time[index]) / 1e6,
      energy: EnergyRange(lanes: joules))
  }

  private func row(
    _ component: String, _ state: String, _ seconds: Double, watts: Quantity, _ scale: Double
  ) -> EnergyReport.Row {
    .init(
      component: component, state: state, seconds: seconds,
      energy: EnergyRange(
        nominal: seconds * watts.nominal * scale, low: seconds * watts.low * scale,
        high: seconds * watts.high * scale))
  }
}

extension EnergyReport.Row {
  fileprivate var hasCost: Bool { energy.high > 0 }

  /// A row whose seconds differ by lane; power in milliwatts.
  fileprivate init(
    component: String, state: String, seconds: Double, lanes: [Double], _ power: Quantity
  ) {
    self.init(
      component: component, state: state, seconds: seconds,
      energy: EnergyRange(
        lanes: zip(Lane.allCases, lanes).map { $1 * power[$0] * 1e-3 }))
  }
}

extension EnergyRange {
  /// Nominal, low and high lane, in the order of `Lane`; the range is their least and greatest.
  fileprivate init(lanes: [Double]) {
    self.init(
      nominal: lanes[0], low: min(lanes[0], lanes[1], lanes[2]),
      high: max(lanes[0], lanes[1], lanes[2]))
  }
}
