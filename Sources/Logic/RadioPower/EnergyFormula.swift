// SPDX-License-Identifier: Apache-2.0

// What a component in a state costs: the one account of it. A row is an amount (seconds, or a number of events) times
// the milliwatts that it draws; an event has its seconds from the profile. A link's data cost by rate or size besides.
//
// All sums are linear in the amounts. A report is this with all nominal, all low and all high numbers, of the amounts
// metered with them; a draw of `Uncertainty` with drawn numbers; an equation of a calibration its coefficients.

/// The energy as a function of the profiles' numbers.
struct EnergyFormula: Sendable, Equatable {
  typealias Amount = @Sendable (EnergyUsage) -> Double

  struct Term: Sendable {
    let slot: Int
    let amount: Amount
  }

  struct Row: Sendable {
    let component: String
    let state: String
    /// Seconds, or events.
    let amount: Amount
    /// The slot of an event's seconds.
    var each: Int?
    /// The slots of the powers that add up in it, milliwatts.
    var powers: [Int]
    /// What costs energy by its own number, in thousandths of joules.
    var more: [Term] = []
    var isBaseline = false

    func seconds(_ usage: EnergyUsage, _ numbers: NumberSet) -> Double {
      amount(usage) * (each.map { numbers[$0] } ?? 1)
    }

    func power(_ numbers: NumberSet) -> Double { powers.reduce(0) { $0 + numbers[$1] } }

    func joules(_ usage: EnergyUsage, _ numbers: NumberSet) -> Double {
      let own = seconds(usage, numbers) * power(numbers)
      return more.reduce(own) { $0 + $1.amount(usage) * numbers[$1.slot] } * 1e-3
    }
  }

  private(set) var parameters = ParameterList()
  /// In the order of a report.
  private(set) var rows: [Row] = []
  private var links: [LinkDurations?] = []
  let nominal: NumberSet
  private let lingering: Int

  init(device: DeviceProfile, network: NetworkProfile?) {
    var list = ParameterList()
    lingering = list.slot(device.values, "gnss", "linger", "duration")
    rows = Self.receiverRows(device, &list)
    if let network { rows += Self.rows(of: network.shape, link: 0, network.values, &list) }
    rows.append(Self.event("wifi", "scan", device, &list, power: "scan") { $0.scans })
    rows += Self.rows(of: .wifi, link: 1, device.values, &list) + Self.processorRows(device, &list)
    links = [
      network.map { LinkDurations($0.shape, component: "cell", $0.values, &list) },
      LinkDurations(.wifi, component: "wifi", device.values, &list),
    ]
    parameters = list
    nominal = list.values(of: .nominal)
  }

  /// All else follows from them.
  static func == (a: Self, b: Self) -> Bool { a.parameters == b.parameters }

  /// Joules above the baseline or with it, with the amounts as they are.
  func joules(_ usage: EnergyUsage, _ numbers: NumberSet, withBaseline: Bool = false) -> Double {
    rows.reduce(0) { $1.isBaseline && !withBaseline ? $0 : $0 + $1.joules(usage, numbers) }
  }

  /// A use that was metered with the nominal durations, with other ones.
  func adapted(_ usage: EnergyUsage, to numbers: NumberSet) -> EnergyUsage {
    var usage = usage
    usage.lingering = max(
      0,
      usage.lingering + usage.rests.total(atMost: numbers[lingering])
        - usage.rests.total(atMost: nominal[lingering]))
    for (index, link) in links.enumerated() {
      guard let link else { continue }
      usage.links[index] = link.adapted(usage.links[index], from: nominal, to: numbers)
    }
    return usage
  }

  private static func state(
    _ component: String, _ state: String, _ device: DeviceProfile, _ list: inout ParameterList,
    _ amount: @escaping Amount
  ) -> Row {
    Row(
      component: component, state: state, amount: amount,
      powers: [list.slot(device.values, component, state, "power")])
  }

  private static func event(
    _ component: String, _ state: String, _ device: DeviceProfile, _ list: inout ParameterList,
    power: String, _ amount: @escaping Amount
  ) -> Row {
    Row(
      component: component, state: state, amount: amount,
      each: list.slot(device.values, component, state, "duration"),
      powers: [list.slot(device.values, component, power, "power")])
  }

  private static func receiverRows(_ device: DeviceProfile, _ list: inout ParameterList) -> [Row] {
    var floor = state("floor", "suspended", device, &list) { $0.seconds }
    floor.isBaseline = true
    var rows = [floor]
    for each in Activity.GNSSState.allCases {
      let index = each.index
      guard each == device.gnssWhenOff.state else {
        rows.append(state("gnss", each.rawValue, device, &list) { $0.receiver[index] })
        continue
      }
      rows += [
        state("gnss", each.rawValue, device, &list) { max(0, $0.receiver[index] - $0.lingering) },
        state("gnss", "linger", device, &list) { $0.lingering },
      ]
    }
    return rows
  }

  private static func processorRows(_ device: DeviceProfile, _ list: inout ParameterList) -> [Row] {
    var flash = state("flash", "commit", device, &list) { _ in 0 }
    flash.more = [
      Term(slot: list.slot(device.values, "flash", "commit", "energy")) { $0.commits * 1e3 }
    ]
    return [
      state("soc", "awake_idle", device, &list) { $0.awake },
      state("soc", "active", device, &list) { $0.active },
      state("soc", "moving", device, &list) { $0.moving },
      event("soc", "launch", device, &list, power: "active") { $0.launches },
      event("soc", "wake", device, &list, power: "active") { $0.wakes },
      event("soc", "delivery", device, &list, power: "active") { $0.deliveries },
      event("soc", "cell_wake", device, &list, power: "active") { $0.cellWakes },
      state("sensor", "motion", device, &list) { $0.motion },
      flash,
    ]
  }

  private static func rows(
    of shape: LinkShape, link: Int, _ numbers: ProfileNumbers, _ list: inout ParameterList
  ) -> [Row] {
    let component = EnergyUsage.links[link]
    func slot(_ state: String, _ quantity: String) -> Int {
      list.slot(numbers, component, state, quantity)
    }
    return shape.states.enumerated().map { index, state in
      let extra = shape.tails.first { $0.state == state }?.extra
      var row = Row(
        component: component, state: state, amount: { $0.links[link].seconds[index] },
        powers: [slot(state, "power")] + [extra].compactMap(\.self).map { slot($0, "power") },
        isBaseline: index == 0)
      guard state == shape.active else { return row }
      switch shape.transfer {
      case .byRate:
        row.powers = [slot(state, "base")]
        row.more = [
          Term(slot: slot(state, "per_mbps_up")) { $0.links[link].megabits.x },
          Term(slot: slot(state, "per_mbps_down")) { $0.links[link].megabits.y },
        ]
      case .byEnergy:
        row.more = [
          Term(slot: slot(state, "energy")) { $0.links[link].count * 1e3 },
          Term(slot: slot(state, "per_kb")) { $0.links[link].kilobytes * 1e3 },
        ]
      case .byFrame: break
      }
      return row
    }
  }
}
