// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

// Theory
// ======
//
// One daemon of the phone looks for the regions and visits of all apps. It does not know the position all the time: it
// *looks* (a Wi-Fi scan, of which the network makes a position), and takes every position that the phone has anyway, for
// whatever service. It looks
//
//   - when something begins to be monitored, until the sides of all regions are known;
//   - while the phone moves, every `looksEvery` seconds if a border or the end of a visit is near, and the more rarely the
//     farther that is, by the pace between the last two positions; what a coarse position may be off counts as near;
//   - 20 s after a position beyond a border, since the crossing counts only then; if that look is too coarse, as after any
//     other one;
//   - once when the phone has come to rest, and a few times more if that was too coarse for a border that may be near;
//   - when a wait is over (`PhoneStay`).
//
// At rest it does not look, so nothing tells a false exit there, and a phone on a table costs nothing.
//
//                motion felt                                 no motion for 25 s
//   resting ────────────────────► moving(felt at) ─────────────────────────────► resting
//                first look after a part of an interval           one look
//
// Motion is what the coprocessor feels; without a sensor, changes of cell stand for it. A smooth ride that is not felt is
// a rest to the daemon: the visit that it then believes in is refused by the look at the end of the wait.
//
// A question that is not answered (no network) is asked again like one answered too coarsely.

/// The daemon of a phone, which looks for regions and visits.
struct PhoneDaemon: Sendable, Equatable, Codable {
  /// What the motion sensor says.
  private enum Motion: Sendable, Equatable, Codable {
    case resting(since: EngineInstant)
    case moving(since: EngineInstant, felt: EngineInstant)
  }

  private var motion: Motion
  /// When the daemon looks next; `nil` if nothing will be seen.
  private var looksAt: EngineInstant?
  /// Whether an answer is awaited.
  private(set) var isAsking = false
  /// Looks in vain one after another.
  private var vain = 0
  private var stay: PhoneStay
  /// Whether some app awaits visits, as of the latest look: else nothing in `stay` is waited for.
  private var awaitsVisits = false
  private let draws: SeededDraws
  /// Metres to the nearest thing that may happen on the way, by the latest position; `nil` if nothing may.
  private var ahead: Double?
  /// The latest position, and the pace from the one before, metres per second.
  private var seen: Seen?
  private let feelsMotion: Bool

  private struct Seen: Sendable, Equatable, Codable {
    let place: LocalFrame
    /// Metres that it may be off, if it was coarse.
    let doubt: Double
    let at: EngineInstant
    var pace = 0.0
  }

  /// What a look, or time, has shown.
  enum Finding: Equatable {
    case arrived(Visit)
    /// `since` is the time of the first position away.
    case departed(since: UTCInstant?)
  }

  /// What the apps await.
  struct Wanted: Equatable {
    /// Metres to the nearest border whose crossing would be told; `nil` if there is none.
    var border: Double?
    /// The instant at which a crossing under way would count.
    var crossing: EngineInstant?
    /// Whether the side of some region is unknown.
    var isFinding = false
    var visits = false
  }

  init(_ terms: PhoneTerms, seed: UInt64, feelsMotion: Bool, at now: EngineInstant) {
    motion = .resting(since: now)
    looksAt = now
    draws = SeededDraws(seed: seed)
    stay = PhoneStay(terms.arrival, draws, at: now)
    stay.rested(at: now, pace: 0)
    self.feelsMotion = feelsMotion
  }

  /// What it must hear of.
  var triggers: Triggers { feelsMotion ? .motion : .cells }

  var nextDeadline: EngineInstant? {
    .earlier(isAsking ? nil : looksAt, .earlier(restsAt, awaitsVisits ? stay.deadline : nil))
  }

  /// When the phone rests, if nothing is felt until then.
  private var restsAt: EngineInstant? {
    guard case .moving(_, let felt) = motion else { return nil }
    return felt.advanced(
      bySeconds: feelsMotion ? PhoneTerms.restsAfter : PhoneTerms.restsAfterCell)
  }

  /// Whether the phone believes to be where it told to have arrived.
  var isInVisit: Bool { stay.isHere }

  private var isMoving: Bool { if case .moving = motion { true } else { false } }

  // MARK: What it hears

  /// Something else is monitored, or an app may be told again: looks at once.
  mutating func lookSoon(at now: EngineInstant) { looksAt = now }

  /// The phone moves.
  mutating func felt(_ terms: PhoneTerms, at now: EngineInstant) {
    if case .moving(let since, _) = motion {
      motion = .moving(since: since, felt: now)
      if !Self.isStir(from: since, to: now) { stay.moved() }
      return
    }
    motion = .moving(since: now, felt: now)
    stay.stirred()
    guard let ahead else { return }
    let part = interval(to: ahead, terms) * draws.firstLook(at: now)
    looksAt = .earlier(looksAt, now.advanced(bySeconds: part))
  }

  /// The network had no answer.
  mutating func failed(at now: EngineInstant) {
    guard isAsking else { return }
    isAsking = false
    lookAgain(at: now)
    if let looksAt { stay.looksAgain(at: looksAt) }
  }

