// SPDX-License-Identifier: Apache-2.0

internal import Geodesy
internal import LocationModel

/// One receiver's statements about one epoch.
///
/// Sentences may contradict each other. A position counts unless the same talker calls the epoch void
/// too (a receiver that warns is believed), or every GSA of the receiver says mode 1.
struct Observation: Sendable {
  /// `Talker.receiver`; 0 is a free place.
  var receiver: UInt16 = 0
  /// `SentenceKind.bit` of the sentences seen.
  var kinds: UInt32 = 0
  /// The talker of the position; `none` without one.
  var positionTalker = Talker.none
  private var positionRank: UInt8 = 0
  var voidTalker = Talker.none
  /// Greatest GSA mode, 0 without a GSA.
  var mode: UInt8 = 0
  var latitude = 0.0
  var longitude = 0.0
  @NaNCoded var speed: Double?
  @NaNCoded var course: Double?
  @NaNCoded var slowSpeed: Double?
  @NaNCoded var slowCourse: Double?
  @NaNCoded var altitude: Double?
  @NaNCoded var separation: Double?
  @NaNCoded var hdop: Double?
  @NaNCoded var slowHDOP: Double?
  var satellites: Int?
  @NaNCoded var horizontal: Double?
  @NaNCoded var vertical: Double?
  /// The date that RMC states, days since 1970.
  var day: Int64?
  /// What each kind of position sentence said first, by rank.
  private var said = InlineArray<4, Said>(repeating: Said())

  var hasPosition: Bool { positionTalker != .none }
  var isVoid: Bool { voidTalker != .none }
  var isValid: Bool { hasPosition && voidTalker != positionTalker && mode != 1 }

  /// The amount of the receiver's data, to choose between two.
  var completeness: Int { kinds.nonzeroBitCount }

  mutating func absorb(
    _ sentence: some Sentence, _ kind: SentenceKind, from talker: Talker, habit: Talker
  ) {
    receiver = talker.receiver
    kinds |= kind.bit
    sentence.addStatements(to: &self, from: talker, habit: habit)
  }

  /// Takes the position statement of a sentence of `talker`; `true` if it is valid, so that the rest of
  /// the sentence counts too.
  ///
  /// Among talkers the one of the fix before (`habit`) wins, then the sentence by its rank: GGA, GNS,
  /// GLL, RMC. They usually agree; a B&G Zeus² (gpsd's `bundg_zeus_9.log`) puts the position of the
  /// second before into RMC.
  mutating func absorb(
    _ report: PositionReport, rank: UInt8, from talker: Talker, habit: Talker
  ) -> Bool {
    let place = Int(rank) - 1
    if said[place].talker == .none { said[place] = Said(report, talker) }
    guard report.claim == .valid, let position = report.position else {
      if report.claim == .void { voidTalker = talker }
      return false
    }
    if hasPosition {
      if talker != positionTalker {
        if positionTalker == habit || talker != habit && rank <= positionRank { return true }
      } else if rank <= positionRank {
        return true
      }
    }
    positionTalker = talker
    positionRank = rank
    latitude = position.latitude
    longitude = position.longitude
    return true
  }

  /// How the only sentence of `told` repeats one of the same kind in this observation.
  func repetition(by told: Observation) -> Repetition {
    if let other = told.day, let day, other != day { return .another }
    for rank in said.indices where told.said[rank].talker != .none {
      let (first, again) = (said[rank], told.said[rank])
      if first.talker != again.talker { return .beside }
      return first == again ? .same : .another
    }
    return .same
  }

  /// The fix of this observation, without its time; `nil` if the position is out of range.
  func fix(rangeError: Double) -> Fix? {
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else { return nil }
    let dilution = hdop ?? slowHDOP
    var ellipsoidal: Double?
    if let altitude, let separation { ellipsoidal = altitude + separation }
    return Fix(
      time: nil, coordinate: coordinate,
      horizontalAccuracy: horizontal ?? dilution.map { $0 * rangeError },
      altitude: altitude, ellipsoidalHeight: ellipsoidal, verticalAccuracy: vertical,
      speed: speed ?? slowSpeed, course: course ?? slowCourse, hdop: dilution,
      satellites: satellites)
  }
}

