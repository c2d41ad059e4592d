// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel

/// All that judges a run against the truth: what its app knows of its place, its deliveries, the events of its places,
/// and what a causal policy could have done.
struct RunJudges: Sendable {
  private(set) var whereabouts: Whereabouts
  private(set) var scorer: Scorer
  /// The quality of the plan app's region and visit events.
  private(set) var places: PlaceScores
  /// Whether the true device stands.
  private(set) var stands = Standstill().stands
  private(set) var movement = WiFiIslands.Movement.onTheWay
  /// The causal bound, if it is asked for.
  private var causal: CausalReceiver?
  /// The same with a lead, if one is stated.
  private var punctual: PunctualReceiver?

  init(_ plan: RunPlan, places: PlaceScores, options: ReplayOptions, records: Run.Records) {
    self.places = places
    whereabouts = Whereabouts(blindDistance: options.blindDistance, places: options.places)
    let isSignificant = plan.mode == .significant
    let judgesReach = isSignificant && records.contains(.causal)
    causal = judgesReach ? CausalReceiver() : nil
    punctual = judgesReach ? options.scoring.lead.map { PunctualReceiver(lead: $0) } : nil
    scorer = Scorer(
      rules: options.scoring, keepsCrossings: records.contains(.crossings) && isSignificant,
      judgesReach: judgesReach, hears: DeviceSensors(options.device).hears,
      vainLook: options.vainLook, stale: options.staleStart)
  }

  /// Advances the truth to a sample.
  @inline(__always)
  mutating func pass(to sample: WorldSample) {
    stands = sample.stands
    whereabouts.pass(to: sample)
    places.pass(to: sample.truth.point)
    scorer.pass(to: sample.truth.point, hasSky: sample.hasSky || !sample.truth.isTick)
    if stands { scorer.stands() }
  }

  /// Notes how the device moves at the latest sample.
  @inline(__always)
  mutating func noteMovement(at truth: TruthSample) {
    movement = .init(stays: stands, speed: truth.speed)
  }

  /// Takes an event of the truth at the latest sample.
  mutating func note(_ event: TruthEvent, at now: EngineInstant) {
    whereabouts.note(event)
    places.note(event, at: now)
  }

  /// Ends the segment: the position is unknown from now on.
  mutating func endSegment(at now: EngineInstant) {
    endKnowledge(at: now)
    scorer.endSegment()
  }

  private mutating func endKnowledge(at now: EngineInstant) {
    whereabouts.endSegment()
    places.endSegment(at: now)
  }

  /// Ends the trace.
  mutating func finish(at now: EngineInstant) {
    endKnowledge(at: now)
    if let punctual { scorer.note(searches: punctual.searches, seconds: punctual.seconds) }
    scorer.finishTrace()
  }

  // MARK: The app's side

  /// The recipient learns the device's place.
  @inline(__always)
  mutating func learn(_ report: Report, at now: EngineInstant) {
    whereabouts.learned(report.place, accuracy: report.accuracy, at: now, of: report.taken)
    for news in report.news { whereabouts.heard(news.what, at: now, of: news.taken) }
  }

  /// An instant of the run on the clock of events, by which the knowledge of its app is judged.
  func eventClock(_ now: EngineInstant) -> EngineInstant { whereabouts.clock(now) }

  /// The app takes a fresh fix of this instant, whose recipient learns it at once.
  @inline(__always)
  mutating func takeFresh(_ fix: Fix, at now: EngineInstant) {
    whereabouts.learned(fix.coordinate, accuracy: fix.horizontalAccuracy, at: now)
    deliver(fix, isCached: false, at: now)
  }

  @inline(__always)
  mutating func deliver(_ fix: Fix, isCached: Bool, at now: EngineInstant) {
    scorer.deliver(ScoredDelivery(fix, isCached: isCached, at: now))
  }

  /// The app is told an event at a place.
  mutating func told(_ event: PlaceEvent, at now: EngineInstant) { places.told(event, at: now) }

  // MARK: The causal bound

  /// Whether the causal bound is asked for, which looks at each second and hears every hint.
  @inline(__always)
  var judgesReach: Bool { if case .some = causal { true } else { false } }

  /// Whether the seconds of a stride need no look for it.
  var isSteady: Bool {
    if case .some = punctual { false } else { causal?.isSteady ?? true }
  }

  /// Advances the causal bound by a second; `own` is the run's receiver as it was before.
  mutating func tick(_ second: CausalReceiver.Second, own: SimulatedReceiver, at now: EngineInstant)
  {
    let isQuickest = causal?.tick(second, own: own, at: now) == true
    if isQuickest { scorer.couldBegin() }
    let isPunctual = punctual?.tick(second, own: own, isOpen: scorer.isOpen, at: now)
    if isPunctual ?? isQuickest { scorer.couldDeliver() }
  }

  /// A gap ends: nobody's receiver knows where it is.
  mutating func lostTrack(at now: EngineInstant) {
    causal?.lostTrack(at: now)
    punctual?.lostTrack(at: now)
  }
}
