// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

/// One app's standard updates: what it asked for and what it last got.
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
  /// When to look for positions; `nil` where the accuracy needs the receiver all the time.
  var looks: LookSchedule?
  /// When it was started in the background by an app that has not been in the foreground since.
  var unseenSince: EngineInstant?
  /// The newest fix that another app's receiver brought while this one was suspended, in eras that keep it.
  var queued: Fix?
  /// Its updates that are kept back; `nil` where none are.
  var deferral: UpdateDeferral?

  init(_ request: StandardRequest, at now: EngineInstant, isSeen: Bool) {
    self.request = request
    phase = .updating
    looks = LookSchedule(request.desiredAccuracy, at: now)
    unseenSince = isSeen ? nil : now
  }

  /// Asking again changes the wish and keeps the anchor.
  mutating func change(to request: StandardRequest, at now: EngineInstant) {
    if request.desiredAccuracy != self.request.desiredAccuracy {
      looks = LookSchedule(request.desiredAccuracy, at: now)
    }
    self.request = request
  }

  // Reading through an optional copies all that is in it, and a service is large. So a question that is
  // asked for every fix is `mutating`, although it changes nothing: then it is asked in place.

  /// The facts that decide whether its app may hear it, and as which service.
  mutating func terms() -> (allowsBackground: Bool, unseenSince: EngineInstant?) {
    (request.allowsBackgroundUpdates, unseenSince)
  }

  /// Whether there are times at which it does not look for positions.
  mutating func looksAtTimes() -> Bool { looks != nil }

  /// Judges an admitted fix, and anchors what is delivered; `nil` while updates are paused.
  mutating func take(_ fix: Fix, around frame: LocalFrame, at now: EngineInstant) -> Verdict? {
    guard phase == .updating else { return nil }
    let verdict = judge(fix, at: now)
    if verdict.outcome == .delivered { anchor = Anchor(fix, around: frame, at: now) }
    return verdict
  }

  /// Pauses where the app lets it and the device has been still for long enough; answers whether it has.
  mutating func pauses(after fix: Fix, at now: EngineInstant, by rules: EngineRules) -> Bool {
    guard request.pausesAutomatically,
      still.isStill(after: fix, at: now, radius: rules.stillRadius, for: rules.pausesAfter)
    else { return false }
    phase = .paused
    return true
  }

  /// Whether a fix passes the distance filter, with the numbers that decided.
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
