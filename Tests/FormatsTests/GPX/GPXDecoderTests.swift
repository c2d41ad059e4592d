// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Foundation
import Geodesy
import LocationModel
import Testing

private let time = "<time>2026-05-04T07:08:09Z</time>"

struct PointTests {
  @Test func everyElementOfAPointIsRead() throws {
    let (events, ledger) = try readGPX(
      track(
        """
        <trkpt lat="45.5" lon="13.25"><ele>100.5</ele>\(time)<geoidheight>45.5</geoidheight>
        <fix>3d</fix><sat>9</sat><hdop>0.8</hdop><vdop>1.2</vdop><extensions>
        <gpxtpx:TrackPointExtension><gpxtpx:speed>2.5</gpxtpx:speed>
        <gpxtpx:course>270</gpxtpx:course></gpxtpx:TrackPointExtension></extensions></trkpt>
        """))
    let fix = try #require(fixes(events).first)
    #expect(fix.time?.rfc3339 == "2026-05-04T07:08:09.000Z")
    #expect(fix.coordinate == Coordinate(latitude: 45.5, longitude: 13.25))
    #expect(fix.altitude == 100.5)
    // Height above the ellipsoid = height above the geoid + the geoid's: 100.5 + 45.5.
    #expect(fix.ellipsoidalHeight == 146)
    #expect(fix.speed == 2.5)
    #expect(fix.course == 270)
    #expect(fix.satellites == 9)
    #expect(fix.hdop == 0.8)
    // 0.8 × 5 m and 1.2 × 5 m: the default range error.
    #expect(fix.horizontalAccuracy == 4)
    #expect(fix.verticalAccuracy == 6)
    #expect(ledger.satellites.greatest == 9)
  }

  @Test(arguments: [
    "<accuracy>7.5</accuracy>", "<extensions><accuracy>7.5</accuracy></extensions>",
    "<extensions><trailsio:TrackPointExtension><trailsio:hacc>7.5</trailsio:hacc></trailsio:TrackPointExtension></extensions>",
    "<extensions><opentracks:accuracy_horizontal>7.5</opentracks:accuracy_horizontal></extensions>",
    "<hAcc>7.5</hAcc>", "<extensions><horizontalAccuracy>7.5</horizontalAccuracy></extensions>",
    "<cmt>acc=7.5 speed=0 course=0</cmt>",
  ])
  func accuracyIsFoundUnderTheNamesThatLoggersUse(element: String) throws {
    let (events, _) = try readGPX(
      track("<trkpt lat='1' lon='2'>\(time)<hdop>2</hdop>\(element)</trkpt>"))
    #expect(fixes(events).first?.horizontalAccuracy == 7.5)
    #expect(fixes(events).first?.speed == nil)
  }

  @Test func unknownIsNeverPerfect() throws {
    let (events, _) = try readGPX(
      track(
        """
        <trkpt lat="1" lon="2">\(time)<extensions><hacc>-1</hacc><speed>-1</speed>
        <course>-1</course></extensions></trkpt>
        <trkpt lat="1" lon="2">\(time)<hdop>99.99</hdop><hacc>0</hacc><course>360</course></trkpt>
        """))
    let all = fixes(events)
    #expect(all.map(\.horizontalAccuracy) == [nil, nil])
    #expect(all[0].speed == nil)
    #expect(all[0].course == nil)
    #expect(all[1].course == 0)
    #expect(all[1].hdop == nil)
  }

