// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationEngine
import LocationModel
import ServiceContract
import Testing

@testable import ServiceCore

@Suite("What the log and the explanations say, word for word")
struct LogWordsTests {
  private func delivery(
    _ number: UInt64, _ service: Service = .significant, isCached: Bool = false,
    moved: Double? = nil, since: Double? = nil
  ) -> Delivery {
    let fix = Fix(time: nil, coordinate: Coordinate(clampingLatitude: 52, wrappingLongitude: 5))
    return Delivery(
      sequence: number, service: service, fix: fix, isCached: isCached, moved: moved, since: since)
  }

  @Test("Deliveries")
  func deliveries() {
    #expect(
      LogWords.text(delivery: delivery(2, moved: 2_544.5346918572423, since: 300.845145))
        == "event 2: 2545 m and 301 s after the last")
    #expect(LogWords.text(delivery: delivery(1)) == "event 1: the first position")
    #expect(
      LogWords.text(delivery: delivery(1, isCached: true))
        == "event 1: the last position that was known")
    #expect(
      LogWords.text(delivery: delivery(7, .continuous, moved: 12, since: 1))
        == "no. 7: the first continuous update since the launch")
    #expect(LogWords.acknowledged(2, failures: 0) == "event 2, attempt 1: acknowledged")
    #expect(LogWords.acknowledged(2, failures: 4) == "event 2, attempt 5: acknowledged")
  }

  /// The previous daemon stopped on 2026-05-04 at 7:08:09.5 UTC; this one starts `seconds` later by UTC, and 45 s later
  /// by the boot clock.
  private func gap(
    boot: String, after seconds: Int64, notBefore last: UTCInstant? = nil
  ) throws -> String {
    let stop = UTCInstant(microseconds: 1_777_878_489_500_000)
    let moment = StoredMoment(engine: .zero, utc: stop, boot: "one", bootClock: 0)
    let clock = EngineClock(
      continuing: moment, boot: boot, bootClock: 45_000_000,
      utc: UTCInstant(microseconds: stop.microseconds + seconds * 1_000_000))
    return LogWords.text(gap: try #require(clock.gap), notBefore: last)
  }

  @Test("Gaps never run backwards: a clock that went back is said")
  func gaps() throws {
    let back: Int64 = -10 * 86_400
    #expect(
      try gap(boot: "two", after: 60)
        == "nobody watched from 2026-05-04T07:08:09.500Z to 2026-05-04T07:09:09.500Z")
    // An event that still waits was decided 20 s after the stored moment.
    #expect(
      try gap(
        boot: "two", after: 60, notBefore: UTCInstant(microseconds: 1_777_878_509_500_000))
        == "nobody watched from 2026-05-04T07:08:29.500Z to 2026-05-04T07:09:09.500Z")
    let clocks = "the clock went back from 2026-05-04T07:08:09.500Z to 2026-04-24T07:08:09.500Z"
    #expect(
      try gap(boot: "two", after: back) == "nobody knows for how long nobody watched: \(clocks)")
    #expect(try gap(boot: "one", after: back) == "nobody watched for 45 s: \(clocks)")
  }

  @Test("Transitions, with who launched the app")
  func transitions() {
    for (reason, words) in [
      (LifecycleTransition.Reason.launchedByService, "launched by the service"),
      (.launched, "launched by the user"),
    ] {
      let launched = LifecycleTransition(from: .notRunning, to: .inactive, reason: reason)
      #expect(launched.words() == "not running to inactive: \(words)")
    }
    let purged = LifecycleTransition(from: .suspended, to: .notRunning, reason: .purged)
    #expect(purged.words() == "suspended to not running: purged")
  }

  @Test("Verdicts, with the age of a delivery")
  func verdicts() {
    let early = Verdict(
      .tooSoon, moved: 2_110, movedRequired: 500, since: 123, sinceRequired: 300, accuracy: 17)
    let words = "too soon (2110 m of 500 m, 123 s of 300 s, accuracy 17 m)"
    #expect(early.words() == words)
    #expect(early.words(age: 12) == words, "only a delivery has an age")
    #expect(Verdict(.delivered).words(age: 12) == "delivered 12 s ago")
    #expect(
      Verdict(.delivered, accuracy: 5).words(age: 300)
        == "delivered 5 min ago (accuracy 5 m)")
    #expect(Verdict(.delivered).words() == "delivered")
  }
}
