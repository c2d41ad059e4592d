// SPDX-License-Identifier: Apache-2.0

/// The colours of the report, light and dark. Everything that is text, and every line that means
/// something, has a contrast of at least 4.5 to the paper (WCAG 2.2, 1.4.3 and 1.4.11); tests compute it.
enum Palette {
  struct Ink: Sendable {
    /// Name of the CSS variable, without its dashes.
    let name: String
    /// Six hexadecimal digits each.
    let light: String
    let dark: String
    /// Whether it carries meaning or text; the others only separate.
    var isMeaningful = true
  }

  static let paper = Ink(name: "paper", light: "fdfcf8", dark: "171614", isMeaningful: false)

  static let inks = [
    Ink(name: "ink", light: "1c1b19", dark: "ece8df"),
    Ink(name: "muted", light: "5f5b52", dark: "aba599"),
    Ink(name: "rule", light: "dad5c8", dark: "3b3833", isMeaningful: false),
    Ink(name: "veil", light: "f4d3cf", dark: "53272a", isMeaningful: false),
    Ink(name: "standard", light: "2b5c8a", dark: "8db8e2"),
    Ink(name: "continuous", light: "a63a1e", dark: "f0957a"),
    Ink(name: "significant", light: "0b6b5d", dark: "62c9b6"),
    Ink(name: "blind", light: "b3213b", dark: "ff8d97"),
    Ink(name: "gnss", light: "2f6690", dark: "86b6de"),
    Ink(name: "soc", light: "855079", dark: "cf9fc6"),
    Ink(name: "cell", light: "9a5518", dark: "e2a566"),
    Ink(name: "wifi", light: "3a7254", dark: "86c3a2"),
    Ink(name: "sensor", light: "66645e", dark: "b5b1a6"),
    Ink(name: "flash", light: "77681a", dark: "cdbd62"),
  ]

  /// A rule of the style sheet, made of the palette's literals.
  struct Rule: Sendable {
    let text: String
  }

  /// Paper is light in the light, dark in the dark, and always light where it is paper.
  static var rules: [Rule] {
    let light = variables { $0.light }
    let dark = variables { $0.dark }
    return [
      Rule(text: ":root{color-scheme:light dark;\(light)}\n"),
      Rule(text: "@media screen and (prefers-color-scheme:dark){:root{\(dark)}}\n"),
    ]
  }

  private static func variables(_ shade: (Ink) -> String) -> String {
    ([paper] + inks).map { "--\($0.name):#\(shade($0));" }.joined()
  }
}
