// SPDX-License-Identifier: Apache-2.0

/// The energy above the baseline as a function of the profiles' numbers.
struct EnergyFormula: Sendable {
  private(set) var parameters = ParameterList()
  /// By index of the receiver's state.
  private let receiver: [Int]
  private let lingerPower: Int
  private let lingerDuration: Int
  private let awake: Int
  private let active: Int
  private let launch: Int
  private let wake: Int
  private let delivery: Int
  private let cellWake: Int
  private let scanPower: Int
  private let scanDuration: Int
  private let motion: Int
  private let commit: Int
  private let moving: Int
  private let cell: LinkCost?
  private let wifi: LinkCost

  init(device: DeviceProfile, network: NetworkProfile?) {
    var list = ParameterList()
    func slot(_ component: String, _ state: String, _ quantity: String) -> Int {
      list.slot(device.values, component, state, quantity)
    }
    receiver = Activity.GNSSState.allCases.map { slot("gnss", $0.rawValue, "power") }
    lingerPower = slot("gnss", "linger", "power")
    lingerDuration = slot("gnss", "linger", "duration")
    awake = slot("soc", "awake_idle", "power")
    active = slot("soc", "active", "power")
    launch = slot("soc", "launch", "duration")
    wake = slot("soc", "wake", "duration")
    delivery = slot("soc", "delivery", "duration")
    cellWake = slot("soc", "cell_wake", "duration")
    scanPower = slot("wifi", "scan", "power")
    scanDuration = slot("wifi", "scan", "duration")
    motion = slot("sensor", "motion", "power")
    commit = slot("flash", "commit", "energy")
    moving = slot("soc", "moving", "power")
    cell = network.map { LinkCost($0.shape, component: "cell", $0.values, &list) }
    wifi = LinkCost(.wifi, component: "wifi", device.values, &list)
    parameters = list
  }

  /// Joules with the values that begin at `offset`.
  func joules(_ usage: EnergyUsage, _ values: [Double], at offset: Int = 0) -> Double {
    func value(_ slot: Int) -> Double { values[offset + slot] }
    var milliwattSeconds = 0.0
    for (seconds, slot) in zip(usage.receiver, receiver) where seconds > 0 {
      milliwattSeconds += seconds * value(slot)
    }
    // Lingering time counted as rest.
    var lingering = 0.0
    let limit = value(lingerDuration)
    for bin in usage.rests.bins where limit > 0 {
      lingering += bin.count * min(limit, bin.sum * 1e-6 / bin.count)
    }
    milliwattSeconds += lingering * (value(lingerPower) - value(receiver[usage.rest.index]))
    let impulses =
      usage.launches * value(launch) + usage.wakes * value(wake)
      + usage.deliveries * value(delivery) + usage.cellWakes * value(cellWake)
    milliwattSeconds += usage.awake * value(awake) + (usage.active + impulses) * value(active)
    milliwattSeconds += usage.scans * value(scanDuration) * value(scanPower)
    milliwattSeconds += usage.motion * value(motion) + usage.moving * value(moving)
    return milliwattSeconds * 1e-3 + usage.commits * value(commit)
      + (cell?.joules(usage.cell, values, offset) ?? 0)
      + wifi.joules(usage.wifi, values, offset)
  }
}
