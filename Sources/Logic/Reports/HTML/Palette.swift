// SPDX-License-Identifier: Apache-2.0

// Theory
// ======
//
// Text, and every meaningful line, has a contrast of at least 4.5 to the paper (WCAG 2.2, 1.4.3), every area of at
// least 3 (1.4.11), and the words within it of 4.5 to the area. Colours with different meanings in one picture are
// distinct also for readers who lack one kind of cone: they differ in lightness, not in hue alone. They were found by a
// random search that keeps near to the hues that were there and holds every pair at least 20 apart (CIE 1976 ΔE*ab), as
// seen by all and under the three simulations of Machado, Oliveira and Fernandes (IEEE TVCG 15, 2009); tests compute
// all of this.

/// The colours of the report, light and dark.
enum Palette {
  struct Ink: Sendable {
    enum Use: Sendable {
      /// Text, and meaningful lines.
      case line
      /// Meaningful areas, with words of colour `inside` in them.
      case area
      /// Separators only.
      case ground
    }

    /// Name of the CSS variable, without its dashes.
    let name: String
    /// Six hexadecimal digits each.
    let light: String
    let dark: String
    var use = Use.line
    /// Words within an area, in the light; in the dark they have the paper's colour.
    var inside: String?
  }

  static let paper = Ink(name: "paper", light: "fdfcf8", dark: "171614", use: .ground)

  static let inks =
    [
      Ink(name: "ink", light: "1c1b19", dark: "ece8df"),
      Ink(name: "muted", light: "5f5b52", dark: "aba599"),
      Ink(name: "rule", light: "dad5c8", dark: "3b3833", use: .ground),
      Ink(name: "veil", light: "f4d3cf", dark: "53272a", use: .ground),
      Ink(name: "gap", light: "eae7de", dark: "2a2825", use: .ground),
      Ink(name: "water", light: "d3e3ec", dark: "1d3140", use: .ground),
      Ink(name: "shore", light: "8fb1c4", dark: "3f6077", use: .ground),
      Ink(name: "road", light: "d9cfb8", dark: "5a5346", use: .ground),
      Ink(name: "highway", light: "d8b98e", dark: "7d6540", use: .ground),
      Ink(name: "blind", light: "b3213b", dark: "ff8d97"),
    ] + services + components

  /// The three services, in one picture.
  static let services = [
    Ink(name: "standard", light: "42507b", dark: "95b7e1"),
    Ink(name: "continuous", light: "a6391d", dark: "f19579"),
    Ink(name: "significant", light: "12796a", dark: "46b7a9"),
  ]

  /// The consumers of energy, in one picture.
  static let components = [
    Ink(name: "gnss", light: "2d5c84", dark: "589bcc", use: .area),
    Ink(name: "soc", light: "b27ec5", dark: "ad90a3", use: .area, inside: "1c1b19"),
    Ink(name: "cell", light: "612e04", dark: "eaac6b", use: .area),
    Ink(name: "wifi", light: "689469", dark: "8cd9af", use: .area, inside: "1c1b19"),
    Ink(name: "sensor", light: "59615b", dark: "c3d3e8", use: .area),
    Ink(name: "flash", light: "7c6a17", dark: "a67b26", use: .area),
  ]

  /// A rule of the style sheet, made of this program's literals.
  struct Rule: Sendable {
    let text: String
  }

  /// Paper is light in light mode, dark in dark mode, and always light in print.
  static var rules: [Rule] {
    let light = variables { $0.light } + inside { $0.inside ?? paper.light }
    let dark = variables { $0.dark } + inside { _ in paper.dark }
    return [
      Rule(text: ":root{color-scheme:light dark;\(light)}\n"),
      Rule(text: "@media screen and (prefers-color-scheme:dark){:root{\(dark)}}\n"),
    ]
  }

  /// A sheet in which each variable has become its light colour.
  static func literal(_ sheet: StyleSheet) -> Rule {
    var text = sheet.rules
    for ink in [paper] + inks {
      text = text.split(separator: "var(--\(ink.name))", omittingEmptySubsequences: false)
        .joined(separator: "#" + ink.light)
    }
    return Rule(text: text)
  }

  private static func variables(_ shade: (Ink) -> String) -> String {
    ([paper] + inks).map { "--\($0.name):#\(shade($0));" }.joined()
  }

  /// The colours of words within areas.
  private static func inside(_ shade: (Ink) -> String) -> String {
    components.map { "--in-\($0.name):#\(shade($0));" }.joined()
  }
}

/// The report's style: system fonts, one column, pictures that fit a phone and a sheet of paper. The sheets are the files
/// of `Page`, which the build puts into the program.
///
/// Their text must contain no `<` and no `&`: it goes into the document as it is.
enum StyleSheet {
  /// The page without its maps.
  case text
  /// The content of a map, on the page and on a card.
  case map
  /// The rest of a card.
  case card

  var rules: String {
    switch self {
    case .text: EmbeddedFiles.textCSS
    case .map: EmbeddedFiles.mapCSS
    case .card: EmbeddedFiles.cardCSS
    }
  }
}