  /// Takes a position of any source; `wanted` is what remains after it.
  mutating func saw(
    _ fix: Fix, _ wanted: Wanted, _ terms: PhoneTerms, at now: EngineInstant
  ) -> Finding? {
    isAsking = false
    awaitsVisits = wanted.visits
    let finding = wanted.visits ? stay.saw(fix, at: now, by: terms, draws) : nil
    if case .departed = finding { beginRest() }
    schedule(after: fix, wanted, terms, at: now)
    return finding
  }

  /// Takes a position that it may not remember: only the next look is set by it.
  mutating func saw(hidden fix: Fix, _ wanted: Wanted, _ terms: PhoneTerms, at now: EngineInstant) {
    isAsking = false
    seen = nil
    schedule(after: fix, wanted, terms, isHidden: true, at: now)
  }

  /// Time passed; returns whether to look now: not while a receiver tracks, whose positions come by themselves.
  mutating func pass(
    _ wanted: Wanted, _ terms: PhoneTerms, isTracked: Bool, to now: EngineInstant
  ) -> Bool {
    if let restsAt, restsAt <= now, case .moving(let since, let felt) = motion {
      motion = .resting(since: felt)
      beginRest()
      // After a moment's stir the phone is where it was.
      let matters =
        ahead != nil && !Self.isStir(from: since, to: felt) || wanted.visits && stay.needsPlace
      looksAt = matters ? now : wanted.crossing
    }
    awaitsVisits = wanted.visits
    if awaitsVisits, let due = stay.deadline, due <= now {
      stay.isLookedFor()
      looksAt = now
    }
    guard !isAsking, let due = looksAt, due <= now else { return false }
    looksAt = isTracked ? now.advanced(bySeconds: terms.looksEvery) : nil
    if isTracked { return false }
    isAsking = true
    return true
  }

  /// Forgets where the phone is.
  mutating func forgetPlace(_ terms: PhoneTerms, at now: EngineInstant) {
    stay = PhoneStay(terms.arrival, draws, at: now)
    seen = nil
    beginRest()
    looksAt = now
  }

  // MARK: When it looks

  private mutating func beginRest() {
    if case .resting(let since) = motion { stay.rested(at: since, pace: seen?.pace ?? 0) }
  }

  /// Whether motion of that length is a moment's stir.
  private static func isStir(from since: EngineInstant, to felt: EngineInstant) -> Bool {
    EngineInstant.seconds(from: since, to: felt) < PhoneTerms.restsAfter
  }

  private mutating func lookAgain(at now: EngineInstant) {
    let seconds = min(
      PhoneTerms.looksAgainAtMost, PhoneTerms.looksAgain * Double(1 << min(vain, 6)))
    vain += 1
    looksAt = now.advanced(bySeconds: seconds)
  }

  private mutating func schedule(
    after fix: Fix, _ wanted: Wanted, _ terms: PhoneTerms, isHidden: Bool = false,
    at now: EngineInstant
  ) {
    looksAt = nil
    ahead = nearest(wanted)
    let isCoarse = fix.horizontalAccuracy.map { $0 > PhoneTerms.coarse } ?? false
    let doubt = isCoarse ? fix.horizontalAccuracy ?? 0 : 0
    if !isCoarse { vain = 0 }
    if !isHidden { see(fix, doubt: doubt, at: now) }
    // A crossing that was due was not decided.
    let isUndecided = wanted.crossing.map { $0 <= now } ?? false
    let mayBeBeyond = isCoarse && !isMoving && wanted.border.map { $0 <= doubt } ?? false
    if wanted.isFinding || stay.needsPlace && wanted.visits && isCoarse
      || (isUndecided || mayBeBeyond) && vain < Self.mostVain
    {
      lookAgain(at: now)
    }
    if !isUndecided { looksAt = .earlier(looksAt, wanted.crossing) }
    guard isMoving, let ahead else { return }
    let seconds = interval(to: ahead - doubt, terms)
    // A coarse position says little: the next place may have known access points.
    let isNear = isCoarse && seconds <= terms.looksEvery
    looksAt = .earlier(
      looksAt, now.advanced(bySeconds: isNear ? terms.looksEvery / 2 : seconds))
  }

  /// Looks in vain one after another for a border at rest, at most [ours: a quarter of an hour].
  private static let mostVain = 5

  private mutating func see(_ fix: Fix, doubt: Double, at now: EngineInstant) {
    var next = Seen(place: LocalFrame(origin: fix.coordinate), doubt: doubt, at: now)
    if let seen {
      let seconds = EngineInstant.seconds(from: seen.at, to: now)
      // Two positions of a moment say nothing of the pace, and of coarse ones only what is beyond their doubt.
      guard seconds >= Self.momentary else { return }
      let way = seen.place.distance(to: fix.coordinate) - seen.doubt - doubt
      next.pace = max(0, way) / seconds
    }
    seen = next
  }

  /// Seconds from one position to the next by which a pace is judged, at least [ours].
  private static let momentary = 10.0

  /// Seconds until something that far ahead may be near.
  private func interval(to metres: Double, _ terms: PhoneTerms) -> Double {
    let pace = max(PhoneTerms.leastPace, 2 * (seen?.pace ?? 0))
    return min(max(terms.looksEvery, metres / pace), PhoneTerms.looksAtMost)
  }

  /// Metres to the nearest thing that may happen while the phone moves; `nil` if nothing may.
  private func nearest(_ wanted: Wanted) -> Double? {
    guard wanted.visits, stay.isHere else { return wanted.border }
    return 0
  }
}
