// SPDX-License-Identifier: Apache-2.0

import RadioPower
import Testing

/// T18: the reference day, which `Tools/make-reference-day` describes, built in code. Its pauses and counts are the
/// vector's, not the product's.
struct ReferenceDayTests {
  /// Profile, joules of the modes standard, continuous and significant change, bytes of an upload.
  static let table: [(String, Double, Double, Double, Int)] = [
    ("phone-2010-3g", 37_341.4, 3_048.5, 199.68, 0),
    ("phone-2013-lte", 32_489.4, 2_712.5, 212.54, 10_240),
    ("phone-2021-lte", 16_410.7, 1_296.9, 60.70, 0),
    ("phone-2020-lowpower", 3_733.5, 302.6, 25.93, 0),
  ]

  @Test(arguments: table)
  func `T18: standard mode`(
    _ name: String, _ standard: Double, _: Double, _: Double, _ bytes: Int
  ) throws {
    var day = try ReferenceDay(standard: name, bytes: bytes)
    #expect(day.joules().isWithin(of: standard))
  }

  @Test(arguments: table)
  func `T18: continuous mode with four pauses`(
    _ name: String, _: Double, _ continuous: Double, _: Double, _ bytes: Int
  ) throws {
    var day = try ReferenceDay(continuous: name, bytes: bytes)
    #expect(day.joules().isWithin(of: continuous))
  }

  @Test(arguments: table)
  func `T18: significant change`(
    _ name: String, _: Double, _: Double, _ significant: Double, _ bytes: Int
  ) throws {
    var day = try ReferenceDay(significant: name, bytes: bytes)
    #expect(day.joules().isWithin(of: significant))
  }
}