  @Test func anOptionalValueThatIsNoNumberIsLeftOutAndToldAndStrictRefusesIt() throws {
    let text = track(
      """
      <trkpt lat="1" lon="2"><ele>12,5</ele>\(time)<hdop>NaN</hdop><geoidheight></geoidheight></trkpt>
      <trkpt lat="1" lon="2"><ele>13</ele>\(time)<extensions><speed>3 m/s</speed></extensions></trkpt>
      """)
    let (events, ledger) = try readGPX(text)
    #expect(fixes(events).map(\.altitude) == [nil, 13])
    let findings = ledger.findings.filter { $0.kind.hasPrefix("unread") }
    #expect(
      findings.map(\.text) == [
        "left out: ele is '12,5', not a number (decimals need a point, not a comma)",
        "left out: speed is '3 m/s', not a number",
      ])
    #expect(findings.map(\.kind) == ["unread_ele", "unread_speed"])
    var strict = DecodingOptions()
    strict.strict = true
    #expect(throws: TraceError.self) { try readGPX(text, options: strict) }
  }

  @Test func whatHasNoPlaceInATraceIsCountedByItsName() throws {
    let (_, ledger) = try readGPX(
      track(
        """
        <trkpt lat="1" lon="2">\(time)<name>a</name><extensions><x:TrackPointExtension><x:hr>90</x:hr>
        <x:cad>80</x:cad><x:speed>3</x:speed></x:TrackPointExtension></extensions></trkpt>
        <trkpt lat="1" lon="2">\(time)<extensions><x:hr>91</x:hr></extensions></trkpt>
        """))
    #expect(ledger.unused == ["name": 1, "hr": 2, "cad": 1])
  }

  @Test func aPointThatSaysItHasNoFixIsNoFix() throws {
    let (events, ledger) = try readGPX(
      track(
        """
        <trkpt lat="1" lon="2">\(time)<fix>none</fix></trkpt>
        <trkpt lat="1" lon="2"><time>2026-05-04T07:08:10Z</time><fix>none</fix><sat>3</sat></trkpt>
        """))
    // The second contradicts itself: with three satellites used a position was computed.
    #expect(ledger.noFixEpochs == 1)
    #expect(ledger.fixes == 1)
    #expect(
      events.first
        == .noFix(time: UTCInstant(microseconds: 1_777_878_489_000_000), line: 3))
  }

  @Test func theAntimeridianAndThePolesAreCoordinates() throws {
    let (events, _) = try readGPX(
      track("<trkpt lat='-90' lon='180'>\(time)</trkpt><trkpt lat='90' lon='-180'>\(time)</trkpt>"))
    #expect(fixes(events).map(\.coordinate.longitude) == [-180, -180])
  }

  @Test func badPointsAreSkippedByReasonWithTheirLine() throws {
    let (_, ledger) = try readGPX(
      track(
        """
        <trkpt lat="45,123" lon="13,5">\(time)</trkpt>
        <trkpt lat="91" lon="13">\(time)</trkpt>
        <trkpt lat="45" lon="-180.09">\(time)</trkpt>
        <trkpt lon="13">\(time)</trkpt>
        <trkpt lat="45" lon="13"><time>yesterday</time></trkpt>
        <trkpt lat="45" lon="13">\(time)</trkpt>
        """))
    #expect(
      ledger.skipped == [
        "coordinate not a number": 1, "coordinate out of range": 2, "no coordinate": 1,
        "time not understood": 1,
      ])
    #expect(ledger.read == 6)
    #expect(ledger.used == 1)
    #expect(
      ledger.findings.map(\.kind) == [
        "coordinate_not_a_number", "coordinate_out_of_range", "no_coordinate",
        "time_not_understood",
      ])
    #expect(ledger.findings.map(\.lines) == [[3], [4, 5], [6], [7]])
  }

  @Test func strictStopsAtTheFirstBadPointAndSaysWhy() {
    var options = DecodingOptions()
    options.strict = true
    let text = track("<trkpt lat='45,123' lon='13'>\(time)</trkpt>")
    #expect(
      throws: TraceError(
        .malformed, line: 3,
        "lat is '45,123', not a number (decimals need a point, not a comma)")
    ) { try readGPX(text, options: options) }
  }
}

