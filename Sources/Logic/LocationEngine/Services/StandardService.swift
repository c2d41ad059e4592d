// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

/// One app's standard updates: its request and the last delivery.
struct StandardService: Sendable, Equatable, Codable {
  enum Phase: Sendable, Equatable, Codable {
    /// Every fix is judged.
    case updating
    /// The device has been still; it is the app's job to start again.
    case paused
  }

  var request: StandardRequest
  var phase: Phase
  var anchor: Anchor?
  var still = StillDetector()
  /// When to look for positions; `nil` if the accuracy needs the receiver all the time.
  var looks: LookSchedule?
  /// The time of the start in the background, if the app has not been in the foreground since.
  var unseenSince: EngineInstant?
  /// The newest fix of another app's receiver during this app's suspension, in eras that keep it.
  var queued: Fix?
  /// The deferred updates; `nil` if there are none.
  var deferral: UpdateDeferral?

  init(_ request: StandardRequest, at now: EngineInstant, isSeen: Bool, by rules: EngineRules) {
    self.request = request
    phase = .updating
    looks = Self.looks(for: request, at: now, by: rules)
    unseenSince = isSeen ? nil : now
  }

  /// A repeated request changes the settings and keeps the anchor.
  mutating func change(to request: StandardRequest, at now: EngineInstant, by rules: EngineRules) {
    if (request.desiredAccuracy, request.interval)
      != (self.request.desiredAccuracy, self.request.interval)
    {
      looks = Self.looks(for: request, at: now, by: rules)
    }
    self.request = request
  }

  private static func looks(
    for request: StandardRequest, at now: EngineInstant, by rules: EngineRules
  ) -> LookSchedule? {
    LookSchedule(request, at: now, hasWiFi: rules.hasWiFi, feelsMotion: rules.feelsMotion)
  }

  // Reading through an optional copies all its contents, and a service is large. So a question that is asked for every
  // fix is `mutating`, although it changes nothing: then it is asked in place.

  /// The facts that decide whether its app may receive it, and as which service.
  mutating func terms() -> (allowsBackground: Bool, unseenSince: EngineInstant?) {
    (request.allowsBackgroundUpdates, unseenSince)
  }

  /// Whether it looks for positions only at times.
  mutating func looksAtTimes() -> Bool { looks != nil }

  /// Judges an admitted fix, and anchors a delivered one; `nil` while updates are paused.
  mutating func take(fix: Fix, around frame: LocalFrame, at now: EngineInstant) -> Verdict? {
    guard phase == .updating else { return nil }
    let verdict = judge(fix, at: now)
    if verdict.outcome == .delivered { anchor = Anchor(fix, around: frame, at: now) }
    return verdict
  }

  /// Pauses if the app allows it and the device has been still for long enough; returns whether it has.
  mutating func pauses(after fix: Fix, at now: EngineInstant, by rules: EngineRules) -> Bool {
    guard request.pausesAutomatically,
      still.isStill(
        after: fix.coordinate, accuracy: fix.horizontalAccuracy, at: now, by: .init(rules))
    else { return false }
    phase = .paused
    return true
  }

  /// Whether the updates are paused and the fix lies elsewhere; once for a pause.
  mutating func sees(_ fix: Fix, by rules: EngineRules) -> Bool {
    guard phase == .paused,
      still.isLeft(fix.coordinate, accuracy: fix.horizontalAccuracy, by: .init(rules))
    else { return false }
    still = StillDetector()
    return true
  }

  /// Whether a fix passes the distance filter, with the deciding numbers.
  ///
  /// A fix at least twice as accurate as the last delivered one passes below the distance [ours; Core
  /// Location says only that a more accurate one may].
  private func judge(_ fix: Fix, at now: EngineInstant) -> Verdict {
    let moved = anchor?.moved(to: fix)
    var verdict = Verdict(
      .delivered, moved: moved, movedRequired: request.distanceFilter,
      since: anchor?.since(now), accuracy: fix.horizontalAccuracy)
    if let required = request.distanceFilter, let moved, moved < required {
      let isMuchBetter =
        switch (fix.horizontalAccuracy, anchor?.accuracy) {
        case (let new?, let old?): new * 2 <= old
        case (_?, nil): true
        case (nil, _): false
        }
      if !isMuchBetter { verdict.outcome = .tooClose }
    }
    return verdict
  }
}
