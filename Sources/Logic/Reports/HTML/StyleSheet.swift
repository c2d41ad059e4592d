// SPDX-License-Identifier: Apache-2.0

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
    case .text: PageFiles.textCSS
    case .map: PageFiles.mapCSS
    case .card: PageFiles.cardCSS
    }
  }
}
