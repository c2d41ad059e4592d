// SPDX-License-Identifier: Apache-2.0

internal import LocationModel

// The energy of a device is a sum of terms: a number of the profile times the demand (power × seconds, energy ×
// commits). The meter keeps the seconds and counts; here they become the cost so far of one unit of each number, so
// that a measurement can be solved for the numbers.
//
// Three parts are not linear and are settled thus:
// - durations of promotions and tails decide the link's state: they are the profile's;
// - an impulse of the processor (launch, wake, delivery) is a duration at the active power: its joules are
//   fitted, and the duration follows with whichever active power holds;
// - the cost of a transfer by rate or size is taken from the profile (`given`).

/// The numbers of a device and a network on which a metered energy depends linearly.
struct MeteredTerms: Sendable {
  /// The numbers, in the order of the profiles; those of the network behind those of the device.
  let numbers: [ProfileNumber]
  /// Whether the network profile has each.
  let isOfNetwork: [Bool]

  init(device: DeviceProfile, network: NetworkProfile?) {
    var meter = EnergyMeter(device: device, network: network)
    meter.finish(at: .zero)
    var numbers: [ProfileNumber] = []
    var isOfNetwork: [Bool] = []
    Self.visit(meter) { number, ofNetwork, _ in
      numbers.append(number)
      isOfNetwork.append(ofNetwork)
    }
    self.numbers = numbers
    self.isOfNetwork = isOfNetwork
  }

  /// The cost so far, joules, of one unit of each number, up to the meter's last `finish`.
  func amounts(_ meter: EnergyMeter) -> [Double] {
    var amounts: [Double] = []
    amounts.reserveCapacity(numbers.count)
    Self.visit(meter) { _, _, amount in amounts.append(amount) }
    return amounts
  }

  /// Joules that no number here covers: the cost of transfers by rate or size.
  static func given(_ meter: EnergyMeter) -> Double {
    [meter.cell.first, meter.wifi.first].reduce(0) { sum, link in
      guard let link, link.table.transfer != .byFrame else { return sum }
      let table = link.table
      let joules = link.energy[table.activeRow] * 1e-9
      if table.transfer == .byEnergy {
        return sum + joules - meter.cellTraffic.count * table.fixedEnergy * 1e-3
      }
      return sum + joules - Double(link.time[table.activeRow]) * 1e-6 * table.base * 1e-3
    }
  }

  /// Visits each number of the profiles, always in the same order.
  private static func visit(_ meter: EnergyMeter, _ body: (ProfileNumber, Bool, Double) -> Void) {
    let values = meter.device.values
    func term(_ component: String, _ state: String, _ quantity: String, _ amount: Double) {
      let key = ProfileKey(component, state, quantity)
      guard let number = values[key] else { return }
      body(number, false, amount)
    }
    /// Power in milliwatts over microseconds.
    func power(_ component: String, _ state: String, _ time: Int64) {
      term(component, state, "power", Double(time) * 1e-9)
    }
    power("floor", "suspended", meter.now)
    let lingered = meter.receiver.lingered[0]
    for state in Activity.GNSSState.allCases {
      let time = meter.receiver.time[state.index]
      power("gnss", state.rawValue, state == meter.receiver.restState ? time - lingered : time)
    }
    power("gnss", "linger", lingered)
    power("soc", "awake_idle", meter.processor.awake)
    power("soc", "active", meter.processor.active)
    let active = values["soc", "active", "power"].nominal * 1e-3
    term("soc", "launch", "duration", Double(meter.processor.launches) * active)
    term("soc", "wake", "duration", Double(meter.processor.wakes) * active)
    term("soc", "delivery", "duration", Double(meter.processor.deliveries) * active)
    term("soc", "cell_wake", "duration", Double(meter.processor.cellWakes) * active)
    let scan = values["wifi", "scan", "duration"].nominal
    term("wifi", "scan", "power", Double(meter.scans) * scan * 1e-3)
    if let link = meter.wifi.first {
      visit(link, .wifi, "wifi", values, meter.wifiTraffic) { body($0, false, $1) }
    }
    power("sensor", "motion", meter.motionSensor.time)
    term("flash", "commit", "energy", Double(meter.commits))
    power("soc", "moving", meter.processor.moving)
    if let link = meter.cell.first, let network = meter.network {
      visit(link, network.shape, "cell", network.values, meter.cellTraffic) { body($0, true, $1) }
    }
  }

  private static func visit(
    _ link: RadioLink, _ shape: LinkShape, _ component: String, _ values: ProfileNumbers,
    _ traffic: TrafficTally, _ body: (ProfileNumber, Double) -> Void
  ) {
    func term(_ state: String, _ quantity: String, _ amount: Double) {
      let key = ProfileKey(component, state, quantity)
      guard let number = values[key] else { return }
      body(number, amount)
    }
    for (row, state) in link.table.rows.enumerated() {
      let amount = Double(link.time[row]) * 1e-9
      if row == link.table.activeRow {
        switch shape.transfer {
        case .byRate: term(state, "base", amount)
        case .byEnergy: term(state, "energy", traffic.count)
        case .byFrame: term(state, "power", amount)
        }
      } else if row > 0 || shape.idle != nil {
        term(state, "power", amount)
        // Its extra state draws over the same seconds.
        if let extra = shape.tails.first(where: { $0.state == state })?.extra {
          term(extra, "power", amount)
        }
      }
    }
  }
}
