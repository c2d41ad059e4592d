// SPDX-License-Identifier: Apache-2.0

// One machine for every radio that carries data; what differs is the table (`LinkTable`).
//
//      idle ──▶ promotion ──▶ active ──▶ tail 1 ──▶ tail 2 … ──▶ idle
//                               ▲           └──(promotion)──┐
//                               └───────────transfer────────┘
//
// Rules:
// - Transfers are carried one after the other. A transfer requested while another is under way waits
//   for it and needs no promotion.
// - A transfer that begins inside a tail ends that tail, needs that tail's promotion if it has one,
//   and the first tail begins anew when its data are through.
// - Time is whole microseconds, so an interval can be split anywhere without changing a sum.
// - The queue is bounded: beyond 64 pieces of different power, pieces are merged into the last one;
//   energy and seconds stay right, only their order blurs.

/// The numbers of one radio link in one lane: microseconds and milliwatts.
struct LinkTable: Sendable, Equatable {
  struct Phase: Sendable, Equatable {
    let row: Int
    let power: Double
    let duration: Int64
  }

  struct Tail: Sendable, Equatable {
    let phase: Phase
    let promotion: Phase?
  }

  /// Row 0 is idle; names are the shape's.
  var rows: [String] = ["idle"]
  var idlePower = 0.0
  var promotion: Phase?
  var activeRow = 1
  var transfer: LinkShape.Transfer = .byRate
  var base = 0.0
  var perMbpsUp = 0.0
  var perMbpsDown = 0.0
  var setup: Int64 = 0
  var rate = 1.0
  var fixedEnergy = 0.0
  var energyPerKB = 0.0
  var frame: LoRaFrame?
  var tails: [Tail] = []

  init(_ shape: LinkShape, component: String, lane: Lane, _ numbers: ProfileNumbers) {
    func value(_ state: String, _ quantity: String) -> Double {
      numbers[component, state, quantity][lane]
    }
    var names = [shape.idle ?? "idle"]
    func phase(_ state: String, extra: String? = nil) -> Phase {
      names.append(state)
      return Phase(
        row: names.count - 1,
        power: value(state, "power") + (extra.map { value($0, "power") } ?? 0),
        duration: microseconds(value(state, "duration")))
    }
    idlePower = shape.idle.map { value($0, "power") } ?? 0
    promotion = shape.promotion.map { phase($0) }
    activeRow = names.count
    names.append(shape.active)
    transfer = shape.transfer
    base = value(shape.active, shape.transfer == .byFrame ? "power" : "base")
    perMbpsUp = value(shape.active, "per_mbps_up")
    perMbpsDown = value(shape.active, "per_mbps_down")
    setup = microseconds(value(shape.active, "setup"))
    // The range of a rate is not part of the range of an energy: a transfer's size and speed belong
    // to the activity, and only the default comes from the profile.
    rate = numbers[component, shape.active, "rate"].nominal
    fixedEnergy = value(shape.active, "energy") * 1e3
    energyPerKB = value(shape.active, "per_kb") * 1e3
    frame = shape.transfer == .byFrame ? LoRaFrame(numbers, component: component) : nil
    tails = shape.tails.map { tail in
      Tail(phase: phase(tail.state, extra: tail.extra), promotion: tail.promotion.map { phase($0) })
    }
    rows = names
  }
}

/// The number of microseconds in `seconds`.
func microseconds(_ seconds: Double) -> Int64 { Int64((min(seconds, 1e11) * 1e6).rounded()) }

/// The longest duration: the greatest result of `microseconds`.
private let longest: Int64 = 100_000_000_000_000_000

/// A radio link in one lane: its requests, its state, its use.
struct RadioLink: Sendable, Equatable {
  private struct Piece: Sendable, Equatable {
    let row: Int
    var power: Double
    var left: Int64
  }

  private static let queueLimit = 64

  private(set) var table: LinkTable
  private var now: Int64 = 0
  private var queue: [Piece] = []
  /// Index and remaining time of the present tail; `nil` in idle.
  private var tail: (index: Int, left: Int64)?
  /// By row.
  private(set) var time: [Int64]
  /// By row, in mW·µs (nanojoules); idle apart.
  private(set) var energy: [Double]

  init(_ table: LinkTable) {
    self.table = table
    time = Array(repeating: 0, count: table.rows.count)
    energy = Array(repeating: 0, count: table.rows.count)
  }

