// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import Geodesy
import LocationEngine
import LocationModel

// What must hold of regions and visits, seen from outside. There is one region; a position lies well within it, or a
// kilometre away.
//
// 20. Who monitors a region, or visits, is told of them and nobody else; only where location is allowed, and with *always*
//     where the app is neither in front nor in the background.
// 21. An entry comes after an exit, or after a first state outside, and the other way round; an arrival and a departure take
//     turns, an arrival first. Who may not be told of a departure has left all the same.
// 22. Two positions on one side, one after the other, are believed wherever the app may be told; so is the first one that is
//     elsewhere of a stay.

/// Watches what apps are told of places.
struct PlaceWatch: Hashable {
  private struct Watched: Hashable {
    var authorization: Authorization
    var monitorsRegion = false
    var monitorsVisits = false
    /// What it was told last of the region since it monitors it, and whether it was told of an arrival.
    var toldInside: Bool?
    var isStaying = false
  }

  private var apps: [Watched]
  /// On which side the last positions were, one after the other: how many of them, 2 at most.
  private var side: Bool?
  private var count = 0
  /// Whether the last position was on the other side than the one before.
  private var hasMoved = false

  init(_ declarations: [AppDeclaration]) {
    apps = declarations.map { Watched(authorization: $0.authorization) }
  }

  mutating func heard(_ input: EngineInput) {
    switch input {
    case .networkFix(let fix):
      let isInside = fix.coordinate == LifeWalk.Subject.sides.inside
      hasMoved = side != nil && side != isInside
      count = side == isInside ? min(2, count + 1) : 1
      side = isInside
    case .app(let id, .authorized(let authorization)):
      apps[Int(id.number) - 1].authorization = authorization
    case .app(let id, .place(let wish)): note(wish, Int(id.number) - 1)
    default: break
    }
  }

  private mutating func note(_ wish: PlaceInput, _ index: Int) {
    switch wish {
    case .startMonitoring: apps[index].monitorsRegion = true
    case .stopMonitoring: (apps[index].monitorsRegion, apps[index].toldInside) = (false, nil)
    case .startMonitoringVisits: apps[index].monitorsVisits = true
    case .stopMonitoringVisits: (apps[index].monitorsVisits, apps[index].isStaying) = (false, false)
    case .requestState: break
    }
  }

  /// Takes what one input led to; answers the rule that it broke.
  mutating func take(
    _ commands: [EngineCommand], of input: EngineInput, engine: LocationEngine
  ) -> String? {
    for command in commands {
      guard case .place(let id, .event(let delivery)) = command, let event = delivery.event else {
        continue
      }
      if let rule = told(event, Int(id.number) - 1) { return rule }
    }
    guard case .networkFix = input else { return nil }
    if hasMoved, let rule = left(as: engine) { return rule }
    return count == 2 ? believed(by: engine) : nil
  }

  /// Every stay is over: who could be told has been.
  private mutating func left(as engine: LocationEngine) -> String? {
    for index in apps.indices where apps[index].isStaying {
      if mayBeTold(index, by: engine) { return "22: it left a place, and is not told" }
      apps[index].isStaying = false
    }
    return nil
  }

  /// Whether it runs, and may have a location.
  private func mayBeTold(_ index: Int, by engine: LocationEngine) -> Bool {
    let id = AppID(UInt32(index + 1))
    return engine.state(of: id)?.runsCode == true && engine.life(of: id)?.endsAt == nil
      && apps[index].authorization.allowsLocation
  }

  private mutating func told(_ event: PlaceEvent, _ index: Int) -> String? {
    let app = apps[index]
    guard app.authorization.allowsLocation else { return "20: told, and it is not allowed" }
    switch event {
    case .entered, .exited:
      let isEntry = if case .entered = event { true } else { false }
      guard app.monitorsRegion else { return "20: told of a region that it does not monitor" }
      if app.toldInside == isEntry { return "21: \(isEntry ? "entered" : "left") twice" }
      apps[index].toldInside = isEntry
    case .arrived:
      guard app.monitorsVisits else { return "20: told of a visit that it does not monitor" }
      if app.isStaying { return "21: arrived twice" }
      apps[index].isStaying = true
    case .departed:
      guard app.monitorsVisits else { return "20: told of a visit that it does not monitor" }
      apps[index].isStaying = false
    }
    return nil
  }

  private func believed(by engine: LocationEngine) -> String? {
    for index in apps.indices where apps[index].monitorsRegion {
      guard mayBeTold(index, by: engine),
        let state = engine.state(of: Self.region, of: AppID(UInt32(index + 1)))
      else { continue }
      let expected: RegionState = side == true ? .inside : .outside
      if state != expected { return "22: \(state) after two positions \(expected)" }
    }
    return nil
  }

  private static let region = "home"
}
