// SPDX-License-Identifier: Apache-2.0

/// GSV, satellites in view, four to a sentence, one group of sentences for each system and signal.
///
///     $GPGSV,3,1,11,03,03,111,00,04,15,270,00,06,01,010,00,13,06,292,00,1*hh
///            | | |  |  |  |   |                                         |
///            | | |  |  |  |   C/N0, dB-Hz; empty or 0: not tracked      signal (4.10)
///            | | |  |  |  azimuth
///            | | |  |  elevation
///            | | |  satellite
///            | | satellites in view of this talker
///            | number of this sentence
///            number of sentences
///
/// Source: gpsd, "NMEA Revealed"; IEC 61162-1.
struct GSV: Sentence {
  /// 1-based number of this sentence in its group.
  private let number: Int
  private let inView: Int
  /// C/N0 of the tracked satellites, dB-Hz; 0 is none.
  private let signals: InlineArray<4, UInt8>

  init?(_ fields: inout FieldReader, _ bytes: borrowing Span<UInt8>) {
    fields.skip(1)
    guard let number = fields.integer(bytes), let inView = fields.integer(bytes),
      (1...20).contains(number), inView < 200
    else { return nil }
    (self.number, self.inView) = (number, inView)
    var signals = InlineArray<4, UInt8>(repeating: 0)
    for index in 0..<4 {
      fields.skip(3)
      if fields.isAtEnd { break }
      let strength = fields.integer(bytes) ?? 0
      signals[index] = (0...99).contains(strength) ? UInt8(strength) : 0
    }
    self.signals = signals
  }

  var place: SentencePlace { .none }

  func addFacts(to log: inout LogFacts, from talker: Talker) {
    if number == 1 { log.sky.note(inView: inView, from: talker) }
    for index in 0..<4 { log.sky.heard[Int(signals[index])] &+= 1 }
  }
}

/// Satellites in view, summed over the systems of one epoch, and the signal strengths over the whole log.
struct SkyTally {
  /// Per talker, the largest count since the last epoch; several signals of one system repeat it.
  private var talkers = InlineArray<16, Talker>(repeating: .none)
  private var counts = InlineArray<16, Int>(repeating: 0)
  private var used = 0
  /// The number of receptions of satellites, by whole dB-Hz; those at 0 were not heard.
  var heard = InlineArray<100, Int>(repeating: 0)

  /// The signal strengths of all that were heard, dB-Hz.
  var signal: TraceLedger.Extent {
    var extent = TraceLedger.Extent()
    for strength in 1..<heard.count where heard[strength] > 0 {
      extent.include(Double(strength), times: heard[strength])
    }
    return extent
  }

  /// Takes the count of a group's first sentence; at most 16 talkers are separate.
  mutating func note(inView: Int, from talker: Talker) {
    for index in 0..<used where talkers[index] == talker {
      counts[index] = max(counts[index], inView)
      return
    }
    guard used < talkers.count else { return }
    (talkers[used], counts[used]) = (talker, inView)
    used += 1
  }

  /// Adds the sum to the ledger's extent and begins anew.
  mutating func settleSum(into extent: inout TraceLedger.Extent) {
    guard used > 0 else { return }
    var sum = 0
    for index in 0..<used { sum += counts[index] }
    extent.include(Double(sum))
    used = 0
  }
}
