// SPDX-License-Identifier: Apache-2.0

import ServiceContract

// Theory
// ======
//
// A mistyped placeholder would be sent as it is, and nobody would see it but the server. So a text is searched for words
// that can only be meant as one:
//
//     %LATT  %latitude  {latitud}  {{ lon }}      no placeholder
//     %LATm  %SPD_KPHkm/h  %LAT_%LON              one, with a text behind it: capitals end before a small letter
//     50%OFF  100 %                               a percent sign
//     %20  %C3%BC  %DF                            a byte of a URL or a form: two digits of base 16
//
// Braces are other programs' placeholders; only a word near to one of ours is taken for one.

extension EventTemplate {
  /// What is wrong with a text: its first unknown placeholder, and the one that was probably meant; `nil` if nothing is.
  static func fault(in text: String, form: Form) -> String? {
    var before: [Character] = []
    var rest = text[...]
    while let character = rest.first {
      rest = rest.dropFirst()
      let fault =
        switch character {
        case "%": fault(inPercent: rest, after: before, form)
        case "{": fault(inBraces: rest)
        default: String?.none
        }
      if let fault { return fault }
      before = before.suffix(2) + [character]
    }
    return nil
  }

  private static func fault(
    inPercent rest: Substring, after before: [Character], _ form: Form
  ) -> String? {
    let word = word(at: rest)
    guard word.count > 1, !EventField.isName(word) else { return nil }
    let last =
      form == .url && before.count == 3 && before[0] == "%"
      ? UInt8(String(before[1...]), radix: 16) : nil
    let isByte = form == .url && word.prefix(2).allSatisfy(\.isHexDigit)
    // In UTF-8 bytes from 128 on are never alone.
    if isByte, word.count == 2 || last.map({ $0 >= 128 }) == true { return nil }
    if before.last?.isWholeNumber == true, last == nil { return nil }
    let meant = EventField.meant(by: word) ?? EventField.named(in: rest)?.0
    return unknown("%\(word)", meant)
  }

  private static func fault(inBraces rest: Substring) -> String? {
    let inner = rest.drop { $0 == "{" || $0 == " " }
    let word = word(at: inner)
    let end = inner.dropFirst(word.count).drop { $0 == " " }
    guard word.count > 1, end.first == "}" else { return nil }
    let meant = EventField.meant(by: word)
    guard meant != nil || "{\(word)}" == Secrets.placeholder else { return nil }
    return unknown("{" + rest[..<end.startIndex] + end.prefix { $0 == "}" }, meant)
  }

  /// The letters at the start of a text, with `_` between them; in capitals up to the first small one.
  private static func word(at text: Substring) -> Substring {
    var word = text.prefix { $0.isASCII && $0.isLetter || $0 == "_" }
    if word.prefix(2).allSatisfy(\.isUppercase) { word = word.prefix { !$0.isLowercase } }
    while word.last == "_" { word = word.dropLast() }
    return word
  }

  private static func unknown(_ word: String, _ meant: EventField?) -> String {
    let names = EventField.allCases.map { "%\($0.rawValue)" }
    return "'\(SettingsTable.shortened(word))' is no placeholder; "
      + (meant.map { "did you mean '%\($0.rawValue)'?" }
        ?? "there are \(names.joined(separator: ", "))")
  }
}

extension EventField {
  fileprivate static func isName(_ word: Substring) -> Bool {
    EventField(rawValue: word.uppercased()) != nil
  }

  /// The field whose name, or the word that it is short for, is nearest to a word.
  fileprivate static func meant(by word: Substring) -> EventField? {
    let names = allCases.map { [$0.rawValue.lowercased(), "\($0)"] }
    guard let nearest = NearestName.of(String(word), among: names.flatMap(\.self)) else {
      return nil
    }
    return zip(allCases, names).first { $0.1.contains(nearest) }?.0
  }
}