  static func == (a: Self, b: Self) -> Bool {
    a.now == b.now && a.queue == b.queue && a.tail?.index == b.tail?.index
      && a.tail?.left == b.tail?.left && a.time == b.time && a.energy == b.energy
      && a.table == b.table
  }

  /// Lets time pass up to `instant` (meter time).
  mutating func advance(to instant: Int64) {
    while now < instant {
      let span = instant - now
      if let piece = queue.first {
        let used = min(span, piece.left)
        spend(used, row: piece.row, power: piece.power)
        if used == piece.left {
          queue.removeFirst()
          if queue.isEmpty { startTail() }
        } else {
          queue[0].left -= used
        }
      } else if let (index, left) = tail {
        let used = min(span, left)
        let phase = table.tails[index].phase
        spend(used, row: phase.row, power: phase.power)
        if used == left { enterTail(index + 1) } else { tail = (index, left - used) }
      } else {
        spend(span, row: 0, power: table.idlePower)
      }
    }
  }

  /// Requests a transfer at `instant`; `rate` is in Mbit/s, `nil` or 0 for the profile's own.
  mutating func transfer(at instant: Int64, upload: Int, download: Int, rate: Double?) {
    advance(to: instant)
    if queue.isEmpty {
      let promotion: LinkTable.Phase? =
        if let tail { table.tails[tail.index].promotion } else { table.promotion }
      if let promotion {
        append(piece: Piece(row: promotion.row, power: promotion.power, left: promotion.duration))
      }
    }
    tail = nil
    switch table.transfer {
    case .byRate: appendData(upload: upload, download: download, rate: rate)
    case .byEnergy:
      energy[table.activeRow] +=
        (table.fixedEnergy + table.energyPerKB * Double(upload + download) / 1024) * 1e6
    case .byFrame:
      let airtime = table.frame?.airtime(ofMessage: upload + download) ?? 0
      append(piece: Piece(row: table.activeRow, power: table.base, left: microseconds(airtime)))
    }
    if queue.isEmpty { startTail() }
  }

  /// Microseconds from `instant`, which is not before the last request, until the link is idle, without
  /// further requests.
  func timeToIdle(at instant: Int64) -> Int64 {
    let data = queue.reduce(0) { $0 + $1.left }
    let tails = table.tails.map(\.phase.duration)
    let rest =
      if queue.isEmpty {
        tail.map { $0.left + tails[($0.index + 1)...].reduce(0, +) } ?? 0
      } else {
        tails.reduce(0, +)
      }
    return max(0, data + rest - (instant - now))
  }

  private mutating func appendData(upload: Int, download: Int, rate: Double?) {
    let asked = rate ?? 0
    let rate = asked > 0 ? asked : table.rate
    append(piece: Piece(row: table.activeRow, power: table.base, left: table.setup))
    guard rate > 0 else { return }
    let directions = [(upload, table.perMbpsUp), (download, table.perMbpsDown)]
    for (bytes, slope) in directions where bytes > 0 {
      append(
        piece: Piece(
          row: table.activeRow, power: table.base + slope * rate,
          left: microseconds(8 * Double(bytes) / (rate * 1e6))))
    }
  }

  private mutating func append(piece: Piece) {
    guard piece.left > 0 else { return }
    if let last = queue.last, last.row == piece.row,
      last.power == piece.power || queue.count >= Self.queueLimit
    {
      let joules = last.power * Double(last.left) + piece.power * Double(piece.left)
      let left = min(last.left + piece.left, longest)
      let power = last.power == piece.power ? last.power : joules / Double(left)
      queue[queue.count - 1] = Piece(row: last.row, power: power, left: left)
    } else {
      queue.append(piece)
    }
  }

  private mutating func startTail() { enterTail(0) }

  /// Enters the first tail from `index` on with a duration; idle if there is none.
  private mutating func enterTail(_ index: Int) {
    var index = index
    while index < table.tails.count {
      let duration = table.tails[index].phase.duration
      if duration > 0 {
        tail = (index, duration)
        return
      }
      index += 1
    }
    tail = nil
  }

  private mutating func spend(_ span: Int64, row: Int, power: Double) {
    time[row] += span
    energy[row] += power * Double(span)
    now += span
  }
}
