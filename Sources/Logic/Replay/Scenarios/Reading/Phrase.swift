// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationEngine
import LocationModel
import ServiceContract

// Theory
// ======
//
// The acts of apps and users are written in short sentences. A sentence has a form, and the forms stand in one table
// each, from which the reader, its messages and the documentation's table are made:
//
//   begin task <task>                          literal words, and slots
//   start standard [accuracy <accuracy>]       a part that may be left out
//
// A slot's name decides the allowed values. A sentence means the first form that it fits completely.

/// A form of sentence and its meaning.
package struct Phrase<Meaning: Sendable>: Sendable {
  /// `begin task <task>`.
  package let pattern: String
  /// Its effect, for the documentation.
  package let about: String
  let make: @Sendable (Filling) -> Meaning

  init(
    _ pattern: String, _ about: String, _ make: @escaping @Sendable (Filling) -> Meaning
  ) {
    self.pattern = pattern
    self.about = about
    self.make = make
  }
}

/// The values in the slots of a sentence.
struct Filling: Sendable {
  fileprivate(set) var numbers: [String: Double] = [:]
  fileprivate(set) var texts: [String: String] = [:]
  fileprivate(set) var places: [String: Place] = [:]

  /// 0 if a part was left out; `number` tells.
  func value(_ slot: String) -> Double { numbers[slot] ?? 0 }
  func number(_ slot: String) -> Double? { numbers[slot] }
  func text(_ slot: String) -> String { texts[slot] ?? "" }
  func has(_ word: String) -> Bool { texts[word] != nil }
}

/// The names that the sentences of one file can use.
struct Vocabulary: Sendable {
  var apps: [String] = []
  var places: [Place] = []
}

/// The allowed content of a slot.
enum Slot: Sendable {
  case quantity(Quantity)
  /// Metres, or `best`.
  case accuracy
  case whole(ClosedRange<Int>)
  /// Seconds east of UTC, as `+02:00`.
  case offset
  case name
  case app
  case place
  case word([String])

  /// By the slot's name; the names stand in the documentation.
  init(_ name: String) {
    self =
      switch name {
      case "time", "interval": .quantity(.time)
      case "angle": .quantity(.angle)
      case "accuracy": .accuracy
      case "filter", "distance": .quantity(.distance)
      case "data": .quantity(.data)
      case "memory": .quantity(.memory)
      case "energy": .quantity(.energy)
      case "status": .whole(0...255)
      case "count": .whole(0...9_999)
      case "offset": .offset
      case "unit": .word(CalendarUnit.allCases.map(\.rawValue))
      case "exactness": .word(LocationAccuracy.allCases.map(\.rawValue))
      case "app": .app
      case "place": .place
      case "priority": .word(FusedPriority.allCases.map(\.rawValue))
      case "permission": .word(AndroidPermission.allCases.map(\.rawValue))
      case "bucket": .word(StandbyBucket.allCases.map(\.rawValue))
      case "doze": .word(DozeMode.allCases.map(\.rawValue))
      case "updates": .word([Service.standard.rawValue, Service.significant.rawValue])
      case "level": .word(Authorization.allCases.map(\.rawValue))
      case "wish": .word([Authorization.whenInUse.rawValue, Authorization.always.rawValue])
      case "result": .word(FetchResult.allCases.map(\.rawValue))
      default: .name
      }
  }

  /// The allowed values, for a message.
  func expectation(from vocabulary: Vocabulary) -> String {
    switch self {
    case .quantity(let quantity): quantity.words
    case .accuracy: "best, or " + Quantity.distance.words
    case .whole(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .offset: "an offset from UTC, as in +02:00"
    case .name: "a name"
    case .app: "one of \(vocabulary.apps.joined(separator: ", "))"
    case .place:
      vocabulary.places.isEmpty
        ? "a place, and places has none"
        : "one of \(vocabulary.places.map(\.name).joined(separator: ", "))"
    case .word(let words): "one of \(words.joined(separator: ", "))"
    }
  }
}

extension Phrase {
  /// What `sentence` means. `subject` names the owner of these sentences: `an app`.
  static func read(
    sentence: String, among phrases: [Phrase], _ vocabulary: Vocabulary, subject: String
  ) throws(InputError) -> Meaning {
    let words = sentence.split(separator: " ").map(String.init)
    guard words.count <= 40 else {
      throw InputError("\(words.count) words; no sentence has more than 40")
    }
    var depth = 0
    var best: [(phrase: Phrase, fit: Fit)] = []
    for phrase in phrases {
      let fit = phrase.fit(words, vocabulary)
      if case .whole(let filling) = fit.end { return phrase.make(filling) }
      if fit.depth > depth { (depth, best) = (fit.depth, []) }
      if fit.depth == depth { best.append((phrase, fit)) }
    }
    let shown = "'\(SettingsTable.shortened(sentence))'"
    // Of several that begin alike, the one whose next word is nearest.
    let next = best.compactMap { candidate -> (word: String, phrase: Phrase)? in
      if case .word(let word, _) = candidate.fit.end { (word, candidate.phrase) } else { nil }
    }
    if depth == 0 || next.count > 1, next.count == best.count {
      let found = depth < words.count ? words[depth] : ""
      let near = NearestName.of(found, among: next.map(\.word))
      let meant = next.first { $0.word == near }.map { "; did you mean '\($0.phrase.pattern)'?" }
      let all = next.map(\.phrase.pattern)
      let advice =
        meant
        ?? (depth == 0
          ? "; \(subject) can: " + all.joined(separator: "; ")
          : "; it can go on as in '" + all.joined(separator: "', '") + "'")
      throw InputError("\(shown) is nothing that \(subject) does\(advice)")
    }
    guard let first = best.first else {
      throw InputError("\(shown) is nothing that \(subject) does")
    }
    throw InputError(
      "\(shown) does not go on as '\(first.phrase.pattern)' does: "
        + first.fit.trouble(vocabulary))
  }

