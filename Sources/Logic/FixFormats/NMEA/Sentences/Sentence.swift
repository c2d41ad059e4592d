// SPDX-License-Identifier: Apache-2.0

/// One kind of sentence: its fields, and its contribution to an epoch or to the log.
///
/// A kind is one file in this folder and one line of `SentenceCatalogue.all`. The type has the name of
/// the sentence's three letters.
protocol Sentence: Sendable {
  /// Reads the fields; `nil` if a required one is missing or cannot be read.
  init?(_ fields: inout FieldReader, _ bytes: borrowing Span<UInt8>)
  /// The epoch to which it belongs.
  var place: SentencePlace { get }
  /// Adds its statements on its epoch; nothing by default. `habit` is the talker of the last fix.
  func addStatements(to observation: inout Observation, from talker: Talker, habit: Talker)
  /// Adds its statements on the whole log; nothing by default.
  func addFacts(to log: inout LogFacts, from talker: Talker)
  /// Reads a sentence and adds it; returns the reason why it cannot be used. Kinds do not change it:
  /// it is a requirement so that each kind has a specialised one, which costs one indirect call.
  static func read(
    fields: inout FieldReader, _ bytes: borrowing Span<UInt8>, as kind: SentenceKind,
    from talker: Talker, into assembler: inout EpochAssembler, _ log: inout LogFacts
  ) -> SkipReason?
}

extension Sentence {
  static func read(
    fields: inout FieldReader, _ bytes: borrowing Span<UInt8>, as kind: SentenceKind,
    from talker: Talker, into assembler: inout EpochAssembler, _ log: inout LogFacts
  ) -> SkipReason? {
    let previous = assembler.note(kind: kind)
    guard let sentence = Self(&fields, bytes) else { return .malformed }
    sentence.addFacts(to: &log, from: talker)
    return assembler.assemble(sentence, kind, after: previous, from: talker, line: log.line)
  }

  func addStatements(to observation: inout Observation, from talker: Talker, habit: Talker) {}
  func addFacts(to log: inout LogFacts, from talker: Talker) {}
}

/// The decoded sentences, and their names; each decoder has its own, as a global one would be checked
/// for existence at each sentence.
struct SentenceCatalogue: Sendable {
  static let all: [any Sentence.Type] = [
    RMC.self,
    GGA.self,
    GNS.self,
    GLL.self,
    VTG.self,
    GSA.self,
    GSV.self,
    GST.self,
    ZDA.self,
  ]

  private let types = Self.all
  private let names = Self.all.map { "\($0)".utf8.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } }

  /// The kind that three packed letters name (`RMC` is 0x524D43).
  func kind(named name: UInt32) -> SentenceKind? {
    for index in names.indices where names[index] == name {
      return SentenceKind(index: UInt8(index))
    }
    return nil
  }

  subscript(kind: SentenceKind) -> any Sentence.Type { types[Int(kind.index)] }
}

/// A kind of sentence, by its place in the catalogue.
struct SentenceKind: Equatable, Sendable {
  let index: UInt8

  var bit: UInt32 { 1 << UInt32(index) }
}

/// The epoch to which a sentence belongs.
enum SentencePlace {
  /// The one at this time of day.
  case epoch(time: Int64?, Claim)
  /// It has no time: the epoch of the previous sentence with a time, or the next. If it comes in
  /// runs, one for each satellite system, the whole run belongs together.
  case neighbour(comesInRuns: Bool)
  /// None: it concerns only the log.
  case none
}

/// A sentence's claim about the validity of the position.
enum Claim { case valid, void, silent }

/// The statements of sentences beyond their epochs.
struct LogFacts {
  var calendar: StreamCalendar
  var ledger = TraceLedger(unit: .lines)
  var sky = SkyTally()
  /// The number of the current line.
  var line = 0
}
