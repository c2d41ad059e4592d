// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationEngine
import LocationModel

// The rules for regions and visits, seen from outside. There is one region; a position lies well within it, or a
// kilometre away.
//
// 20. Only an app that monitors a region, or visits, hears of them; only if location is allowed, and with *always* if
//     the app is neither in the foreground nor in the background.
// 21. An entry follows an exit, or a first state outside, and the other way round; an arrival and a departure
//     alternate, an arrival first. An app that may not be told of a departure counts as departed too.
// 22. Two consecutive positions on one side are believed wherever the app may be told; one of them may be a jump, and ends
//     no stay.

/// Watches the place events of apps.
struct PlaceWatch: Hashable {
  private struct Watched: Hashable {
    var authorization: Authorization
    var monitorsRegion = false
    var monitorsVisits = false
    /// The last reported state of the region since its monitoring began, and the side of the last reported arrival.
    var toldInside: Bool?
    var staysInside: Bool?
  }

  private var apps: [Watched]
  /// The side of the last consecutive positions, and their number, 2 at most.
  private var side: Bool?
  private var count = 0

  init(_ declarations: [AppDeclaration]) {
    apps = declarations.map { Watched(authorization: $0.authorization) }
  }

  mutating func heard(_ input: EngineInput) {
    switch input {
    case .networkFix(let fix):
      let isInside = fix.coordinate == LifeWalk.Subject.sides.inside
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
    case .stopMonitoringVisits: (apps[index].monitorsVisits, apps[index].staysInside) = (false, nil)
    case .requestState, .tookCrossing: break
    }
  }

  /// Takes the commands of one input; returns the rule that it broke.
  mutating func take(
    _ commands: [EngineCommand], of input: EngineInput, engine: LocationEngine
  ) -> String? {
    for command in commands {
      guard case .place(let id, .event(let delivery)) = command, let event = delivery.event else {
        continue
      }
      if case .departed = event, case .networkFix = input, count == 1 {
        return "22: told of a departure by one position"
      }
      if let rule = told(event, Int(id.number) - 1) { return rule }
    }
    guard case .networkFix = input, count == 2 else { return nil }
    return left(as: engine) ?? believed(by: engine)
  }

  /// Ends the stays on the other side: all apps that could be told have been.
  private mutating func left(as engine: LocationEngine) -> String? {
    for index in apps.indices {
      guard let inside = apps[index].staysInside, inside != side else { continue }
      if mayBeTold(index, by: engine) { return "22: it left a place, and is not told" }
      apps[index].staysInside = nil
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
      if app.staysInside != nil { return "21: arrived twice" }
      apps[index].staysInside = side
    case .departed:
      guard app.monitorsVisits else { return "20: told of a visit that it does not monitor" }
      apps[index].staysInside = nil
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