/// What a position sentence says of the place, and who does.
private struct Said: Equatable {
  var talker = Talker.none
  /// Units of 10⁻⁷ degrees, a centimetre; the least number if the sentence is void.
  var north = Int32.min
  var east = Int32.min

  init() {}

  init(_ report: PositionReport, _ talker: Talker) {
    self.talker = talker
    guard report.claim == .valid, let position = report.position else { return }
    north = Int32(clamping: Int64((position.latitude * 1e7).rounded()))
    east = Int32(clamping: Int64((position.longitude * 1e7).rounded()))
  }
}

/// What a sentence says of a time of which its receiver has sent one of its kind already.
enum Repetition {
  /// The same place.
  case same
  /// Another place, date or validity: it is of another moment, whatever its time says.
  case another
  /// The solution of another talker of the same receiver.
  case beside
}

/// All statements about one moment: at most two receivers.
struct Epoch: Sendable {
  /// Microseconds of the day; `nil` for void sentences of a receiver that does not know it.
  var time: Int64?
  /// The last line that contributed.
  var line: Int
  var first = Observation()
  var second = Observation()

  /// Whether a second sentence of this kind by this receiver would be a repetition.
  func has(_ kind: SentenceKind, of talker: Talker) -> Bool {
    let receiver = talker.receiver
    let observation = first.receiver == receiver ? first : second
    return observation.receiver == receiver && observation.kinds & kind.bit != 0
  }

  /// What a sentence says of whose kind the epoch `has` one by this receiver.
  func repetition(
    by sentence: some Sentence, _ kind: SentenceKind, of talker: Talker
  ) -> Repetition {
    var told = Observation()
    told.absorb(sentence, kind, from: talker, habit: talker)
    return (first.receiver == talker.receiver ? first : second).repetition(by: told)
  }

  var hasValid: Bool { first.isValid || second.isValid }

  /// Whether a position or void sentence was seen; else the epoch yields nothing.
  var isStated: Bool {
    first.hasPosition || second.hasPosition || first.isVoid || second.isVoid
  }

  /// Adds a sentence; `false` if two other receivers already talk.
  mutating func absorb(
    _ sentence: some Sentence, _ kind: SentenceKind, from talker: Talker, habit: Talker, line: Int
  ) -> Bool {
    let receiver = talker.receiver
    if first.receiver == receiver || first.receiver == 0 {
      first.absorb(sentence, kind, from: talker, habit: habit)
    } else if second.receiver == receiver || second.receiver == 0 {
      second.absorb(sentence, kind, from: talker, habit: habit)
    } else {
      return false
    }
    self.line = max(self.line, line)
    return true
  }

  /// The outcome of a closed epoch, for the talker of the last fix.
  func outcome(habit: Talker, rangeError: Double) -> EpochOutcome {
    guard isStated else { return .nothing }
    if let time {
      if isSecondBelieved(habit: habit.receiver) {
        if let fix = second.fix(rangeError: rangeError) {
          return .fix(fix, of: second.positionTalker, time: time, day: second.day, line: line)
        }
      } else if first.isValid, let fix = first.fix(rangeError: rangeError) {
        let day = first.day ?? (second.isValid ? second.day : nil)
        return .fix(fix, of: first.positionTalker, time: time, day: day, line: line)
      }
    }
    return .void(time: time, day: first.day ?? second.day, line: line)
  }

  /// Whether the second observation is believed. The receiver of the fix before is, unless only the other one is valid;
  /// without such a habit the more complete one.
  private func isSecondBelieved(habit: UInt16) -> Bool {
    guard second.isValid else { return false }
    guard first.isValid else { return true }
    if first.receiver == habit || second.receiver == habit { return first.receiver != habit }
    return second.completeness > first.completeness
  }
}

/// The outcome of an epoch; times are microseconds of the day, days count from 1970.
enum EpochOutcome {
  /// A position, without its time, and the talker who stated it.
  case fix(Fix, of: Talker, time: Int64, day: Int64?, line: Int)
  case void(time: Int64?, day: Int64?, line: Int)
  /// Neither a position nor a void sentence.
  case nothing
}
