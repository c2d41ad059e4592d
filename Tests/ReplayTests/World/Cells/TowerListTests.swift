// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import JSONText
import LocationModel
import Replay
import Testing

@Suite("Lists of real towers")
struct TowerListTests {
  private let header =
    "radio,mcc,net,area,cell,unit,lon,lat,range,samples,changeable,created,updated,averageSignal\n"

  private func area(_ places: (Double, Double)...) -> TrackArea {
    var area = TrackArea()
    for (latitude, longitude) in places {
      area.include(Coordinate(clampingLatitude: latitude, wrappingLongitude: longitude))
    }
    return area
  }

  private func decode(
    _ text: String, near area: TrackArea, chunk: Int = 7
  ) throws -> TowerListDecoder.Found {
    var decoder = TowerListDecoder(near: area)
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      try decoder.decode(bytes.span.extracting(start..<min(start + chunk, bytes.count)))
    }
    return try decoder.finishList()
  }

  @Test("Only the network and radio with most towers near the track is heard, in each country")
  func oneNetwork() throws {
    let text = """
      GSM,262,2,852,1,0,10.95,50.17,15762,200,1,1294561074,1662692508,0
      GSM,262,2,852,2,0,10.94,50.18,15762,200,1,1294561074,1662692508,0
      GSM,262,1,852,1,0,10.93,50.17,15762,200,1,1294561074,1662692508,0
      LTE,262,2,852,9,0,10.92,50.17,15762,200,1,1294561074,1662692508,0
      GSM,230,1,1,1,0,10.91,50.16,15762,200,1,1294561074,1662692508,0
      GSM,262,2,852,3,0,13.94,52.18,15762,200,1,1294561074,1662692508,0

      """
    for chunk in [1, 7, 10_000] {
      let found = try decode(header + text, near: area((50.17, 10.95)), chunk: chunk)
      // Six towers; the one at Berlin is out of reach, so two of GSM 262-2 and one of 230-1 are left.
      #expect(found.read == 6)
      #expect(found.map.count == 3)
      #expect(found.networks == ["GSM 230-1", "GSM 262-2"])
    }
  }

  @Test("A header, CR LF, empty lines and a missing last line end are all right")
  func forms() throws {
    let text = header + "\r\nGSM,262,2,852,1,0,10.95,50.17\r\n\r\nGSM,262,2,852,2,0,10.95,50.18"
    #expect(try decode(text, near: area((50.17, 10.95))).map.count == 2)
  }

  @Test(
    "A malformed line is named with its number and the value",
    arguments: [
      ("GSM,262,2\n", 2, "3 fields, at least 8 are needed"),
      ("GSM,262,2,852,1,0,10.95,91\n", 2, "lat '91' is not degrees from -90 to 90"),
      ("GSM,262,2,852,1,0,x,50\n", 2, "lon 'x' is not degrees from -180 to 180"),
      (
        "GSM,262,2,8,1,0,10.95,50.1\nGSM,262,2,8,-1,0,10.95,50.1\n", 3,
        "cell '-1' is not a whole number"
      ),
    ])
  func malformed(text: String, line: Int, message: String) {
    let error = #expect(throws: InputError.self) {
      try decode(header + text, near: area((50.17, 10.95)))
    }
    #expect(error?.line == line)
    #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
  }

  @Test("Towers are heard up to 35 km, the nearest 32 of them")
  func reach() {
    let origin = LocalFrame(origin: Coordinate(clampingLatitude: 60, wrappingLongitude: 179.99))
    let towers = (1...60).map { number in
      Tower(
        id: CellID(rawValue: UInt64(number)),
        place: origin.point(east: Double(number) * 1_000, north: 0))
    }
    let map = TowerMap(towers)
    // Across the antimeridian, too: 32 of 35 within reach.
    #expect(Set(map.towers(around: origin.origin).map(\.id.rawValue)) == Set(1...32))
    let far = origin.point(east: -10_000, north: 0)
    #expect(Set(map.towers(around: far).map(\.id.rawValue)) == Set(1...25))
    #expect(map.towers(around: origin.point(east: -40_000, north: 0)).isEmpty)
  }

  @Test("Over real towers a drive changes cells, and where there is none the modem keeps its cell")
  func realList() throws {
    let folder = ProcessInfo.processInfo.environment["MILEPOST_CORPUS"] ?? Self.besides
    let path = folder + "/cells-opencellid-20220910-a.csv"
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      print("skipped: no corpus beside the package")
      return
    }
    // From Hanover (52.37, 9.73) towards Berlin: the list is dense at 52, 13.
    let start = Coordinate(clampingLatitude: 52.45, wrappingLongitude: 13.1)
    var here = start
    var track = area((52.45, 13.1))
    for _ in 0..<300 {
      here = LocalFrame(origin: here).point(east: 100, north: 0)
      track.include(here)
    }
    let found = try decode(text, near: track, chunk: 65_536)
    // MANIFEST.tsv: 8,000 towers.
    #expect(found.read == 8_000)
    #expect(found.map.count > 100)
    var modem = Modem(seed: 1, layout: .map(found.map))
    var cells: [CellID] = []
    here = start
    for second in 0..<1_500 {
      here = LocalFrame(origin: here).point(east: 20, north: 0)
      cells.append(modem.camp(at: here, at: .zero.advanced(bySeconds: Double(second))))
    }
    #expect(Set(cells).count > 5)
    let sea = Coordinate(clampingLatitude: 40, wrappingLongitude: -40)
    let kept = modem.camp(at: sea, at: .zero.advanced(bySeconds: 5_000))
    #expect(kept == cells.last)
  }

  private static var besides: String {
    var folder = URL(fileURLWithPath: #filePath)
    for _ in 0..<5 { folder.deleteLastPathComponent() }
    return folder.deletingLastPathComponent().appendingPathComponent("shared/corpus/public").path
  }
}
