// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
package import JSONText
import LocationModel

// Theory
// ======
//
// OpenCelliD's export, the form that Mozilla's location service used too: one cell a line,
//
//   radio,mcc,net,area,cell,unit,lon,lat,range,samples,changeable,created,updated,averageSignal
//   GSM,262,2,852,2521,0,10.948628,50.170324,15762,200,1,1294561074,1662692508,0
//
// with or without that first line; fields after `lat` are ignored. Positions are estimates from where a cell was heard,
// and each sector of a mast is a cell of its own, as a phone sees it.
//
// A phone hears the towers of *its* operator in one generation of radio. A list that mixes all of them would make it
// change cells ten times as often as it does, so for each country (mcc) the network and radio with most towers near the
// track is taken, and is reported.

/// Decodes a tower list, incrementally, to the towers near a track.
package struct TowerListDecoder: Sendable {
  /// What was found in a list.
  package struct Found: Sendable, Equatable {
    package let map: TowerMap
    /// For each country: `GSM 262-2`, sorted.
    package let networks: [String]
    /// Lines that were towers, anywhere.
    package let read: Int
  }

  /// The greatest number of towers kept, of all networks near the track.
  package static let limit = 1_000_000
  private static let longestLine = 1_024

  private struct Network: Hashable {
    var country: UInt64
    var operatorCode: UInt64
    var radio: [UInt8]

    var name: String {
      "\(String(decoding: radio, as: UTF8.self)) \(country)-\(operatorCode)"
    }
  }

  private let area: TrackArea
  private var lines = LineSplitter(limit: longestLine)
  private var read = 0
  private var kept = 0
  private var networks: [Network: [Tower]] = [:]

  package init(near area: TrackArea) { self.area = area }

  /// Takes the next bytes.
  package mutating func decode(_ bytes: borrowing Span<UInt8>) throws(InputError) {
    var position = 0
    while let line = lines.nextLine(bytes, from: &position) { try takeLine(line) }
  }

  /// The towers; call after the last byte.
  package mutating func finishList() throws(InputError) -> Found {
    if let line = lines.lastLine() { try takeLine(line) }
    var best: [UInt64: (name: String, towers: [Tower])] = [:]
    for (network, towers) in networks {
      let other = best[network.country]
      let wins =
        other.map { (towers.count, $0.name) > ($0.towers.count, network.name) } ?? true
      if wins { best[network.country] = (network.name, towers) }
    }
    return Found(
      map: TowerMap(best.values.flatMap(\.towers)), networks: best.values.map(\.name).sorted(),
      read: read)
  }

  private mutating func takeLine(_ line: [UInt8]) throws(InputError) {
    let number = lines.number
    guard !lines.isCut else {
      throw InputError(line: number, "a line of more than \(Self.longestLine) bytes; \(Self.form)")
    }
    if line.isEmpty || line[0] == UInt8(ascii: "#") { return }
    let fields = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    if number == 1, fields[0].elementsEqual("radio".utf8) { return }
    guard fields.count >= 8 else {
      throw InputError(line: number, "\(fields.count) fields, at least 8 are needed; \(Self.form)")
    }
    read += 1
    let longitude = try degrees(fields[6], "lon", 180)
    let latitude = try degrees(fields[7], "lat", 90)
    guard let place = Coordinate(latitude: latitude, longitude: longitude), area.reaches(place)
    else { return }
    let network = Network(
      country: try whole(fields[1], "mcc"), operatorCode: try whole(fields[2], "net"),
      radio: Array(fields[0]))
    let area = try whole(fields[3], "area")
    let cell = try whole(fields[4], "cell")
    guard kept < Self.limit else {
      throw InputError(
        line: number,
        "more than \(Self.limit) towers near this track; cut the list to one network")
    }
    kept += 1
    // Area and cell have at most 32 bits each, so that no two cells of a network share a name.
    let name = (network.country &* 1_000 &+ network.operatorCode) &* SplitMix64.step
    let id = CellID(rawValue: name ^ (area << 32 | cell))
    networks[network, default: []].append(Tower(id: id, place: place))
  }

  private static let form = "a tower is radio,mcc,net,area,cell,unit,lon,lat,... (OpenCelliD's CSV)"

  private func whole(_ field: ArraySlice<UInt8>, _ name: String) throws(InputError) -> UInt64 {
    guard let value = UInt64(String(decoding: field, as: UTF8.self)), value <= 0xFFFF_FFFF else {
      throw wrong(field, name, "a whole number from 0 to 4294967295")
    }
    return value
  }

  private func degrees(
    _ field: ArraySlice<UInt8>, _ name: String, _ most: Double
  ) throws(InputError) -> Double {
    guard let value = Double(String(decoding: field, as: UTF8.self)), value.magnitude <= most else {
      throw wrong(field, name, "degrees from -\(Int(most)) to \(Int(most))")
    }
    return value
  }

  private func wrong(_ field: ArraySlice<UInt8>, _ name: String, _ wanted: String) -> InputError {
    InputError(
      line: lines.number,
      "\(name) '\(String(decoding: field.prefix(40), as: UTF8.self))' is not \(wanted)")
  }
}