  /// The extent to which a sentence fits a form.
  private struct Fit {
    enum End {
      case whole(Filling)
      /// The sentence has `found` at the place of this slot.
      case slot(Slot, String, found: String?)
      case word(String, found: String?)
      case more(String)
    }
    /// Literal words and slots that fit.
    var depth: Int
    var end: End

    func trouble(_ vocabulary: Vocabulary) -> String {
      switch end {
      case .whole: ""
      case .slot(let slot, let name, let found):
        (found.map { "'\(SettingsTable.shortened($0))' is not" } ?? "nothing stands for")
          + (found == nil ? " <\(name)>, " : " ") + slot.expectation(from: vocabulary)
          + Self.advice(slot, found, vocabulary)
      case .word(let word, let found):
        (found.map { "'\(SettingsTable.shortened($0))' stands where" } ?? "it ends where")
          + " '\(word)' belongs"
      case .more(let found): "'\(SettingsTable.shortened(found))' is too much"
      }
    }

    private static func advice(
      _ slot: Slot, _ found: String?, _ vocabulary: Vocabulary
    ) -> String {
      guard let found else { return "" }
      return switch slot {
      case .quantity(let quantity): quantity.advice(found)
      case .accuracy: Quantity.distance.advice(found)
      case .whole, .offset, .name: ""
      case .app: NearestName.advice(found, among: vocabulary.apps)
      case .place: NearestName.advice(found, among: vocabulary.places.map(\.name))
      case .word(let words): NearestName.advice(found, among: words)
      }
    }
  }

  private func fit(_ words: [String], _ vocabulary: Vocabulary) -> Fit {
    var filling = Filling()
    var position = 0
    var depth = 0
    var parts = PatternParts(pattern)
    while let part = parts.next() {
      if part.isOptional {
        guard position < words.count, words[position] == part.words.first else { continue }
        // Recorded, so that a part without a slot counts as present.
        filling.texts[words[position]] = ""
      }
      for word in part.words {
        let found = position < words.count ? words[position] : nil
        guard word.hasPrefix("<") else {
          guard found == word else { return Fit(depth: depth, end: .word(word, found: found)) }
          position += 1
          depth += 1
          continue
        }
        let name = String(word.dropFirst().dropLast())
        let slot = Slot(name)
        let used = filling.takeWords(slot, name, words[min(position, words.count)...], vocabulary)
        guard used > 0 else {
          let shown = slot.shown(words[min(position, words.count)...]) ?? found
          return Fit(depth: depth, end: .slot(slot, name, found: shown))
        }
        position += used
        depth += 1
      }
    }
    guard position == words.count else {
      return Fit(depth: depth, end: .more(words[position...].joined(separator: " ")))
    }
    return Fit(depth: depth, end: .whole(filling))
  }
}

extension Slot {
  /// The words that stand for it, to be shown: a number with what stands for its unit.
  fileprivate func shown(_ words: ArraySlice<String>) -> String? {
    switch self {
    case .quantity, .accuracy:
      guard let first = words.first, Quantity.number(first[...]) != nil else { return nil }
      return words.prefix(2).joined(separator: " ")
    case .whole, .offset, .name, .app, .place, .word: return nil
    }
  }
}

/// The parts of a pattern: its words, and each group in brackets.
private struct PatternParts {
  private var rest: [Substring]

  init(_ pattern: String) { rest = pattern.split(separator: " ")[...].map { $0 } }

  mutating func next() -> (words: [String], isOptional: Bool)? {
    guard let first = rest.first else { return nil }
    guard first.hasPrefix("[") else {
      rest.removeFirst()
      return ([String(first)], false)
    }
    var words: [String] = []
    while let word = rest.first {
      rest.removeFirst()
      words.append(String(word.drop { $0 == "[" }.prefix { $0 != "]" }))
      if word.hasSuffix("]") { break }
    }
    return (words, true)
  }
}

extension Filling {
  /// Takes the content of a slot; returns its number of words, 0 if it does not fit.
  fileprivate mutating func takeWords(
    _ slot: Slot, _ name: String, _ words: ArraySlice<String>, _ vocabulary: Vocabulary
  ) -> Int {
    guard let first = words.first else { return 0 }
    switch slot {
    case .quantity(let quantity):
      guard let (value, count) = quantity.readQuantity(words) else { return 0 }
      numbers[name] = value
      return count
    case .accuracy:
      if first == "best" {
        numbers[name] = StandardRequest().desiredAccuracy
        break
      }
      guard let (value, count) = Quantity.distance.readQuantity(words) else { return 0 }
      numbers[name] = value
      return count
    case .whole(let range):
      guard let whole = Int(first), range.contains(whole) else { return 0 }
      numbers[name] = Double(whole)
    case .offset:
      guard let seconds = CivilZone.offset(first) else { return 0 }
      numbers[name] = seconds
    case .name:
      guard AppName.isValid(first) else { return 0 }
      texts[name] = first
    case .app:
      guard vocabulary.apps.contains(first) else { return 0 }
      texts[name] = first
    case .place:
      guard let place = vocabulary.places.first(where: { $0.name == first }) else { return 0 }
      places[name] = place
    case .word(let choices):
      guard choices.contains(first) else { return 0 }
      texts[name] = first
    }
    return 1
  }
}
