// SPDX-License-Identifier: Apache-2.0

package import Geodesy
package import LocationModel

// Theory
// ======
//
//                      a neighbour is better by Qhyst
//   camped(cell) ─────────────────────────────────────► considering(neighbour, since)
//     ▲   ▲   ▲                                            │              │
//     │   │   └──── it no longer is, or another one is ────┘              │
//     │   └──────── it still is after Treselection: camped(neighbour) ◄───┘
//     └──────────── the cell is 20 dB below the best: camped(best) at once
//
// Levels without flicker are worked out only after a fifth of the shadows' reach of movement; between looks only those
// neighbours are followed that flicker could lift over the hysteresis (within three standard deviations of the
// difference). At rest in the middle of a cell there is no such neighbour, and a second costs a comparison.
//
// Odd cases: a step over a gap of the trace lands far from the cell and takes the best at once. Without any tower in
// reach (a real list with holes) the modem keeps its cell: there is no service, and no event.

/// A modem in idle mode: the cell it camps on.
package struct Modem: Sendable, Equatable {
  private let layout: TowerLayout
  private let radio: CellRadio
  private let step: Double
  /// Below this difference to the serving cell a neighbour need not be followed, dB.
  private static let threshold = CellRadio.hysteresis - 3 * 2.0.squareRoot() * CellRadio.flicker

  /// A tower beyond this multiple of the nearest one's squared distance is 17.7 dB weaker by path loss, three standard
  /// deviations of the shadows' difference, and is ignored.
  private static let outOfQuestion = 8.0

  private struct Neighbour: Sendable, Equatable {
    var tower: Tower
    var east: Double
    var north: Double
    /// Square of its distance at the latest look, and its level without flicker.
    var squared = 0.0
    var level = -Double.infinity
  }

  private var frame: LocalFrame?
  private var validity = 0.0
  private var neighbours: [Neighbour] = []
  /// The index in `neighbours` of the serving cell, and of those that may take over.
  private var serving: Int?
  private var contenders: [Int] = []
  private var looked = (east: Double.infinity, north: 0.0)
  private var campedAt = EngineInstant.zero
  private var considered: Considered?
  private var cell = CellID(rawValue: .max)

  private struct Considered: Sendable, Equatable {
    var id: CellID
    var since: EngineInstant
  }

  package init(seed: UInt64, layout: TowerLayout) {
    self.layout = layout
    radio = CellRadio(seed: seed, decorrelation: layout.decorrelation)
    step = layout.decorrelation / 5
  }

  package static func == (left: Modem, right: Modem) -> Bool {
    left.layout == right.layout && left.radio == right.radio && left.cell == right.cell
      && left.neighbours == right.neighbours && left.looked == right.looked
      && left.campedAt == right.campedAt && left.considered == right.considered
  }

  /// Moves the device to `place` and returns the serving cell; equal answers mean no change.
  package mutating func camp(at place: Coordinate, at now: EngineInstant) -> CellID {
    look(at: place, at: now)
    guard let current = serving, !contenders.isEmpty else {
      considered = nil
      return cell
    }
    let moment = CellRadio.Moment(now)
    let own = neighbours[current]
    let needed =
      own.level + radio.flicker(of: own.tower.id, at: moment) + CellRadio.hysteresis
    var best: (index: Int, level: Double)?
    for index in contenders {
      let other = neighbours[index]
      let level = other.level + radio.flicker(of: other.tower.id, at: moment)
      if level > needed, level > best?.level ?? -.infinity { best = (index, level) }
    }
    guard let best else {
      considered = nil
      return cell
    }
    consider(best.index, at: now)
    return cell
  }

  private mutating func consider(_ index: Int, at now: EngineInstant) {
    let id = neighbours[index].tower.id
    guard let considered, considered.id == id else {
      self.considered = Considered(id: id, since: now)
      return
    }
    let wait = CellRadio.reselectionTime
    guard EngineInstant.seconds(from: considered.since, to: now) >= wait,
      EngineInstant.seconds(from: campedAt, to: now) >= wait
    else { return }
    serve(index, at: now)
  }

  private mutating func serve(_ index: Int, at now: EngineInstant) {
    serving = index
    cell = neighbours[index].tower.id
    campedAt = now
    considered = nil
    findContenders()
  }

  /// Recomputes the levels if the device has moved enough.
  private mutating func look(at place: Coordinate, at now: EngineInstant) {
    if frame == nil { survey(around: place) }
    guard var frame else { return }
    var east = frame.east(of: place)
    var north = frame.north(of: place)
    let moved =
      (east - looked.east) * (east - looked.east) + (north - looked.north) * (north - looked.north)
    guard moved >= step * step else { return }
    if east * east + north * north > validity * validity {
      survey(around: place)
      frame = self.frame ?? frame
      (east, north) = (0, 0)
    }
    looked = (east, north)
    var nearest = Double.infinity
    for index in neighbours.indices {
      let x = neighbours[index].east - east
      let y = neighbours[index].north - north
      neighbours[index].squared = x * x + y * y
      nearest = min(nearest, neighbours[index].squared)
    }
    let limit = Self.outOfQuestion * max(nearest, CellRadio.nearest * CellRadio.nearest)
    let spot = radio.spot(at: place)
    var best: (index: Int, level: Double)?
    for index in neighbours.indices {
      guard neighbours[index].squared <= limit || index == serving else {
        neighbours[index].level = -.infinity
        continue
      }
      let level = radio.level(
        of: neighbours[index].tower.id, squaredDistance: neighbours[index].squared, at: spot)
      neighbours[index].level = level
      if level > best?.level ?? -.infinity { best = (index, level) }
    }
    guard let best else { return }
    if let serving, neighbours[serving].level >= best.level - CellRadio.lost {
      findContenders()
    } else {
      serve(best.index, at: now)
    }
  }

  private mutating func findContenders() {
    contenders.removeAll(keepingCapacity: true)
    guard let serving else { return }
    let least = neighbours[serving].level + Self.threshold
    for index in neighbours.indices where index != serving && neighbours[index].level > least {
      contenders.append(index)
    }
  }

  /// Takes stock of the towers around a place; the serving one stays in sight.
  private mutating func survey(around place: Coordinate) {
    let frame = LocalFrame(origin: place)
    self.frame = frame
    var towers = layout.towers(around: place)
    validity = layout.validity(of: towers, around: place)
    let own = serving.map { neighbours[$0].tower }
    if let own, !towers.contains(own), frame.distance(to: own.place) < LocalFrame.reach * 5 {
      towers.append(own)
    }
    neighbours.removeAll(keepingCapacity: true)
    for tower in towers {
      neighbours.append(
        Neighbour(
          tower: tower, east: frame.east(of: tower.place), north: frame.north(of: tower.place)))
    }
    serving = own.flatMap { own in neighbours.firstIndex { $0.tower == own } }
    contenders.removeAll(keepingCapacity: true)
    looked = (.infinity, 0)
  }
}
