// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// The addresses of a log: what each one means, looked up once, and how often it came.
///
/// Sentences come in rounds (GGA, RMC, GSA, GGA, …), so that the next one is mostly the one that came behind the
/// last one before.
struct AddressBook: Sendable {
  private struct Entry: Sendable {
    let letters: Letters
    let address: SentenceAddress
    /// `nil` where such sentences are not decoded.
    let kind: SentenceKind?
    var count = 0
  }

  /// An address as it stands in the log.
  private struct Letters: Equatable, Sendable {
    let word: ByteWord
    let count: Int
    let isEncapsulated: Bool
  }

  private let catalogue: SentenceCatalogue
  /// As they came first. At most `TraceLedger.typeLimit` are told apart; one more is the last of the others.
  private var entries: [Entry] = []
  private var last = 0
  /// How many sentences the others had.
  private var others = 0

  init(_ catalogue: SentenceCatalogue) { self.catalogue = catalogue }

  /// The place of a sentence's address, which has `length` characters; `nil` where it is none. It is the
  /// address's until the next one is asked for.
  mutating func place(
    of sentence: SentenceScanner.Sentence, length: Int, _ bytes: borrowing Span<UInt8>
  ) -> Int? {
    guard length <= ByteWord.length else { return nil }
    let start = sentence.body.lowerBound
    let letters = Letters(
      word: ByteWord(bytes, from: start, to: start &+ length), count: length,
      isEncapsulated: sentence.isEncapsulated)
    let expected = last &+ 1 < entries.count ? last &+ 1 : 0
    if expected < entries.count, entries[expected].letters == letters { return expected }
    for place in entries.indices where entries[place].letters == letters { return place }
    guard let address = SentenceAddress(sentence, length: length, bytes) else { return nil }
    if entries.count > TraceLedger.typeLimit { entries.removeLast() }
    entries.append(
      Entry(letters: letters, address: address, kind: catalogue.kind(named: address.name)))
    return entries.count - 1
  }

  func talker(at place: Int) -> Talker { entries[place].address.talker }

  /// `nil` where such sentences are not decoded.
  func kind(at place: Int) -> SentenceKind? { entries[place].kind }

  /// Counts a sentence with a right checksum, or with none; answers whether it is the first one.
  mutating func count(_ place: Int) -> Bool {
    last = place
    if place == TraceLedger.typeLimit { others += 1 }
    entries[place].count &+= 1
    return entries[place].count == 1
  }

  func write(to ledger: inout TraceLedger) {
    for entry in entries.prefix(TraceLedger.typeLimit) where entry.count > 0 {
      ledger.count(type: SentenceAddress.text(entry.address.packed), times: entry.count)
    }
    if others > 0 { ledger.count(type: "other", times: others) }
  }
}
