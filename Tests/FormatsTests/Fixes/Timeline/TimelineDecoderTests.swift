// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import LocationModel
import Testing

/// As Android writes it (Settings, Location, Timeline, export), shortened and with places of ours.
private let android = """
  {
    "semanticSegments": [
      {
        "startTime": "2026-05-04T07:00:00.000+02:00",
        "endTime": "2026-05-04T09:00:00.000+02:00",
        "timelinePath": [
          {"point": "-24.0509209°, 15.3121752°", "time": "2026-05-04T07:12:00.000+02:00"},
          {"point": "-24.0609209°, 15.3221752°", "time": "2026-05-04T07:14:00.000+02:00"}
        ]
      },
      {
        "startTime": "2026-05-04T07:30:00.000+02:00",
        "endTime": "2026-05-04T09:20:00.000+02:00",
        "startTimeTimezoneUtcOffsetMinutes": 120,
        "visit": {"hierarchyLevel": 0, "probability": 0.9, "topCandidate": {"placeId": "a}b\\"", "semanticType": "UNKNOWN",
          "placeLocation": {"latLng": "-24.16°, 15.25°"}}}
      },
      {"startTime": "2026-05-04T07:10:00.000+02:00", "endTime": "2026-05-04T07:30:00.000+02:00",
        "activity": {"start": {"latLng": "-24.05°, 15.31°"}, "end": {"latLng": "-24.16°, 15.25°"}}}
    ],
    "rawSignals": [{"position": {"LatLng": "-24.0°, 15.0°", "accuracyMeters": 20, "timestamp": "2026-05-04T07:11:00.000+02:00"}}],
    "userLocationProfile": {"frequentPlaces": []}
  }
  """

/// As iOS writes it: a list, places as `geo:`, numbers as texts, minutes from the segment's begin.
private let iOS = """
  [
    {"endTime": "2026-05-04T09:00:00.000+02:00", "startTime": "2026-05-04T07:00:00.000+02:00", "timelinePath": [
      {"point": "geo:-24.050921,15.312175", "durationMinutesOffsetFromStartTime": "12"},
      {"point": "geo:-24.060921,15.322175", "durationMinutesOffsetFromStartTime": "14"}]},
    {"endTime": "2026-05-04T09:20:00.000+02:00", "startTime": "2026-05-04T07:30:00.000+02:00",
      "visit": {"hierarchyLevel": "0", "topCandidate": {"placeLocation": "geo:-24.160000,15.250000"}}}
  ]
  """

private func read(_ text: String) throws -> (events: [TraceEvent], ledger: TraceLedger) {
  try decoded(TimelineDecoder(options: DecodingOptions()), text)
}

@Suite("Google's Timeline")
struct TimelineDecoderTests {
  @Test("The points of paths are fixes, of both systems", arguments: [android, iOS])
  func paths(text: String) throws {
    let (events, ledger) = try read(text)
    let fixes = positions(events)
    #expect(
      fixes.map { $0.time?.rfc3339 } == ["2026-05-04T05:12:00.000Z", "2026-05-04T05:14:00.000Z"])
    #expect(abs((fixes.first?.coordinate.latitude ?? 0) + 24.050921) < 1e-6)
    #expect(abs((fixes.last?.coordinate.longitude ?? 0) - 15.322175) < 1e-6)
    #expect(fixes.allSatisfy { $0.horizontalAccuracy == nil })
    #expect(ledger.used == 2)
  }

  @Test("Visits and activities are counted")
  func others() throws {
    #expect(try read(android).ledger.skipped == ["visit": 1, "activity": 1])
    #expect(try read(iOS).ledger.skipped == ["visit": 1])
  }

  @Test("A point that is none is refused or has no time, and the rest is read")
  func faults() throws {
    let (events, ledger) = try read(
      """
      [{"startTime": "2026-05-04T07:00:00Z", "timelinePath": [
        {"point": "nowhere", "durationMinutesOffsetFromStartTime": "1"},
        {"point": "geo:1,2", "durationMinutesOffsetFromStartTime": "soon"},
        {"point": "geo:91,2", "durationMinutesOffsetFromStartTime": "2"},
        {"point": "geo:1,2", "durationMinutesOffsetFromStartTime": "3"}]}, {"startTime": 7, "timelineMemory": {}}]
      """)
    #expect(positions(events).map { $0.time?.rfc3339 } == ["2026-05-04T07:03:00.000Z"])
    #expect(ledger.skipped.values.reduce(0, +) + ledger.used == ledger.read)
    #expect(ledger.skipped["no path"] == 1)
  }

  @Test("A document that was cut off is read up to there, and refused if strict")
  func cut() throws {
    let head = String(android.prefix(700))
    #expect(try read(head).ledger.findings.map(\.kind).contains("truncated"))
    var strict = DecodingOptions()
    strict.strict = true
    #expect(
      throws: TraceError(.malformed, line: 1 + head.count { $0 == "\n" }, "the document ends early")
    ) {
      _ = try decoded(TimelineDecoder(options: strict), head)
    }
  }

  @Test("Wherever the bytes are cut, they are read alike", arguments: [android, iOS])
  func cuts(text: String) throws {
    #expect(try isIndifferentToCuts({ TimelineDecoder(options: DecodingOptions()) }, text))
  }
}
