// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// The addresses of a log: the meaning of each, looked up once, and its count.
///
/// Sentences come in rounds (GGA, RMC, GSA, GGA, …), so the next one is usually the one that followed the
/// last one before.
struct AddressBook: Sendable {
  private struct Entry: Sendable {
    var letters = Letters(word: 0, count: 0, isEncapsulated: false)
    var packed: UInt64 = 0
    var talker = Talker.none
    /// `nil` if such sentences are not decoded.
    var kind: SentenceKind?
    var count = 0
  }

  /// An address as written in the log.
  private struct Letters: Equatable, Sendable {
    let word: UInt64
    /// The number of letters, less than zero if the sentence is encapsulated.
    let number: Int8

    init(word: UInt64, count: Int, isEncapsulated: Bool) {
      self.word = word
      number = Int8(truncatingIfNeeded: isEncapsulated ? -count : count)
    }
  }

  private let catalogue: SentenceCatalogue
  /// In the order of their first appearance. At most `TraceLedger.typeLimit` are counted separately; one more is the
  /// last of the others.
  private var entries = InlineArray<65, Entry>(repeating: Entry())
  private var used = 0
  /// The place of the last sentence, and the expected one of the next.
  private var last = 0
  private var next = 0
  /// The number of sentences of the others.
  private var others = 0

  init(_ catalogue: SentenceCatalogue) { self.catalogue = catalogue }

  /// The index of a sentence's address, which has `length` characters; `nil` if it is none. It is valid until
  /// the next request.
  @inline(__always)
  mutating func place(
    of sentence: SentenceScanner.Sentence, length: Int, _ bytes: borrowing Span<UInt8>
  ) -> Int? {
    guard SentenceAddress.lengths.contains(length) else { return nil }
    let start = sentence.body.lowerBound
    let word =
      start <= bytes.count &- ByteWord.length
      ? ByteWord(bytes, at: start).prefix(length)
      : ByteWord(bytes, from: start, to: min(start &+ length, bytes.count))
    let letters = Letters(
      word: word.bits, count: length, isEncapsulated: sentence.isEncapsulated)
    if entries[next].letters == letters { return next }
    if entries[last].letters == letters { return last }
    return search(letters, of: sentence, length: length, bytes)
  }

  private mutating func search(
    _ letters: Letters, of sentence: SentenceScanner.Sentence, length: Int,
    _ bytes: borrowing Span<UInt8>
  ) -> Int? {
    for place in 0..<used where entries[place].letters == letters { return place }
    guard let address = SentenceAddress(sentence, length: length, bytes) else { return nil }
    if used > TraceLedger.typeLimit { used -= 1 }
    entries[used] = Entry(
      letters: letters, packed: address.packed, talker: address.talker,
      kind: catalogue.kind(named: address.name))
    used += 1
    return used - 1
  }

  func talker(at place: Int) -> Talker { entries[place].talker }

  /// `nil` if such sentences are not decoded.
  func kind(at place: Int) -> SentenceKind? { entries[place].kind }

  /// Counts a sentence with a right checksum, or with none; returns whether it is the first one.
  @inline(__always)
  mutating func count(_ place: Int) -> Bool {
    last = place
    next = place &+ 1 < used ? place &+ 1 : 0
    if place == TraceLedger.typeLimit { others += 1 }
    entries[place].count &+= 1
    return entries[place].count == 1
  }

  func record(in ledger: inout TraceLedger) {
    for place in 0..<min(used, TraceLedger.typeLimit) where entries[place].count > 0 {
      ledger.count(
        type: SentenceAddress.text(entries[place].packed), times: entries[place].count)
    }
    if others > 0 { ledger.count(type: "other", times: others) }
  }
}
