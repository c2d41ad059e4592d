// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Geodesy
import LocationEngine
import LocationModel
import ServiceContract
import ServiceCore

// Zones, and the conditions on reported and stored positions. A position is in a zone if it is in the circle that its
// user named, independent of how the service hides that (a square of a grid, a margin). A stand-in may lie in the
// circle by chance; its accuracy shows that it is none of the device's positions. So may the centre of a field of reduced
// accuracy while the device is beside the zone (seed 9134): such a one is judged by where the device was then.

extension Simulation {
  /// Most runs have a zone where the device begins, and some keep data only for an hour or a day. Returns the centre of
  /// the zone, which the service does not keep.
  static func hide(_ plan: SimulationPlan, _ settings: inout ServiceSettings) -> Coordinate? {
    var chance = Chance(seed: plan.seed, purpose: 0x5A)
    settings.keepsFor = chance.pick([nil, nil, 3_600, 86_400])
    guard chance.happens(0.6) else { return nil }
    // Somewhere in its field of the grid: the start is in the circle.
    let radius = chance.pick([50.0, 300, 1_000, 3_000])
    let start = LocalFrame(origin: Walk.start)
    let centre = start.point(
      east: chance.between(-0.6, 0.6) * radius, north: chance.between(-0.6, 0.6) * radius)
    settings.rules.zones = [
      PrivacyZone(
        name: "home", centre: centre, radius: radius, says: chance.pick([.nothing, .name]),
        apps: chance.happens(0.3) ? ["handler0", "sink3", "app4", "app6"] : [])
    ]
    return centre
  }

  /// Remembers that the receiver was in the zone.
  mutating func noteWithin(_ fix: Fix) {
    guard let hiddenCentre, let time = fix.time, let zone = settings.rules.zones.first,
      hiddenCentre.distance(to: fix.coordinate) <= zone.radius
    else { return }
    timesWithin.insert(time)
  }

  /// Checks that a batch may leave, and how exactly.
  mutating func checkAllowed(_ batch: SinkBatch) {
    guard let app = inspection(of: batch.app) else { return }
    let numbers = batch.deliveries.map(\.delivery.sequence)
    if !app.authorization.allowsLocation { fail(.denied, "\(app.name): \(numbers) goes out") }
    guard app.isReduced else { return }
    for fix in batch.deliveries.map(\.delivery.fix) {
      let isStandIn = settings.rules.zones.contains { $0.standIn(for: fix) == fix }
      if fix.horizontalAccuracy != ReducedPlace.accuracy, !isStandIn {
        fail(.denied, "\(app.name): an exact place goes out: \(fix)")
      }
    }
  }

  private func inspection(of id: AppID) -> AppInspection? {
    var found: AppInspection?
    service.inspect { if $0.id == id { found = $0 } }
    return found
  }

  /// Checks a position for an app, or with `nil` for another recipient.
  mutating func checkSeen(_ fix: Fix, by app: String?) {
    for zone in settings.rules.zones {
      if let app, zone.apps.contains(app) { continue }
      let accuracy = fix.horizontalAccuracy ?? 0
      guard let hiddenCentre, accuracy < 3 * zone.radius,
        hiddenCentre.distance(to: fix.coordinate) <= zone.radius
      else { continue }
      let isField = accuracy == ReducedPlace.accuracy
      if isField, !(fix.time.map(timesWithin.contains) ?? false) { continue }
      fail(.hidden, "\(app ?? "somebody") is handed a position within '\(zone.name)': \(fix)")
    }
  }

  mutating func checkTold(_ message: ServerMessage, to app: AppID?) {
    switch message {
    case .location(let delivery, _): checkSeen(delivery.fix, by: app.flatMap(name(of:)))
    case .report(let fix, _): checkSeen(fix, by: app.flatMap(name(of:)))
    case .poll(let fix?, _, _, _): checkSeen(fix, by: nil)
    case .welcome(let welcome):
      if let fix = welcome.location { checkSeen(fix, by: welcome.app) }
    default: break
    }
  }

  /// Checks the changes: positions, also in the history, and deletions of old data.
  mutating func checkWritten(_ change: StoreChange?) {
    guard let change else { return }
    for row in change.deliveries + change.dead.map(\.pending) {
      checkSeen(row.delivery.fix, by: name(of: row.app))
    }
    for entry in change.history {
      guard let latitude = entry.latitude, let longitude = entry.longitude,
        let place = Coordinate(latitude: latitude, longitude: longitude)
      else { continue }
      let fix = Fix(time: entry.at, coordinate: place, horizontalAccuracy: entry.accuracy)
      checkSeen(fix, by: nil)
    }
    if change.engine != nil, let fix = service.engine.lastKnown { checkSeen(fix, by: nil) }
    guard let keeps = settings.keepsFor else { return }
    // Those carried over were judged when they were decided; the clock may have been set back since.
    let forgotten = Set(change.forgotten).subtracting(unwrittenForgotten)
    guard !forgotten.isEmpty else { return }
    for row in store.load().pending
    where forgotten.contains(DeliveryKey(row.app, row.delivery.sequence)) {
      guard UTCInstant.seconds(from: row.received, to: utc) < keeps - 1,
        inspection(of: row.app)?.isReduced == false
      else { continue }
      fail(.kept, "app \(row.app.number): \(row.delivery.sequence) is forgotten too early")
    }
  }
}
