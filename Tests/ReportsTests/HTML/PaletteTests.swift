// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Reports

@Suite("Colours")
struct PaletteTests {
  /// Relative luminance and contrast as WCAG 2.2 defines them.
  private func luminance(_ hex: String) throws -> Double {
    let value = try #require(UInt32(hex, radix: 16))
    let channels = [16, 8, 0].map { shift in
      let part = Double(value >> UInt32(shift) & 0xFF) / 255
      return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
  }

  private func contrast(_ a: String, _ b: String) throws -> Double {
    let (x, y) = (try luminance(a), try luminance(b))
    return (max(x, y) + 0.05) / (min(x, y) + 0.05)
  }

  @Test("The formula gives black on white 21, and #767676 on white 4.54 (WebAIM)")
  func formula() throws {
    #expect(abs(try contrast("000000", "ffffff") - 21) < 1e-9)
    #expect(abs(try contrast("767676", "ffffff") - 4.54) < 0.005)
  }

  @Test("Whatever carries meaning has 4.5 to 1 on paper, in the light and in the dark")
  func onPaper() throws {
    for ink in Palette.inks where ink.isMeaningful {
      #expect(try contrast(ink.light, Palette.paper.light) >= 4.5, "\(ink.name), light")
      #expect(try contrast(ink.dark, Palette.paper.dark) >= 4.5, "\(ink.name), dark")
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
}
