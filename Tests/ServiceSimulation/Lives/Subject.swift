// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationEngine
import LocationModel

extension LifeWalk {
  /// The subject of a walk: two apps, their beginnings, and the possible inputs.
  package enum Subject: String, Sendable, CaseIterable {
    /// The conditions that keep apps running, wake them and end them.
    case lives
    /// Location events: updates, pauses, deferral, headings, and the user's permissions.
    case locations
    /// Background calls beside fetches and pushes, and notifications: keep-alives, sockets, networks, calls, crashes,
    /// Low Power Mode, notifications; and opting out of multitasking.
    case services
    /// Regions and visits.
    case places
  }

  /// An input that is tried in each situation.
  enum Step {
    case input(EngineInput)
    /// A request that only an app that runs code can make.
    case said(AppID, AppInput)
    /// A fix at a place, `Subject.fixInterval` later, if the receiver is on.
    case fix(Coordinate)
    /// A position of the network at a place, `Subject.lookInterval` later.
    case position(Coordinate)
    /// A compass points there, if the receiver is on.
    case compass(Double)
  }
}

extension LifeWalk.Subject {
  func rules(in era: Era) -> EngineRules {
    var rules = EngineRules()
    rules.era = era
    // Two fixes at rest, so that a pause is within the walk's reach.
    if self == .locations { rules.pausesAfter = 2 * Self.fixInterval }
    return rules
  }

  /// For lives: one that declares all modes, and one that declares only `fetch` and cannot stay. For locations: one
  /// whose updates continue in the background, and one whose updates do not. For services: one that may do nearly
  /// everything, except notify, and one that has opted out. For places: one that monitors, and one that may not be
  /// woken.
  var apps: [AppDeclaration] {
    var (first, second) = (AppDeclaration(), AppDeclaration())
    switch self {
    case .lives:
      first.modes = [.audio, .voip, .fetch, .remoteNotification]
      second.modes = .fetch
      second.authorization = .whenInUse
    case .locations: first.modes = .location
    case .services:
      first.modes = [.voip, .audio]
      second.modes = [.voip, .remoteNotification]
      (second.exitsOnSuspend, second.mayNotify) = (true, true)
    case .places: second.authorization = .whenInUse
    }
    return [first, second]
  }

  /// The requests of each app before the walk.
  var beginnings: [AppInput] {
    switch self {
    // So long that events bring all fetches.
    case .lives: [.setFetchInterval(1e9)]
    case .locations: []
    case .services: [.startMonitoringMotion]
    case .places: [.place(.startMonitoring(Self.home))]
    }
  }

  var steps: [LifeWalk.Step] {
    var steps: [LifeWalk.Step] = [.input(.timePassed)]
    func happen(_ inputs: [AppInput], to id: AppID) {
      for input in inputs { steps.append(.input(.app(id, input))) }
    }
    func say(_ inputs: [AppInput], _ id: AppID) {
      for input in inputs { steps.append(.said(id, input)) }
    }
    let (first, second) = (AppID(1), AppID(2))
    switch self {
    case .lives:
      for input in Self.device { steps.append(.input(input)) }
      happen(Self.lifeInputs, to: first)
      happen(Self.lifeInputs, to: second)
    case .locations:
      steps += [.fix(Self.here), .fix(Self.there), .compass(0), .compass(20), .compass(40)]
      happen(Self.moves + Self.allowed, to: first)
      say(Self.wishes, first)
      happen(Array(Self.moves.prefix(3)), to: second)
      say(Array(Self.wishes.prefix(2)), second)
    case .services:
      for input in Self.world { steps.append(.input(input)) }
      happen(Self.turns, to: first)
      say(Self.asked, first)
      happen(Self.optedOut, to: second)
      say([.playAudio(true), Self.notification], second)
    case .places:
      steps += [.position(Self.here), .position(Self.far)]
      happen(Self.moves + [.life(.forceQuit)], to: first)
      happen([.authorized(.always), .authorized(.denied)], to: first)
      say(Self.monitored, first)
      happen(Array(Self.moves.prefix(3)), to: second)
      say([.place(.startMonitoringVisits)], second)
    }
    return steps
  }

  // MARK: Lives

