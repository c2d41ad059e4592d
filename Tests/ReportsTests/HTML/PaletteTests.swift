// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Reports

@Suite("Colours")
struct PaletteTests {
  /// Red, green and blue of linear light.
  private func linear(_ hex: String) throws -> [Double] {
    let value = try #require(UInt32(hex, radix: 16))
    return [16, 8, 0].map { shift in
      let part = Double(value >> UInt32(shift) & 0xFF) / 255
      return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
  }

  private func contrast(_ a: String, _ b: String) throws -> Double {
    // Relative luminance by the definition of WCAG 2.2.
    let weights = [0.2126, 0.7152, 0.0722]
    let (x, y) = (Self.dot(weights, try linear(a)), Self.dot(weights, try linear(b)))
    return (max(x, y) + 0.05) / (min(x, y) + 0.05)
  }

  private static func dot(_ a: [Double], _ b: [Double]) -> Double {
    zip(a, b).reduce(0) { $0 + $1.0 * $1.1 }
  }

  /// The appearance of a colour to people who lack a kind of cone: Machado, Oliveira and Fernandes, "A
  /// Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE TVCG 15 (2009), table 1, severity
  /// 1.0, over linear light.
  static let visions: [(name: String, matrix: [[Double]])] = [
    ("all cones", [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
    (
      "protanopia",
      [
        [0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
      ]
    ),
    (
      "deuteranopia",
      [
        [0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
      ]
    ),
    (
      "tritanopia",
      [
        [1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
      ]
    ),
  ]

  /// CIE 1976 L*a*b* of linear sRGB under D65.
  private func lab(_ rgb: [Double]) -> [Double] {
    let xyz = [
      [0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
      [0.0193339, 0.1191920, 0.9503041],
    ].map { Self.dot($0, rgb.map { min(1, max(0, $0)) }) }
    let f = zip(xyz, [0.95047, 1, 1.08883]).map { value, white in
      let t = value / white
      return t > 216.0 / 24_389 ? cbrt(t) : (24_389.0 / 27 * t + 16) / 116
    }
    return [116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])]
  }

  private func distance(_ a: String, _ b: String, _ matrix: [[Double]]) throws -> Double {
    let seen = try [a, b].map { hex in
      let rgb = try linear(hex)
      return lab(matrix.map { Self.dot($0, rgb) })
    }
    return zip(seen[0], seen[1]).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
  }

  @Test("The formula gives black on white 21, and #767676 on white 4.54 (WebAIM)")
  func formula() throws {
    #expect(abs(try contrast("000000", "ffffff") - 21) < 1e-9)
    #expect(abs(try contrast("767676", "ffffff") - 4.54) < 0.005)
  }

  @Test("sRGB red is L* 53.24, a* 80.09, b* 67.20 (Lindbloom), and white stays white for everybody")
  func vision() throws {
    for (value, expected) in zip(lab(try linear("ff0000")), [53.24, 80.09, 67.20]) {
      #expect(abs(value - expected) < 0.02)
    }
    for vision in Self.visions {
      #expect(vision.matrix.allSatisfy { abs($0.reduce(0, +) - 1) < 1e-5 }, "\(vision.name)")
    }
  }

  @Test("Whatever carries meaning has 4.5 to 1 on paper, areas 3, in the light and in the dark")
  func onPaper() throws {
    for ink in Palette.inks where ink.use != .ground {
      let least = ink.use == .area ? 3 : 4.5
      #expect(try contrast(ink.light, Palette.paper.light) >= least, "\(ink.name), light")
      #expect(try contrast(ink.dark, Palette.paper.dark) >= least, "\(ink.name), dark")
    }
  }

  @Test("Words within an area have 4.5 to 1 to it")
  func inside() throws {
    for ink in Palette.components {
      #expect(
        try contrast(ink.inside ?? Palette.paper.light, ink.light) >= 4.5, "\(ink.name), light")
      #expect(try contrast(Palette.paper.dark, ink.dark) >= 4.5, "\(ink.name), dark")
    }
  }

  @Test("The line across a veil of blindness is seen, 3 to 1")
  func onVeil() throws {
    let inks = Dictionary(uniqueKeysWithValues: Palette.inks.map { ($0.name, $0) })
    let veil = try #require(inks["veil"])
    for name in ["ink", "blind"] {
      let ink = try #require(inks[name])
      #expect(try contrast(ink.light, veil.light) >= 3, "\(name), light")
      #expect(try contrast(ink.dark, veil.dark) >= 3, "\(name), dark")
    }
  }

  @Test(
    "Colours of one picture are at least 20 apart for everybody", arguments: visions.indices,
    [Palette.components, Palette.services])
  func apart(vision: Int, inks: [Palette.Ink]) throws {
    let (name, matrix) = Self.visions[vision]
    for (index, a) in inks.enumerated() {
      for b in inks[(index + 1)...] {
        #expect(
          try distance(a.light, b.light, matrix) >= 20, "\(a.name), \(b.name), light, \(name)")
        #expect(
          try distance(a.dark, b.dark, matrix) >= 20, "\(a.name), \(b.name), dark, \(name)")
      }
    }
  }
}
