// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import JSONText
import Testing

@testable import FixFormats

@Suite("Ground from Marble's data")
struct MarbleGroundTests {
  /// South of Munich, 1 km a unit.
  private let extent = GroundExtent(
    middle: Coordinate(clampingLatitude: 48, wrappingLongitude: 11.5), east: 4, north: 3,
    scale: 1_000)

  private func sheet(_ part: Int, _ bytes: [UInt8]) throws(InputError) -> GroundSheet {
    var reader = MarbleGround([extent])
    try reader.takeBytes(bytes, of: MarbleGround.parts[part])
    return reader.finishSheets()[0]
  }

  /// Big-endian.
  private func word(_ value: Int, _ length: Int) -> [UInt8] {
    (0..<length).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  /// A node at 48° N, 11° E and followers at offsets in 1/120 degree.
  private func line(_ offsets: [(Int, Int)]) -> [UInt8] {
    word(1, 4) + word(48 * 120, 2) + word(11 * 120, 2) + word(offsets.count, 2)
      + offsets.flatMap { word($0.0, 1) + word($0.1, 1) }
  }

  @Test("A lake with an island, and a line of several parts, byte by byte as the format says")
  func polygons() throws {
    let outer = line([(0, 60), (60, 60), (60, 0), (0, 0)])
    let inner = line([(10, 10), (10, 20), (20, 20), (0, 0)])
    // Two rings of one lake, then a shape of two parts.
    let bytes =
      word(2, 1) + word(4, 4) + word(0, 1)
      + word(2, 1) + word(1, 4) + outer + word(3, 1) + word(1, 4) + inner
      + word(4, 1) + word(2, 4) + word(2, 1)
      + word(2, 1) + word(2, 4) + outer + word(2, 1) + word(2, 4) + outer
    let lakes = try sheet(1, bytes).features
    #expect(lakes.map { $0.parts.count } == [2, 1, 1])
    #expect(lakes[0].kind == .lake && lakes[0].tags.source == .naturalEarth)
    let first = lakes[0].parts[0]
    #expect(first.map(\.longitude).max() == 11.5 && first.map(\.latitude).max() == 48.5)
    // A tenth of it is missing.
    let error = #expect(throws: InputError.self) {
      _ = try sheet(1, Array(bytes.dropLast(20)))
    }
    #expect(error?.message.hasPrefix("it ends early, at byte ") == true)
    #expect(
      #expect(throws: InputError.self) { _ = try sheet(1, [9] + bytes) }?.message
        == "at byte 1: no polygons of Marble, version 2")
  }

  @Test("A town, byte by byte")
  func towns() throws {
    func text(_ text: String) -> [UInt8] {
      word(text.utf16.count * 2, 4) + text.utf16.flatMap { word(Int($0), 2) }
    }
    func double(_ value: Double) -> [UInt8] { word(Int(truncatingIfNeeded: value.bitPattern), 8) }
    let none = word(0xFFFF_FFFF, 4)
    let bytes =
      word(0x3141_5926, 4) + word(13, 4) + text("Füssen") + double(10.7 * .pi / 180)
      + double(47.57 * .pi / 180) + double(808) + text("PPL") + none + text("DE") + none
      + double(-1) + word(15_608, 8) + word(100, 2) + word(100, 1)
    let town = try #require(try sheet(4, bytes).features.first)
    #expect(town.kind == .town && town.tags.name == "Füssen" && town.tags.population == 15_608)
    let place = try #require(town.parts.first?.first)
    #expect(abs(place.longitude - 10.7) < 1e-9 && abs(place.latitude - 47.57) < 1e-9)
    #expect(throws: InputError.self) { _ = try sheet(4, Array(bytes.dropLast())) }
  }

  private static let installed = MarbleGround.parts.map { "/usr/share/marble/data/\($0.path)" }

  @Test(
    "Debian's files are read to their last byte: Munich, Lake Constance, the Danube",
    .enabled(
      if: installed.allSatisfy { FileManager.default.fileExists(atPath: $0) },
      "marble-qt-data is not installed (Tools/setup test does it)"))
  func debian() throws {
    var reader = MarbleGround([extent])
    for (part, path) in zip(MarbleGround.parts, Self.installed) {
      try reader.takeBytes([UInt8](Data(contentsOf: URL(fileURLWithPath: path))), of: part)
    }
    let sheet = reader.finishSheets()[0]
    // 48.137° N, 11.576° E (Marienplatz).
    let munich = try #require(sheet.features.first { $0.tags.name == "Munich" }?.parts.first?.first)
    #expect(abs(munich.latitude - 48.137) < 0.01 && abs(munich.longitude - 11.576) < 0.01)
    // Friedrichshafen's shore, 47.65° N, 9.48° E, is 12 km from Romanshorn's over the water.
    let lakes = sheet.features.filter { $0.kind == .lake }.flatMap(\.parts).joined()
    #expect(lakes.contains { abs($0.latitude - 47.6) < 0.15 && abs($0.longitude - 9.4) < 0.3 })
    // The Danube at Ulm, 48.40° N, 9.99° E: within 10 km.
    let rivers = sheet.features.filter { $0.kind == .river }.flatMap(\.parts)
    #expect(
      rivers.contains {
        $0.contains { abs($0.latitude - 48.4) < 0.2 && abs($0.longitude - 10) < 0.3 }
      })
    #expect(sheet.features.contains { $0.kind == .land })
    #expect(sheet.sources == [.naturalEarth, .geoNames])
  }
}