  private static let lifeInputs: [AppInput] = [
    .life(.launched), .life(.resignedActive), .life(.becameActive), .life(.enteredBackground),
    .life(.enteredForeground), .life(.finishedWork), .life(.returned(.fetch)),
    .life(.returned(.push)), .life(.beganTask(1)), .life(.endedTask(1)), .life(.purged),
    .life(.terminated), .life(.forceQuit), .life(.exited), .playAudio(true), .playAudio(false),
    .startMonitoringMotion, .event(.push), .event(.fetch),
  ]

  private static let device: [EngineInput] = [
    .motionBegan, .device(.memoryNeeded(megabytes: 60)),
    .device(.rebooted(isLocked: true)), .device(.unlocked), .device(.backgroundRefresh(false)),
  ]

  // MARK: Services

  private static let world: [EngineInput] = [
    .motionBegan, .device(.networkChanged), .device(.lowPower(true)),
    .device(.call(true)), .device(.call(false)), .device(.rebooted(isLocked: false)),
    .utc(later),
  ]

  private static let turns: [AppInput] = [
    .life(.launched), .life(.enteredBackground), .life(.enteredForeground), .life(.exited),
    .life(.forceQuit), .life(.returned(.keepAlive)), .life(.finishedWork), .event(.socket),
    .event(.crash),
  ]

  private static let asked: [AppInput] = [
    .setKeepAlive(KeepAlive.shortest), .setKeepAlive(nil), .watchSocket(true),
    .playAudio(true), notification, .cancelNotification(nil),
  ]

  private static let optedOut: [AppInput] = [
    .life(.launched), .life(.enteredBackground), .life(.exited), .event(.push),
  ]

  private static let later = UTCInstant(microseconds: 1_777_878_489_000_000)
  private static let notification: AppInput = .schedule(
    LocalNotification("note", fire: later), at: later.advanced(bySeconds: -1))

  // MARK: Places

  /// 100 m around one of the places, 1 km from the other.
  private static let home = MonitoredRegion("home", centre: here, radius: 100)
  private static let far = Coordinate(clampingLatitude: 48.009, wrappingLongitude: 11)
  static var sides: (inside: Coordinate, outside: Coordinate) { (here, far) }

  private static let monitored: [AppInput] = [
    .place(.startMonitoring(home)), .place(.stopMonitoring(region: home.identifier)),
    .place(.startMonitoringVisits), .place(.stopMonitoringVisits),
  ]

  /// Seconds: longer than the minimum time of a crossing, and three of them are a stay.
  static let lookInterval = 150.0

  static func position(at place: Coordinate, _ now: EngineInstant) -> Fix {
    Fix(
      time: UTCInstant(microseconds: later.microseconds + now.microseconds), coordinate: place,
      horizontalAccuracy: 20, speed: 0, source: .network)
  }

  // MARK: Locations

  /// The first three bring an app to the foreground, and end it.
  private static let moves: [AppInput] = [
    .life(.launched), .life(.enteredBackground), .life(.exited), .life(.resignedActive),
    .life(.enteredForeground), .life(.purged),
  ]

  /// The first two are also those of the app that does not stay.
  private static let wishes: [AppInput] = [
    .startUpdating(request), .heading(.updates(filter: LocationWatch.filter)), .stopUpdating,
    .deferUpdates(LocationWatch.deferral), .deferUpdates(nil), .heading(.none),
  ]

  private static let allowed: [AppInput] =
    [Authorization.always, .whenInUse, .denied].map { .authorized($0) }
    + [LocationAccuracy.full, .reduced].map { accuracy in
      var declaration = AppDeclaration()
      (declaration.modes, declaration.accuracy) = (.location, accuracy)
      return .declared(declaration)
    }

  private static let request: StandardRequest = {
    var request = StandardRequest()
    request.pausesAutomatically = true
    return request
  }()

  /// Seconds.
  static let fixInterval = 10.0
  private static let here = Coordinate(clampingLatitude: 48, wrappingLongitude: 11)
  /// 100 m north of it: beyond the radius of rest, and 10 m/s are no jump.
  private static let there = Coordinate(clampingLatitude: 48.000_9, wrappingLongitude: 11)

  static func fix(at place: Coordinate, after last: Coordinate?, _ now: EngineInstant) -> Fix {
    let moves = last != nil && last != place
    return Fix(
      time: UTCInstant(microseconds: 1_777_878_489_000_000 + now.microseconds), coordinate: place,
      horizontalAccuracy: 5, speed: moves ? 10 : 0,
      course: moves ? (place == there ? 0 : 180) : nil)
  }
}