struct TimeTests {
  @Test func offsetsAreConvertedAndMissingZonesReadAsUTCWithAFinding() throws {
    let (events, ledger) = try readGPX(
      track(
        """
        <trkpt lat="1" lon="2"><time>2026-05-04T09:08:09+02:00</time></trkpt>
        <trkpt lat="1" lon="2"><time>2026-05-04T07:08:10</time></trkpt>
        """))
    #expect(
      fixes(events).map { $0.time?.rfc3339 }
        == ["2026-05-04T07:08:09.000Z", "2026-05-04T07:08:10.000Z"])
    #expect(ledger.findings.map(\.kind) == ["zoneless_time"])
    #expect(ledger.utcOffset == 120)
  }

  @Test func timesThatRunBackwardsOrRepeatAreReported() throws {
    let (events, ledger) = try readGPX(
      track(
        """
        <trkpt lat="1" lon="2"><time>2026-05-04T07:00:10Z</time></trkpt>
        <trkpt lat="1" lon="2"><time>2026-05-04T07:00:05Z</time></trkpt>
        <trkpt lat="1" lon="2"><time>2026-05-04T07:00:05Z</time></trkpt>
        """))
    #expect(fixes(events).count == 3)
    #expect(ledger.findings.map(\.kind) == ["time_backwards", "duplicate_time"])
    #expect(ledger.findings.map(\.lines) == [[4], [5]])
  }

  @Test func aTrackWithoutAnyTimeIsAnErrorThatSaysWhatToDo() {
    #expect(
      throws: TraceError(
        .noTimes,
        "none of the 2 points has a time; say how far apart they are with "
          + "--point-interval SECONDS (Xcode plays such a file at 1)")
    ) { try readGPX(track("<trkpt lat='1' lon='2'/><trkpt lat='1' lon='3'/>")) }
  }

  @Test func aPointIntervalGivesTimesFromADateOrFrom1970() throws {
    var options = DecodingOptions()
    options.pointInterval = 1.5
    let text = track("<trkpt lat='1' lon='2'/><trkpt lat='1' lon='3'/>")
    let (events, ledger) = try readGPX(text, options: options)
    #expect(fixes(events).map { $0.time?.microseconds } == [0, 1_500_000])
    #expect(!ledger.isDated)
    #expect(
      ledger.findings.first?.text
        == "points without a time were given one every 1.5 s, from 1970-01-01T00:00:00.000Z on")
    options.date = CivilDate(year: 2026, month: 5, day: 4)
    let dated = try readGPX(text, options: options)
    #expect(fixes(dated.events).first?.time?.rfc3339 == "2026-05-04T00:00:00.000Z")
    #expect(dated.ledger.isDated)
  }

  @Test func untimedPointsAroundATimedOneAreCountedFromIt() throws {
    var options = DecodingOptions()
    options.pointInterval = 2
    let (events, _) = try readGPX(
      track(
        "<trkpt lat='1' lon='1'/><trkpt lat='1' lon='2'>\(time)</trkpt><trkpt lat='1' lon='3'/>"),
      options: options)
    #expect(
      fixes(events).map { $0.time?.rfc3339 } == [
        "2026-05-04T07:08:07.000Z", "2026-05-04T07:08:09.000Z", "2026-05-04T07:08:11.000Z",
      ])
  }
}

