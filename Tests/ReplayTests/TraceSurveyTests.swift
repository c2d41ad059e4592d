// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import LocationModel
import Testing

@testable import Replay

@Suite("The survey of a trace: its usual interval and its gaps")
struct TraceSurveyTests {
  /// The survey of fixes with these intervals, seconds; after each of more than 120 s the device is 300 m away, or back;
  /// `nil` ends a segment.
  private func survey(_ steps: some Sequence<Double?>) -> TraceSummary {
    var survey = TraceSurvey()
    var time = UTCInstant(microseconds: 1_790_000_000_000_000)
    let frame = LocalFrame(origin: Coordinate(clampingLatitude: 45, wrappingLongitude: 13))
    var place = frame.origin
    var east = 0.0
    var events = [TraceEvent.fix(Fix(time: time, coordinate: place), line: 1)]
    for (line, step) in steps.enumerated() {
      guard let step else {
        events.append(.segmentEnd(line: line + 2))
        continue
      }
      time = time.advanced(bySeconds: step)
      if step > 120 {
        // To and fro: a frame reaches only so far.
        east = 300 - east
        place = frame.point(east: east, north: 0)
      }
      events.append(.fix(Fix(time: time, coordinate: place), line: line + 2))
    }
    survey.include(events: events)
    return survey.finished()
  }

  @Test(
    "The median is the interval of a regular trace, however long, and five of them are no gap",
    arguments: [0.1, 1, 24, 25, 119.9, 120, 120.1, 3_600, 7_200, 21_600, 86_400])
  func regular(interval: Double) throws {
    let summary = survey(Array(repeating: interval, count: 99) + [interval * 5])
    let median = try #require(summary.medianInterval)
    #expect(abs(median / interval - 1) < 1e-9)
    #expect(abs(summary.gapThreshold - max(120, 5 * interval)) < 1e-6)
    #expect(summary.gapCount == 0 && summary.gaps.isEmpty)
  }

  @Test(
    "A step of more than a week is a gap, however rare the fixes are",
    arguments: [2_629_746.0, 3e7])
  func rare(interval: Double) {
    let summary = survey([604_800, interval, interval, interval])
    #expect(summary.gapThreshold == 604_800)
    #expect(summary.gapCount == 3 && summary.gapSeconds == 3 * interval)
  }

  @Test("A long step back begins another recording, and a short one does not")
  func recordings() {
    #expect(survey([1, 1, -30, 40]).recordings == 1)
    #expect(survey([1, 1, -61, 1, -3_600, 1]).recordings == 3)
  }

  @Test("Of different intervals the median is good to a bin's width")
  func irregular() throws {
    // From 300 s to 399 s and from 3,000 s to 3,990 s: the middle ones are 399 s and 3,000 s.
    let steps: [Double] = (0..<100).flatMap { (number: Int) -> [Double] in
      [Double(300 + number), Double(3_000 + 10 * number)]
    }
    let median = try #require(survey(steps.dropLast()).medianInterval)
    #expect(abs(median / 399 - 1) < 0.016, "\(median)")
  }

  @Test("Many long steps that are no gaps hide no gap, and more gaps than are listed are counted")
  func many() {
    // Fixes every 200 s, so a gap is longer than 1,000 s; one comes after 2,000 fixes.
    let late = survey(Array(repeating: 200, count: 2_000) + [864_000] + [200, 200])
    #expect(late.gapCount == 1 && late.gapSeconds == 864_000)
    #expect(late.gaps.map(\.seconds) == [864_000] && late.gaps.map(\.line) == [2_002])
    // Nine steps of 1 s, and one of an hour; the longest of all is the last.
    let hour = Array(repeating: 1.0, count: 9) + [3_600]
    let often = survey(Array(repeating: hour, count: 1_500).joined() + [7_200])
    #expect(often.gapCount == 1_501 && often.gapSeconds == 1_500 * 3_600 + 7_200)
    #expect(often.gaps.count == TraceSurvey.gapLimit)
    #expect(often.gaps.last?.seconds == 7_200)
  }

  @Test("A segment's end is a gap of any length")
  func ends() {
    let summary = survey([1, 1, nil, 5, 1, nil, 500, 1, 130])
    #expect(summary.gapCount == 3 && summary.gapSeconds == 635)
    #expect(summary.gaps.map(\.isSegmentEnd) == [true, true, false])
    #expect(summary.gaps.map(\.seconds) == [5, 500, 130])
  }
}
