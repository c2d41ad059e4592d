// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// One region of one app [doc]. A crossing counts once the device has gone a cushion beyond the border and has been
// there for a time: else each position error would wake an app beside a border.
//
//             good position                      beyond the cushion
//   unknown ────────────────► settled(side) ──────────────────────────► crossing(from: side, since)
//                                  ▲   ▲        back, or not so far            │
//                                  │   └───────────────────────────────────────┤
//                                  └──── 20 s: the other side, and an event ───┘
//
// - *Cushion*: `RegionTerms.cushion(of:outwards:)`, of the platform.
// - *Dwell*, 20 s [doc]: from the first position beyond the cushion to the one that counts, with none in between that
//   is not. A device that is far beyond it has been there for as long as the way from the cushion takes at `fastest`,
//   less the position's possible error [ours]: after a late look one position is enough.
// - *Accuracy.* A position decides if its accuracy is no worse than its distance from the border (on a phone, half of
//   it), or than the radius and the terms allow: its circle then lies on one side, or within the cushion's purpose [ours].
// - *The first state* is found without an event, and by the border alone; also by the last known position, if the device
//   cannot have come to the border since. The same holds after a region was changed.
// - *An app that may not be told* (not authorized, force-quit) stays in `crossing`: as soon as it may, the next
//   position tells it; and nothing has happened if the device is back by then.
// - An event that the region does not ask for (`notifiesOnEntry`) changes the state in silence.
// - *A question* for the state is answered at once if it is known, else with the first position that says it, or with
//   "unknown" after `answersWithin`, or when monitoring ends. It outlives a change of the region. While the app runs no
//   code it stays open, and is answered when the app runs again; it ends with the app's process.
// - *What the app was told* (`told`) is the last answer, or the last crossing that the app has taken: a later process of
//   the app knows by it what is news. It is less than `state` while a crossing waits for the app.

/// One app's monitoring of one region; it outlives the app's process.
struct RegionService: Sendable, Equatable, Codable {
  /// The greatest speed of a device, metres per second [ours: 180 km/h].
  static let fastest = 50.0
  /// Seconds within which a question for the state is answered [ours: a cold start].
  static let answersWithin = 60.0
  /// Seconds from a too coarse position to the next look for that reason [ours: as rarely as there is a notification].
  static let againAfterCoarse = 300.0

  let region: MonitoredRegion
  private var standing = Standing.unknown
  /// The deadline of an open question for the state; `nil` if there is none.
  private(set) var askedUntil: EngineInstant?
  /// UTC of the position that showed the present side; `nil` if unknown.
  private var since: UTCInstant?
  /// What the app was told last; `nil` if nothing.
  private(set) var told: ToldSide?

  enum Side: String, Sendable, Equatable, Codable {
    case inside, outside
  }

  private enum Standing: Sendable, Equatable, Codable {
    /// No position has been good enough since monitoring began.
    case unknown
    case settled(Side)
    /// Beyond the cushion of the other side since then.
    case crossing(from: Side, since: EngineInstant)
  }

  init(_ region: MonitoredRegion) { self.region = region }

  /// Takes a changed region: all begins anew, except for its question.
  mutating func change(to region: MonitoredRegion) {
    let asked = askedUntil
    self = Self(region)
    askedUntil = asked
  }

  /// The side on which the app believes the device to be.
  private var side: Side? {
    switch standing {
    case .unknown: nil
    case .settled(let side), .crossing(let side, _): side
    }
  }

  var state: RegionState {
    switch side {
    case .inside: .inside
    case .outside: .outside
    case nil: .unknown
    }
  }

  /// The start of a crossing under way; `nil` if there is none.
  var crossesSince: EngineInstant? {
    if case .crossing(_, let since) = standing { since } else { nil }
  }

  func mark(at now: EngineInstant) -> RegionMark {
    RegionMark(
      state: state,
      crosses: crossesSince.map {
        min(MonitoredRegion.dwell, EngineInstant.seconds(from: $0, to: now))
      })
  }

  /// Metres beyond the border as seen from a side; negative on that side.
  private func past(_ fix: Fix, from side: Side) -> Double {
    let beyond = region.beyond(fix.coordinate)
    return side == .inside ? beyond : -beyond
  }

  private func decides(_ fix: Fix, past: Double, by terms: RegionTerms) -> Bool {
    guard let accuracy = fix.horizontalAccuracy else { return true }
    return accuracy <= max(abs(past) / terms.certainty, min(region.radius, terms.fine))
  }

  /// The outcome of a position.
  enum Judgement: Equatable {
    /// The side became known, or changed, without an event.
    case settled
    /// No event, and why.
    case refused(Verdict)
    case crossed(PlaceEvent, Verdict)
  }

