// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Foundation
import Testing
import TraceFiles

private func format(_ text: String) throws -> TraceFormat {
  let bytes = Array(text.utf8)
  return try TraceFormat.recognise(bytes.span)
}

private func refusal(_ bytes: [UInt8]) -> TraceError? {
  do throws(TraceError) {
    _ = try TraceFormat.recognise(bytes.span)
    return nil
  } catch { return error }
}

struct TraceFormatTests {
  @Test(arguments: [
    ("<gpx>", TraceFormat.gpx),
    ("\u{FEFF}\n <?xml version='1.0'?><!-- <kml> --><g:gpx x='1'>", .gpx),
    ("<!DOCTYPE gpx [<!ENTITY a '>'>]>\n<gpx/>", .gpx),
    (#"{"class":"VERSION","release":"3.22"}"#, .gpsdJSON),
    (#"{"class":"MILEPOST_RECORDING","version":1}"#, .recording),
    ("# log\n$GPGGA,1\n{\"class\":\"TPV\",\"mode\":1}\n", .gpsdJSON),
    (#"{"type":"FeatureCollection","features":[]}"#, .geojson),
    ("{\n  \"name\": \"x\",\n  \"type\": \"Feature\"", .geojson),
    (#"{"time":"2026-05-04T07:08:09Z","lat":1,"lng":2}"#, .jsonl), (#"{"gap":true}"#, .jsonl),
    (#"{"_type":"location","tst":1,"lat":1,"lon":2}"#, .jsonl),
    (
      "2026-05-04T07:08:09Z\t*                 \t{\"_type\":\"location\",\"lat\":1,\"lon\":2,\"tst\":3}\n",
      .jsonl
    ),
    ("2026-05-04T07:08:09Z\tlwt\t{\"_type\":\"lwt\",\"tst\":3}\n", .jsonl),
    (#"{"semanticSegments": [{"startTime": "2026-05-04T07:00:00.000+02:00"}]}"#, .timeline),
    (#"[{"endTime": "…", "startTime": "…", "visit": {"hierarchyLevel": "0"}}]"#, .timeline),
    ("Geolife trajectory\r\nWGS 84\r\n", .plt),
    ("OziExplorer Track Point File Version 2.1\r\nWGS 84\r\nAltitude is in Feet\r\n", .plt),
    ("time,latitude,longitude\n", .csv), ("\u{FEFF}# x\n\"Lat\";\"Lon\";\"Time\"\r\n", .csv),
    ("$GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W*6A\r\n", .nmea),
    (
      "38,N,01131.000,E,1*6A\r\n$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47\r\n",
      .nmea
    ),
  ])
  func theFormatIsToldByContent(text: String, expected: TraceFormat) throws {
    #expect(try format(text) == expected)
  }

  @Test func utf16IsGPXOrIsRefused() throws {
    let gpx = Array(
      try #require("\u{FEFF}<?xml version='1.0'?><gpx>".data(using: .utf16LittleEndian)))
    #expect(try TraceFormat.recognise(gpx.span) == .gpx)
    let csv = Array(try #require("\u{FEFF}lat,lon,time".data(using: .utf16BigEndian)))
    #expect(refusal(csv)?.message.contains("iconv") == true)
  }

  @Test(arguments: [
    ("", "the file is empty"), (" \n\r\n", "the file is empty"),
    (
      "<kml>",
      "KML; with gpsbabel installed it is read as it is; else convert it to GPX first: gpsbabel -i kml -f FILE -o gpx "
        + "-F trace.gpx"
    ),
    ("<svg/>", "XML with the root <svg>, not GPX"),
    (
      "radio,mcc,net,area,cell,unit,lon,lat,range\nGSM,262,2,852,2521,0,10.9,50.1,1\n",
      "a list of cell towers, not a trace: it has no times"
    ),
    (
      "[{\"lat\":1}]",
      "a JSON array; write one object per line (jq -c '.[]') and it is read as JSON lines"
    ),
    ("PK\u{3}\u{4}", "a zip archive; unpack it first and name the trace inside it"),
    // The first lines of the example in the FAI's specification, appendix A.
    (
      "AXXXABC FLIGHT:1\r\nHFFXA035\r\nHFDTE160701\r\n",
      "an IGC flight record; with gpsbabel installed it is read as it is; else convert it to GPX first: gpsbabel -i igc "
        + "-f FILE -x track,name=GNSSALTTRK -o gpx -F trace.gpx"
    ),
    // The head of an archive whose first file is doc.kml: its name has 7 bytes, which stand at byte 30.
    (
      "PK\u{3}\u{4}" + String(repeating: "\0", count: 22) + "\u{7}\0\0\0doc.kml",
      "KMZ; with unzip and gpsbabel installed it is read as it is; else convert it to GPX first: unzip -p FILE '*.kml' | "
        + "gpsbabel -i kml -f - -o gpx -F trace.gpx"
    ),
    (
      "{\"locations\": [{\"latitudeE7\": 481375000, \"longitudeE7\": 115755000}]}",
      "Google's location history; make JSON lines of it first: jq -c '.locations[] | {time: .timestamp, "
        + "latitude: (.latitudeE7 / 1e7), longitude: (.longitudeE7 / 1e7), accuracy_m: .accuracy}' FILE > trace.jsonl"
    ),
    (
      "{\"timelineObjects\": []}",
      "Google's timeline, which holds visits and not fixes; Records.json of the same export has them"
    ),
  ])
  func whatIsNoTraceIsNamedWithWhatToDo(text: String, message: String) {
    #expect(refusal(Array(text.utf8))?.message == message)
    #expect(refusal(Array(text.utf8))?.code == .unrecognised)
  }

  @Test func archivesAndActivitiesAreNamed() {
    #expect(refusal([0x1F, 0x8B, 8, 0])?.message.hasPrefix("compressed with gzip") == true)
    let fit: [UInt8] = [14, 0x10, 0, 0, 9, 0, 0, 0] + Array(".FIT".utf8)
    #expect(refusal(fit)?.message.hasPrefix("a FIT activity") == true)
  }

  @Test func aBinaryReceiverProtocolIsRefusedWithTheAdviceToPlayItThroughGPSD() {
    // The start of a SiRF message: A0 A2, length 2, one of ours behind it.
    let sirf: [UInt8] = [0xA0, 0xA2, 0x00, 0x02, 0x0C, 0x01, 0x00, 0x0D, 0xB0, 0xB3]
    let stream = [[UInt8]](repeating: sirf, count: 20).flatMap(\.self)
    #expect(refusal(stream)?.code == .binary)
    #expect(refusal(stream)?.message.contains("gpspipe") == true)
  }

  @Test(.enabled(if: corpusFolder != nil, "the corpus of real traces is not here"))
  func everyFileOfTheCorpusIsToldRightly() throws {
    let manifest = String(decoding: try #require(corpusFile("MANIFEST.tsv")), as: UTF8.self)
    for row in manifest.split(separator: "\n").dropFirst() {
      let fields = row.split(separator: "\t", omittingEmptySubsequences: false)
      let bytes = try #require(corpusFile(String(fields[0])))
      let prefix = Array(bytes.prefix(TraceFormat.prefixLength))
      let kind = fields[4]
      if kind.hasPrefix("GPX") {
        #expect(try TraceFormat.recognise(prefix.span) == .gpx)
      } else if kind.hasPrefix("NMEA") {
        #expect(try TraceFormat.recognise(prefix.span) == .nmea, "\(fields[0])")
      } else if kind.hasPrefix("SiRF") {
        #expect(refusal(prefix)?.code == .binary)
      } else {
        #expect(refusal(prefix)?.code == .unrecognised)
      }
    }
  }
}

private func corpusFile(_ name: String) -> [UInt8]? {
  (corpusFolder?.appendingPathComponent(name)).flatMap { try? Data(contentsOf: $0) }.map(Array.init)
}