struct StructureTests {
  @Test func segmentsTracksAndRoutesEndOnce() throws {
    let point = "<trkpt lat='1' lon='2'>\(time)</trkpt>"
    let (events, _) = try readGPX(
      """
      <gpx><rte><rtept lat='1' lon='2'>\(time)</rtept></rte>
      <trk><trkseg>\(point)</trkseg><trkseg/><trkseg>\(point)</trkseg></trk></gpx>
      """)
    #expect(
      events.map { if case .segmentEnd = $0 { "end" } else { "point" } }
        == ["point", "end", "point", "end", "point", "end"])
  }

  @Test func waypointsAreTheTraceOnlyWhereNothingElseIs() throws {
    let waypoints = "<wpt lat='1' lon='2'>\(time)</wpt><wpt lat='1' lon='3'>\(time)</wpt>"
    let alone = try readGPX("<gpx>\(waypoints)</gpx>")
    #expect(alone.ledger.fixes == 2)
    let beside = try readGPX(
      "<gpx>\(waypoints)<trk><trkseg><trkpt lat='5' lon='6'>\(time)</trkpt></trkseg></trk></gpx>")
    #expect(beside.ledger.fixes == 1)
    #expect(beside.ledger.skipped == ["waypoint beside a track": 2])
    #expect(beside.ledger.read == 3)
  }

  @Test func prefixesNeedNoDeclaration() throws {
    let (events, _) = try readGPX(
      """
      <g:gpx><g:trk><g:trkseg><g:trkpt lat="1" lon="2"><g:time>2026-05-04T07:08:09Z</g:time>
      <g:extensions><undeclared:speed>3</undeclared:speed></g:extensions></g:trkpt></g:trkseg></g:trk></g:gpx>
      """)
    #expect(fixes(events).first?.speed == 3)
  }

  @Test func commentsCDATAAndEntitiesAreText() throws {
    let (events, _) = try readGPX(
      """
      <?xml version="1.0"?><!DOCTYPE gpx [<!ENTITY year "2026">]>
      <gpx><!-- <trkpt lat="9" lon="9"/> --><trk><name>A &amp; B &nbsp;</name><trkseg>
      <trkpt lat="&#49;" lon="2"><time>&year;-05-<!-- x -->04<![CDATA[T07:08:09Z]]></time></trkpt>
      </trkseg></trk></gpx>
      """)
    #expect(fixes(events).map { $0.time?.rfc3339 } == ["2026-05-04T07:08:09.000Z"])
    #expect(fixes(events).first?.coordinate.latitude == 1)
  }
}

struct EncodingTests {
  private let text =
    "<gpx><trk><name>Visnjan é</name><trkseg><trkpt lat='1' lon='2'>\(time)</trkpt></trkseg></trk></gpx>"

  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian])
  func utf16IsReadWithAByteOrderMark(encoding: String.Encoding) throws {
    let data = try #require("\u{FEFF}\(text)".data(using: encoding))
    #expect(try readGPX(Array(data)).ledger.fixes == 1)
    #expect(try readGPX(Array(data), chunk: 1).ledger.fixes == 1)
  }

  @Test(arguments: ["ISO-8859-1", "windows-1252", "ISO-8859-15"])
  func singleByteEncodingsAreRead(name: String) throws {
    let declared = "<?xml version='1.0' encoding='\(name)'?>" + text
    let data = try #require(declared.data(using: .isoLatin1))
    #expect(try readGPX(Array(data)).ledger.fixes == 1)
  }

  @Test func anUnknownEncodingSaysWhatToDo() {
    #expect(
      throws: TraceError(
        .malformed, line: 1,
        "the encoding that the XML declaration names is not known here; convert the file to UTF-8 "
          + "(iconv does)")
    ) { try readGPX("<?xml version='1.0' encoding='GB18030'?>" + text) }
  }

  @Test func aByteOrderMarkOrBlankLinesBeforeTheDeclarationDoNotMatter() throws {
    #expect(
      try readGPX("\u{FEFF}" + track("<trkpt lat='1' lon='2'>\(time)</trkpt>")).ledger.fixes == 1)
    let (events, _) = try readGPX("\n\n  " + track("<trkpt lat='1' lon='2'>\(time)</trkpt>"))
    guard case .fix(_, let line)? = events.first else { return #expect(Bool(false)) }
    #expect(line == 5)
  }
}

struct DamageTests {
  private let whole = track(
    """
    <trkpt lat="1" lon="2">\(time)</trkpt>
    <trkpt lat="1" lon="3"><time>2026-05-04T07:08:10Z</time></trkpt>
    """)