  /// Takes an admitted position. `permission` is `delivered` if the app may be told of a crossing now, else the
  /// obstacle. In a verdict `moved` are the metres beyond the border, negative before it.
  mutating func judge(
    _ fix: Fix, at now: EngineInstant, by terms: RegionTerms, permission: Verdict.Outcome
  ) -> Judgement {
    guard let side else { return findSide(fix, by: terms) }
    var verdict = judge(fix, from: side, at: now, by: terms)
    guard verdict.outcome == .delivered else { return .refused(verdict) }
    if isNotified(from: side) {
      verdict.outcome = permission
      guard permission == .delivered else { return .refused(verdict) }
    }
    standing = .settled(side == .inside ? .outside : .inside)
    since = fix.time
    guard isNotified(from: side) else { return .settled }
    let identifier = region.identifier
    return .crossed(side == .inside ? .exited(identifier) : .entered(identifier), verdict)
  }

  /// Whether the app asks for the event that ends a stay on this side.
  private func isNotified(from side: Side) -> Bool {
    side == .inside ? region.notifiesOnExit : region.notifiesOnEntry
  }

  /// Takes a position from earlier, if the device cannot have come to the border since then; returns whether the first
  /// state is known by it.
  mutating func isSettled(
    by fix: Fix, from earlier: EngineInstant, at now: EngineInstant, by terms: RegionTerms
  ) -> Bool {
    let way = Self.fastest * EngineInstant.seconds(from: earlier, to: now)
    guard side == nil, way <= abs(past(fix, from: .inside)) else { return false }
    return findSide(fix, by: terms) == .settled
  }

  private mutating func findSide(_ fix: Fix, by terms: RegionTerms) -> Judgement {
    let beyond = past(fix, from: .inside)
    guard decides(fix, past: beyond, by: terms) else {
      return .refused(Verdict(.inaccurate, accuracy: fix.horizontalAccuracy))
    }
    standing = .settled(beyond <= 0 ? .inside : .outside)
    since = fix.time
    return .settled
  }

  /// `delivered` is a crossing that counts.
  private mutating func judge(
    _ fix: Fix, from side: Side, at now: EngineInstant, by terms: RegionTerms
  ) -> Verdict {
    let past = past(fix, from: side)
    let needed = terms.cushion(of: region, outwards: side == .inside)
    var verdict = Verdict(
      .delivered, moved: past, movedRequired: needed, accuracy: fix.horizontalAccuracy)
    guard decides(fix, past: past, by: terms) else {
      verdict.outcome = .inaccurate
      return verdict
    }
    guard past >= needed else {
      verdict.outcome = .tooClose
      standing = .settled(side)
      return verdict
    }
    let surely = max(0, past - needed - (fix.horizontalAccuracy ?? 0))
    let since = crossesSince ?? now.advanced(bySeconds: -surely / Self.fastest)
    standing = .crossing(from: side, since: since)
    let seconds = EngineInstant.seconds(from: since, to: now)
    (verdict.since, verdict.sinceRequired) = (seconds, MonitoredRegion.dwell)
    if seconds < MonitoredRegion.dwell { verdict.outcome = .tooSoon }
    return verdict
  }

  /// Metres from a position to the border whose crossing would be told next, or the crossing under way; `nil` if the app
  /// would be told of none.
  func borderAhead(of fix: Fix) -> Double? {
    guard let side, isNotified(from: side) else { return nil }
    return max(0, -past(fix, from: side))
  }

  /// The remaining need of the next crossing after a position, or of the first state: metres, and the instant from
  /// which it may count.
  func missing(
    after fix: Fix, at now: EngineInstant, by terms: RegionTerms
  ) -> (metres: Double, due: EngineInstant) {
    let again = now.advanced(bySeconds: Self.againAfterCoarse)
    guard let side else { return (0, again) }
    let past = past(fix, from: side)
    let metres = terms.cushion(of: region, outwards: side == .inside) - past
    guard decides(fix, past: past, by: terms) else { return (metres, again) }
    return (metres, crossesSince?.advanced(bySeconds: MonitoredRegion.dwell) ?? now)
  }

  // MARK: Questions

  /// Takes the app's question for the state; answers it if known, and if the app can hear that.
  mutating func ask(at now: EngineInstant, runsCode: Bool) -> RegionState? {
    guard side == nil || !runsCode else { return answered() }
    askedUntil = now.advanced(bySeconds: Self.answersWithin)
    return nil
  }

  /// The answer to an open question, if there is one now.
  mutating func answer(at now: EngineInstant) -> RegionState? {
    guard let until = askedUntil, side != nil || until <= now else { return nil }
    askedUntil = nil
    return answered()
  }

  private mutating func answered() -> RegionState {
    if side != nil { told = ToldSide(region: region.identifier, state: state, time: since) }
    return state
  }

  /// The app has taken the event of a crossing.
  mutating func took(crossingInside isInside: Bool, at time: UTCInstant?) {
    told = ToldSide(region: region.identifier, state: isInside ? .inside : .outside, time: time)
  }

  /// Drops the question, if there is one: its process has ended.
  mutating func dropQuestion() { askedUntil = nil }
}
