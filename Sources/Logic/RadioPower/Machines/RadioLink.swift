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
// - The queue is bounded: beyond 64 pieces of different rate, pieces are merged into the last one;
//   megabits and seconds stay right, only their order blurs.
//
// The machine knows only times and megabits; what they cost says EnergyFormula.

/// The durations of one radio link in one lane, microseconds.
struct LinkTable: Sendable, Equatable {
  struct Phase: Sendable, Equatable {
    /// Its place among the shape's states.
    let row: Int
    let duration: Int64
  }

  struct Tail: Sendable, Equatable {
    let phase: Phase
    let promotion: Phase?
  }

  let promotion: Phase?
  let activeRow: Int
  let transfer: LinkShape.Transfer
  let setup: Int64
  let rate: Double
  let frame: LoRaFrame?
  let tails: [Tail]

  init(_ shape: LinkShape, component: String, lane: Lane, _ numbers: ProfileNumbers) {
    let row = shape.rows
    func phase(_ state: String) -> Phase {
      Phase(
        row: row(state),
        duration: microseconds(numbers[component, state, "duration"][lane]))
    }
    promotion = shape.promotion.map(phase)
    activeRow = row(shape.active)
    transfer = shape.transfer
    setup = microseconds(numbers[component, shape.active, "setup"][lane])
    // The range of a rate is not part of the range of an energy: a transfer's size and speed belong
    // to the activity, and only the default comes from the profile.
    rate = numbers[component, shape.active, "rate"].nominal
    frame = shape.transfer == .byFrame ? LoRaFrame(numbers, component: component) : nil
    tails = shape.tails.map {
      Tail(phase: phase($0.state), promotion: $0.promotion.map(phase))
    }
  }
}

/// The number of microseconds in `seconds`.
func microseconds(_ seconds: Double) -> Int64 { Int64((min(seconds, 1e11) * 1e6).rounded()) }

/// The longest duration: the greatest result of `microseconds`.
private let longest: Int64 = 100_000_000_000_000_000

/// A radio link in one lane: its requests, its state, its times.
struct RadioLink: Sendable, Equatable {
  private struct Piece: Sendable, Equatable {
    let row: Int
    /// Mbit/s up and down.
    var rates = SIMD2<Double>.zero
    var left: Int64
  }

  private struct TailLeft: Sendable, Equatable {
    let index: Int
    var left: Int64
  }

  /// Data that followed each other without a pause.
  private struct Burst: Sendable, Equatable {
    let promotion: LinkTable.Phase?
    var transfers = 0.0
    var end: Int64 = 0
  }

  private static let queueLimit = 64

  let table: LinkTable
  private var now: Int64 = 0
  private var queue: [Piece] = []
  /// `nil` in idle.
  private var tail: TailLeft?
  /// The last one.
  private var burst: Burst?
  /// By row.
  private(set) var time = [Int64](repeating: 0, count: LinkShape.mostStates)
  /// What was carried by a rate: megabits up and down, a million times.
  private(set) var carried = SIMD2<Double>.zero

  init(_ table: LinkTable) { self.table = table }

  /// The pause since the last data, if they are through.
  var gap: LinkUsage.Gap? {
    guard let burst, queue.isEmpty else { return nil }
    return LinkUsage.Gap(
      span: now - burst.end + (burst.promotion?.duration ?? 0),
      promotion: burst.promotion?.row ?? 0, transfers: burst.transfers)
  }

  /// Lets time pass up to `instant` (meter time).
  mutating func advance(to instant: Int64) {
    while now < instant {
      let span = instant - now
      if let piece = queue.first {
        let used = min(span, piece.left)
        spend(used, row: piece.row)
        carried += piece.rates * Double(used)
        if used == piece.left {
          queue.removeFirst()
          if queue.isEmpty { startTail() }
        } else {
          queue[0].left -= used
        }
      } else if let tail {
        let used = min(span, tail.left)
        spend(used, row: table.tails[tail.index].phase.row)
        if used == tail.left { enterTail(tail.index + 1) } else { self.tail?.left -= used }
      } else {
        spend(span, row: 0)
      }
    }
  }

  /// Requests a transfer at `instant`; `rate` is in Mbit/s, `nil` or 0 for the profile's own.
  mutating func transfer(at instant: Int64, upload: Int, download: Int, rate: Double?) {
    advance(to: instant)
    if queue.isEmpty {
      let promotion: LinkTable.Phase? =
        if let tail { table.tails[tail.index].promotion } else { table.promotion }
      burst = Burst(promotion: promotion)
      if let promotion { append(piece: Piece(row: promotion.row, left: promotion.duration)) }
    }
    burst?.transfers += 1
    tail = nil
    switch table.transfer {
    case .byRate: appendData(upload: upload, download: download, rate: rate)
    case .byEnergy: break
    case .byFrame:
      let airtime = table.frame?.airtime(ofMessage: upload + download) ?? 0
      append(piece: Piece(row: table.activeRow, left: microseconds(airtime)))
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
    append(piece: Piece(row: table.activeRow, left: table.setup))
    guard rate > 0 else { return }
    for (bytes, rates) in [(upload, SIMD2(rate, 0)), (download, SIMD2(0, rate))] where bytes > 0 {
      append(
        piece: Piece(
          row: table.activeRow, rates: rates,
          left: microseconds(8 * Double(bytes) / (rate * 1e6))))
    }
  }

  private mutating func append(piece: Piece) {
    guard piece.left > 0 else { return }
    guard var last = queue.last, last.row == piece.row,
      last.rates == piece.rates || queue.count >= Self.queueLimit
    else { return queue.append(piece) }
    let megabits = last.rates * Double(last.left) + piece.rates * Double(piece.left)
    last.left = min(last.left + piece.left, longest)
    if last.rates != piece.rates { last.rates = megabits / Double(last.left) }
    queue[queue.count - 1] = last
  }

  private mutating func startTail() {
    burst?.end = now
    enterTail(0)
  }

  /// Enters the first tail from `index` on with a duration; idle if there is none.
  private mutating func enterTail(_ index: Int) {
    var index = index
    while index < table.tails.count {
      let duration = table.tails[index].phase.duration
      if duration > 0 {
        tail = TailLeft(index: index, left: duration)
        return
      }
      index += 1
    }
    tail = nil
  }

  private mutating func spend(_ span: Int64, row: Int) {
    time[row] += span
    now += span
  }
}
