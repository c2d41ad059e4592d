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
// since it leaves what the service keeps of its latest delivery. Each second is judged as ever: whereabouts and scores
// know no short way.
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
      take(seconds.samples[next])
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
      let end = quietEnd(of: seconds.samples, from: first)
      for index in first..<end { passOver(seconds.samples, index) }
      return end
    case .tracking:
      guard receiver.isInUse, receiver.blockedUntil == nil, host.mayPassOver() else { return first }
      let quiet = quietEnd(of: seconds.samples, from: first)
      return passOver(seconds.reports(from: first, to: quiet), of: seconds.samples, from: first)
    }
  }

  /// Passes over reports to the app, of the seconds from `first` on; returns the number of the next one.
  private mutating func passOver(
    _ reports: ArraySlice<ReceiverReport>, of samples: [WorldSample], from first: Int
  ) -> Int {
    let passed = host.passOver(reports)
    for number in 0..<passed {
      passOver(samples, first + number)
      let index = reports.startIndex + number
      if !stands { counters.movingDeliveries += 1 }
      whereabouts.learned(reports[index].fix.coordinate, age: 0, at: now)
      scorer.deliver(ScoredDelivery(reports[index].fix, isCached: false, at: now))
    }
    counters.fixesSeen += passed
    counters.verdicts[Verdict.Outcome.delivered.index] += passed
    counters.deliveries += passed
    counters.learned += passed
    return first + passed
  }

  // By field: a sample is large, and a copy of it costs as much as all that is done here.

  /// Advances the truth by a second in which nothing else happens.
  @inline(__always)
  private mutating func passOver(_ samples: [WorldSample], _ index: Int) {
    now = samples[index].truth.at
    utc = samples[index].truth.time
    pass(
      to: samples[index].truth, hasSky: samples[index].hasSky, stands: samples[index].stands)
    if !samples[index].events.isEmpty {
      for event in samples[index].events { note(event) }
    }
    sensors.hear(
      samples[index].cell, felt: samples[index].felt, seconds: samples[index].truth.seconds, at: now
    )
  }

  /// Judges the run at the next sample of the truth.
  @inline(__always)
  mutating func pass(to truth: TruthSample, hasSky: Bool, stands: Bool) {
    let here = truth.point
    judged += truth.elapsed
    whereabouts.pass(
      to: truth.place, at: truth.at, elapsed: truth.elapsed, travelled: truth.travelled)
    places.pass(to: here)
    self.stands = stands
    movement = .init(stays: stands, speed: truth.speed)
    scorer.pass(to: here, hasSky: hasSky || !truth.isTick)
    if stands { scorer.stands() }
  }

  /// The end of the seconds from `first` on in which no time is up and the engine hears no hint.
  private mutating func quietEnd(of samples: [WorldSample], from first: Int) -> Int {
    let due = nextDeadline
    let heard = host.service.engine.triggers
    var sensors = sensors
    var end = first
    while end < samples.count, samples[end].truth.isTick, samples[end].truth.at >= now {
      if let due, due <= samples[end].truth.at { break }
      let hint = sensors.hear(
        samples[end].cell, felt: samples[end].felt, seconds: samples[end].truth.seconds,
        at: samples[end].truth.at)
      if hint.isCell && heard.contains(.cells) || hint.isMotion && heard.contains(.motion) { break }
      end += 1
    }
    return end
  }
}
