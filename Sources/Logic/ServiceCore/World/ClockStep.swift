// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract

// Theory
// ======
//
// The host's clock may be set at any time: by the network an hour after the start of a machine that has no battery for
// its clock, by a user, by a receiver that is wrong by 1,024 weeks. That clock times only what is meant for it (a local
// notification, `keep_days`); everything else goes by the engine's axis. An instant noted with the old reading keeps it
// in the logs, as a journal does.
//
//   UTC passed − axis passed      between two inputs, whichever they are: the shell brings one when the clock is set
//   ├── small: a clock is allowed to run a tenth too fast or too slow while it is being put right (adjtimex(2))
//   └── else: a step, which is reported. `status` then gives present facts ("since …") by the new reading. After a
//             step forward of more than an hour, old rows are not looked for within the next hour: a clock that is
//             wrong for a minute deletes nothing, and one that is put right by seconds all day does not keep old
//             rows for ever.

/// The amount by which the host's clock was set between two inputs.
struct ClockStep: Sendable, Equatable {
  /// Below 0 if it was set back.
  let seconds: Double
  let from: UTCInstant
  let to: UTCInstant

  /// The greatest difference of two readings, seconds, that is no step [ours].
  private static let least = 1.0
  /// The share by which a clock may be made to run fast or slow: a tick of 9,000 to 11,000 µs in place of 10,000
  /// [adjtimex(2)].
  private static let slew = 0.1

  /// `nil` if the clock ran normally.
  init?(from earlier: ServiceTime, to later: ServiceTime) {
    let elapsed = max(0, EngineInstant.seconds(from: earlier.at, to: later.at))
    seconds = UTCInstant.seconds(from: earlier.utc, to: later.utc) - elapsed
    guard abs(seconds) > Self.least + Self.slew * elapsed else { return nil }
    from = earlier.utc.advanced(bySeconds: elapsed)
    to = later.utc
  }

  /// The instant that a correct clock would have shown then.
  func corrected(_ instant: UTCInstant) -> UTCInstant { instant.advanced(bySeconds: seconds) }

  /// `the machine's clock was set forward by 2.0 h: from … to …`.
  var words: String {
    let way = seconds < 0 ? "back" : "forward"
    return
      "the machine's clock was set \(way) by \(Figures.span(abs(seconds))): from \(from.rfc3339) to "
      + to.rfc3339
  }
}