  @Test func aDocumentThatBreaksOffKeepsWhatCameBefore() throws {
    let cut = try #require(whole.range(of: "<time>2026-05-04T07:08:10")).lowerBound
    let (events, ledger) = try readGPX(String(whole[..<cut]))
    #expect(fixes(events).count == 1)
    #expect(ledger.skipped == ["cut off": 1])
    #expect(ledger.findings.map(\.kind) == ["truncated"])
    #expect(ledger.findings.map(\.lines) == [[4]])
  }

  @Test func aDamagedDocumentKeepsWhatCameBefore() throws {
    let (events, ledger) = try readGPX(
      whole.replacingOccurrences(of: "<trkpt lat=\"1\" lon=\"3\">", with: "<trkpt lat=1>"))
    #expect(fixes(events).count == 1)
    #expect(ledger.findings.map(\.kind) == ["damaged"])
  }

  @Test func withStrictBothAreErrors() {
    var options = DecodingOptions()
    options.strict = true
    #expect(
      throws: TraceError(.malformed, line: 4, "the document ends early (no element found)")
    ) { try readGPX(String(whole.dropLast(30)), options: options) }
    #expect(
      throws: TraceError(.malformed, line: 5, "not well-formed XML (mismatched tag)")
    ) { try readGPX(whole.replacingOccurrences(of: "</trkseg>", with: ""), options: options) }
  }

  @Test func whatIsNoXMLIsAnErrorWithItsLine() {
    #expect(
      throws: TraceError(
        .malformed, line: 2, "not well-formed XML (not well-formed (invalid token))")
    ) { try readGPX("<gpx>\n<<</gpx>") }
  }

  @Test func anotherRootIsNotGPX() {
    #expect(throws: TraceError(.unrecognised, line: 1, "the document's root is not <gpx>")) {
      try readGPX("<kml/>")
    }
  }

  @Test func everyPlaceToCutInTwoGivesTheSameEvents() throws {
    let bytes = Array(whole.utf8)
    let expected = try readGPX(bytes)
    for cut in 0...bytes.count {
      var decoder = GPXDecoder(options: DecodingOptions())
      var events: [TraceEvent] = []
      let (head, tail) = (Array(bytes[..<cut]), Array(bytes[cut...]))
      try decoder.decode(head.span, into: &events)
      try decoder.decode(tail.span, into: &events)
      try decoder.finish(into: &events)
      #expect(events == expected.events)
      #expect(decoder.ledger == expected.ledger)
    }
  }
}

struct LimitTests {
  private func code(_ text: String) -> TraceError.Code? {
    do {
      _ = try readGPX(text)
      return nil
    } catch { return (error as? TraceError)?.code }
  }

  @Test func entitiesThatFeedOnEntitiesAreRefused() {
    var bomb = "<!DOCTYPE gpx [<!ENTITY a \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\">"
    for (name, inner) in zip("bcdefgh", "abcdefg") {
      bomb += "<!ENTITY \(name) \"\(String(repeating: "&\(inner);", count: 10))\">"
    }
    #expect(code("<?xml version='1.0'?>\(bomb)]><gpx><name>&h;</name></gpx>") == .limit)
    #expect(code("<?xml version='1.0'?>\(bomb)]><gpx><trk><trkseg><trkpt lat='&h;'/>") == .limit)
  }

  @Test func nestingIsBounded() {
    #expect(code("<gpx>" + String(repeating: "<a>", count: 300)) == .limit)
  }

  @Test func aFieldOfAnyLengthTakesBoundedMemoryAndIsNoNumber() throws {
    let long = String(repeating: "1", count: 200_000)
    let (events, _) = try readGPX(
      track("<trkpt lat='1' lon='2'>\(time)<speed>\(long)</speed></trkpt>"))
    #expect(fixes(events).count == 1)
  }
}
