// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationEngine
import LocationModel
import RadioPower
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
  /// Lives through consecutive seconds.
  mutating func live(through seconds: WorldSeconds) {
    var next = 0
    while next < seconds.samples.count {
      next = passOver(seconds, from: next)
      guard next < seconds.samples.count else { return }
      live(through: seconds.samples[next], seconds.events(at: next))
      next += 1
    }
  }

  /// Passes over the seconds from `first` on, as far as it may; returns the number of the next one.
  private mutating func passOver(_ seconds: WorldSeconds, from first: Int) -> Int {
    guard onlySums, hasBegun, acts.isEmpty else { return first }
    if receiver.isQuietlyOff {
      let end = quietEnd(of: seconds, from: first)
      judge(seconds, first..<end, isTold: false)
      return end
    }
    guard receiver.isQuietlyTracking, host.mayPassOver() else { return first }
    let quiet = quietEnd(of: seconds, from: first)
    let passed = host.passOver(seconds.fixes(from: first, to: quiet))
    judge(seconds, first..<first + passed, isTold: true)
    counters.fixesSeen += passed
    counters.verdicts[Verdict.Outcome.delivered.index] += passed
    counters.deliveries += passed
    counters.learned += passed
    return first + passed
  }

  /// The end of the seconds from `first` on in which no time is up and the engine hears no hint.
  private mutating func quietEnd(of seconds: WorldSeconds, from first: Int) -> Int {
    guard seconds.samples[first].truth.at >= clock.now else { return first }
    var end = seconds.end(before: nextDeadline, from: first)
    if options.device.tellsMovement {
      guard seconds.samples[first].truth.moves == moves else { return first }
      end = min(end, seconds.nextTurn(after: first))
    }
    var sensors = sensors
    return sensors.pass(seconds, first..<end, until: host.service.engine.triggers)
  }

  /// Advances the truth by seconds in which nothing else happens; `isTold` if the app is told a position in each.
  private mutating func judge(_ seconds: WorldSeconds, _ range: Range<Int>, isTold: Bool) {
    guard let last = range.last else { return }
    for number in range {
      let now = seconds.samples[number].truth.at
      judges.pass(to: seconds.samples[number])
      if seconds.isEventful {
        for event in seconds.events(at: number) { judges.note(event, at: now) }
      }
      guard isTold, let told = seconds.samples[number].fix else { continue }
      judges.takeFresh(told, at: now)
      if !judges.stands { counters.movingDeliveries += 1 }
    }
    clock.pass(to: seconds.samples[last].truth)
    judges.noteMovement(at: seconds.samples[last].truth)
    _ = sensors.pass(seconds, range, until: .none)
  }
}

extension Whereabouts {
  /// Advances the truth to a sample.
  @inline(__always)
  mutating func pass(to sample: WorldSample) {
    let truth = sample.truth
    pass(
      to: truth.place, at: truth.at, elapsed: truth.elapsed, travelled: truth.travelled,
      isHidden: sample.isHidden)
  }
}
