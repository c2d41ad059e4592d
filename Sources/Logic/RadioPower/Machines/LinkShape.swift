// SPDX-License-Identifier: Apache-2.0

/// What the states of a kind of radio link are called, and in which order they follow each other.
///
/// All links are one machine (`RadioLink`); a kind of link is data. Each kind has a file that gives its
/// theory and its shape; the shape says which rows a profile of that kind must have.
struct LinkShape: Sendable, Equatable {
  enum Transfer: Sendable, Equatable {
    /// Power `base + per_mbps × rate` for `setup + 8 × bytes / rate` seconds.
    case byRate
    /// `energy + per_kb × KB` joules at once (KB of 1,024 bytes).
    case byEnergy
    /// Frames at `power`, each for its time on the air (`LoRaFrame`).
    case byFrame
  }

  struct Tail: Sendable, Equatable {
    let state: String
    /// A state whose power is added to this one's.
    var extra: String?
    /// The promotion for a transfer that begins in this tail; `nil`: none.
    var promotion: String?
  }

  /// Name in a network profile's `profile,model` row.
  let model: String
  /// Baseline: never attributed to a mode. `nil`: the radio is off between transfers.
  let idle: String?
  /// `nil`: a transfer starts at once.
  let promotion: String?
  let active: String
  let transfer: Transfer
  let tails: [Tail]
  /// Whether a modem of a cellular network carries it.
  var isCellular = true

  static let all: [LinkShape] = [
    .lte, .lteWithThreeTails, .threeG, .tailEnder, .internetOfThings, .loRa, .wifi,
  ]

  /// The states that a meter reports, of all phases.
  var states: [String] {
    [idle ?? "idle"] + [promotion].compactMap(\.self) + [active]
      + tails.flatMap { [$0.state, $0.promotion].compactMap(\.self) }
  }

  /// The greatest number of states of one link.
  static let mostStates = all.map(\.states.count).max() ?? 0

  /// The place of each state among `states`; 0, which is idle, for none.
  var rows: (String?) -> Int {
    let states = states
    return { state in states.firstIndex { $0 == state } ?? 0 }
  }

  /// Seconds from the request of a small transfer from idle to the end of its last tail, nominal.
  func tailDuration(component: String, _ numbers: ProfileNumbers) -> Double {
    func seconds(_ state: String, _ quantity: String) -> Double {
      numbers[component, state, quantity].nominal
    }
    let before = promotion.map { seconds($0, "duration") } ?? 0
    let data =
      transfer == .byFrame
      ? LoRaFrame(numbers, component: component).airtime(of: 0) : seconds(active, "setup")
    return tails.reduce(before + data) { $0 + seconds($1.state, "duration") }
  }

  /// Seconds from the request of a transfer from idle to its last byte, nominal; 0 if a profile states only energy.
  func transferDuration(of bytes: Int, component: String, _ numbers: ProfileNumbers) -> Double {
    func number(_ state: String, _ quantity: String) -> Double {
      numbers[component, state, quantity].nominal
    }
    let before = promotion.map { number($0, "duration") } ?? 0
    switch transfer {
    case .byEnergy: return 0
    case .byFrame:
      return before + LoRaFrame(numbers, component: component).airtime(ofMessage: bytes)
    case .byRate:
      let rate = number(active, "rate") * 1e6
      let data = rate > 0 ? 8 * Double(bytes) / rate : 0
      return before + number(active, "setup") + data
    }
  }

  func rows(component: String, withIdle: Bool = true) -> [ProfileSchema.Row] {
    var rows: [ProfileSchema.Row] = []
    if withIdle, let idle { rows += ProfileSchema.rows(component, idle, ["power"]) }
    if let promotion { rows += ProfileSchema.rows(component, promotion, ["power", "duration"]) }
    let quantities =
      switch transfer {
      case .byRate: ["base", "per_mbps_up", "per_mbps_down", "setup", "rate"]
      case .byEnergy: ["energy", "per_kb"]
      case .byFrame: ["power"] + LoRaFrame.quantities
      }
    rows += ProfileSchema.rows(component, active, quantities)
    for tail in tails {
      rows += ProfileSchema.rows(component, tail.state, ["power", "duration"])
      if let extra = tail.extra { rows += ProfileSchema.rows(component, extra, ["power"]) }
      if let promotion = tail.promotion {
        rows += ProfileSchema.rows(component, promotion, ["power", "duration"])
      }
    }
    return rows
  }
}
