// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationEngine
import LocationModel
import RadioPower
import RadioWorld
import Scoring
import ServiceCore

// Theory
// ======
//
// In most seconds of most lives only the truth goes on. Two kinds of them are *passed over*:
//
//   receiver off       no time is up, and no hint comes that the engine hears: nobody can learn of the second
//   receiver tracks    the same, and its report has the outcome of the one before (`LocationEngine.passOver`)
//
// A row of them ends before the first second of another kind. The last tracked one is left to be taken like any other,
// since it leaves what the service keeps of its latest delivery. Each second is judged as ever.
//
// A run of which more than sums is asked (events, radio log, curves, the causal bound, an observer) takes each second;
// so does one with uploads, with a user whose acts may wait for a place, or with environments that change on the way.

extension Run {
  /// Advances the truth by consecutive seconds.
  mutating func take(_ seconds: WorldSeconds) {
    var next = 0
    while next < seconds.samples.count {
      next = passOver(seconds, from: next)
      guard next < seconds.samples.count else { return }
      take(seconds.samples[next], seconds.events(at: next))
      next += 1
    }
  }

  /// Passes over the seconds from `first` on, as far as it may; returns the number of the next one.
  private mutating func passOver(_ seconds: WorldSeconds, from first: Int) -> Int {
    guard onlySums, hasBegun, acts.isEmpty, signal == nil else { return first }
    switch receiver.phase {
    case .acquiring, .searching: return first
    case .off:
      guard gnss == .off else { return first }
      let end = quietEnd(of: seconds, from: first)
      judge(seconds, first..<end, isTold: false)
      return end
    case .tracking:
      guard receiver.isInUse, receiver.blockedUntil == nil, host.mayPassOver() else { return first }
      let quiet = quietEnd(of: seconds, from: first)
      let passed = host.passOver(seconds.fixes(from: first, to: quiet))
      judge(seconds, first..<first + passed, isTold: true)
      counters.fixesSeen += passed
      counters.verdicts[Verdict.Outcome.delivered.index] += passed
      counters.deliveries += passed
      counters.learned += passed
      return first + passed
    }
  }

  /// The end of the seconds from `first` on in which no time is up and the engine hears no hint.
  private mutating func quietEnd(of seconds: WorldSeconds, from first: Int) -> Int {
    guard seconds.steps[first].at >= now else { return first }
    let end = seconds.end(before: nextDeadline, from: first)
    var sensors = sensors
    return sensors.pass(seconds, first..<end, until: host.service.engine.triggers)
  }

  /// Advances the truth by seconds in which nothing else happens; `isTold` if the app is told a position in each.
  private mutating func judge(_ seconds: WorldSeconds, _ range: Range<Int>, isTold: Bool) {
    guard let last = range.last else { return }
    for number in range {
      now = seconds.steps[number].at
      judge(seconds.steps[number])
      for event in seconds.events(at: number) { note(event) }
      guard isTold, let told = seconds.fix(at: number)?.fix else { continue }
      whereabouts.learned(told.coordinate, age: 0, at: now)
      scorer.deliver(ScoredDelivery(told, isCached: false, at: now))
      if !stands { counters.movingDeliveries += 1 }
    }
    movement = .init(stays: stands, speed: seconds.samples[last].truth.speed)
    utc = seconds.samples[last].truth.time
    _ = sensors.pass(seconds, range, until: .none)
  }

  /// Judges the run at the next sample of the truth.
  mutating func pass(to sample: WorldSample) {
    judge(sample.step)
    movement = .init(stays: stands, speed: sample.truth.speed)
  }

  private mutating func judge(_ step: PathStep) {
    stands = step.stands
    whereabouts.pass(along: step)
    places.pass(to: step.point)
    scorer.pass(along: step)
  }
}
