// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import Geodesy
import LocationEngine
import LocationModel

extension LifeWalk {
  /// What is walked through: two apps, how they begin, and what can happen.
  package enum Subject: String, Sendable, CaseIterable {
    /// What keeps apps running, wakes them and ends them.
    case lives
    /// What they are told of where they are: updates, pauses, what is kept back, headings, and what their user allows.
    case locations
  }

  /// What is tried in each situation.
  enum Step {
    case input(EngineInput)
    /// What only an app that runs code can ask for.
    case said(AppID, AppInput)
    /// A fix at a place, `Subject.fixInterval` later, where the receiver is on.
    case fix(Coordinate)
    /// A compass points there, where the receiver is on.
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

  /// Of lives: one that declares all modes, and one that declares no other than `fetch` and cannot stay. Of locations:
  /// one whose updates go on in the background, and one whose updates do not.
  var apps: [AppDeclaration] {
    var (first, second) = (AppDeclaration(), AppDeclaration())
    switch self {
    case .lives:
      first.modes = [.audio, .voip, .fetch, .remoteNotification]
      second.modes = .fetch
      second.authorization = .whenInUse
    case .locations: first.modes = .location
    }
    return [first, second]
  }

  /// What each app has asked for before.
  var beginnings: [AppInput] {
    switch self {
    // So long that events bring all fetches.
    case .lives: [.setFetchInterval(1e9)]
    case .locations: []
    }
  }

  var steps: [LifeWalk.Step] {
    switch self {
    case .lives:
      Self.device.map { .input($0) }
        + [AppID(1), AppID(2)].flatMap { id in Self.lifeInputs.map { .input(.app(id, $0)) } }
    case .locations:
      [
        .input(.timePassed), .fix(Self.here), .fix(Self.there), .compass(0), .compass(20),
        .compass(40),
      ]
        + Self.moves.map { .input(.app(AppID(1), $0)) }
        + Self.allowed.map { .input(.app(AppID(1), $0)) }
        + Self.wishes.map { .said(AppID(1), $0) }
        + Self.moves.prefix(3).map { .input(.app(AppID(2), $0)) }
        + Self.wishes.prefix(2).map { .said(AppID(2), $0) }
    }
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
    .timePassed, .motionBegan, .device(.memoryNeeded(megabytes: 60)),
    .device(.rebooted(isLocked: true)), .device(.unlocked), .device(.backgroundRefresh(false)),
  ]

  // MARK: Locations

  /// The first three bring an app to the front, and end it.
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
