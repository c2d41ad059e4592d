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
  var speed: Double?
  var course: Double?
  var slowSpeed: Double?
  var slowCourse: Double?
  var altitude: Double?
  var separation: Double?
  var hdop: Double?
  var slowHDOP: Double?
  var satellites: Int?
  var horizontal: Double?
  var vertical: Double?
  /// The date that RMC states, days since 1970.
  var day: Int64?

  var hasPosition: Bool { positionTalker != .none }
  var isVoid: Bool { voidTalker != .none }
  var isValid: Bool { hasPosition && voidTalker != positionTalker && mode != 1 }

  /// The amount of the receiver's data, to choose between two.
  var completeness: Int { kinds.nonzeroBitCount }

  mutating func take(
    _ sentence: some Sentence, _ kind: SentenceKind, from talker: Talker, habit: Talker
  ) {
    receiver = talker.receiver
    kinds |= kind.bit
    sentence.tell(&self, from: talker, habit: habit)
  }

  /// Takes the position statement of a sentence of `talker`; `true` if it is valid, so that the rest of
  /// the sentence counts too.
  ///
  /// Among talkers the one of the fix before (`habit`) wins, then the sentence by its rank: GGA, GNS,
  /// GLL, RMC. They usually agree; a B&G Zeus² (gpsd's `bundg_zeus_9.log`) puts the position of the
  /// second before into RMC.
  mutating func take(
    _ report: PositionReport, rank: UInt8, from talker: Talker, habit: Talker
  ) -> Bool {
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

  var hasValid: Bool { first.isValid || second.isValid }

  /// Whether a position or void sentence was seen; else the epoch yields nothing.
  var isStated: Bool {
    first.hasPosition || second.hasPosition || first.isVoid || second.isVoid
  }

  /// Adds a sentence; `false` if two other receivers already talk.
  mutating func take(
    _ sentence: some Sentence, _ kind: SentenceKind, from talker: Talker, habit: Talker, line: Int
  ) -> Bool {
    let receiver = talker.receiver
    if first.receiver == receiver || first.receiver == 0 {
      first.take(sentence, kind, from: talker, habit: habit)
    } else if second.receiver == receiver || second.receiver == 0 {
      second.take(sentence, kind, from: talker, habit: habit)
    } else {
      return false
    }
    self.line = max(self.line, line)
    return true
  }

  /// The valid observation to believe: the receiver of the fix before, unless only the other one is
  /// valid; without such a habit the more complete one.
  func chosen(habit: UInt16) -> Observation? {
    guard second.isValid else { return first.isValid ? first : nil }
    guard first.isValid else { return second }
    if first.receiver == habit { return first }
    if second.receiver == habit { return second }
    return second.completeness > first.completeness ? second : first
  }
}
