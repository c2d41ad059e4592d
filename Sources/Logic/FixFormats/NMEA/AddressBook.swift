// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// The addresses of a log: the meaning of each, looked up once, and its count.
///
/// Sentences come in rounds (GGA, RMC, GSA, GGA, …), so the next one is usually the one that followed the
/// last one before.
struct AddressBook: Sendable {
  private struct Entry: Sendable {
    let letters: Letters
    let address: SentenceAddress
    /// `nil` if such sentences are not decoded.
    let kind: SentenceKind?
    var count = 0
  }

  /// An address as written in the log.
  private struct Letters: Equatable, Sendable {
    let word: ByteWord
    let count: Int
    let isEncapsulated: Bool
  }

  private let catalogue: SentenceCatalogue
  /// In the order of their first appearance. At most `TraceLedger.typeLimit` are counted separately; one more is the
  /// last of the others.
  private var entries: [Entry] = []
  private var last = 0
  /// The number of sentences of the others.
  private var others = 0

  init(_ catalogue: SentenceCatalogue) { self.catalogue = catalogue }

  /// The index of a sentence's address, which has `length` characters; `nil` if it is none. It is valid until
  /// the next request.
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

  /// `nil` if such sentences are not decoded.
  func kind(at place: Int) -> SentenceKind? { entries[place].kind }

  /// Counts a sentence with a right checksum, or with none; returns whether it is the first one.
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
