// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract

/// How long a sink waits after a failure; the theory is above `SinkState`.
enum SinkPauses {
  /// The pauses, seconds: if each attempt costs a radio's tail, and if it costs none [ours].
  private static let pauses = Backoff(first: 30, longest: 1_800, shares: 0.8...1.2)
  private static let localPauses = Backoff(first: 1, longest: 1_800, shares: 0.8...1.2)
  /// The longest pause that the other side may ask for, seconds; one that asks for more has its clock wrong [ours].
  private static let longestAskedPause = 86_400.0

  /// Seconds until the next attempt.
  static func pause(
    after attempts: Int, _ fault: SinkFault, of id: AppID, _ step: Step
  ) -> Double {
    // A side that rejects a message gets time to be fixed, wherever it is.
    let isPatient =
      step.apps[id]?.manifest.sink?.needsNetwork == true || fault == .badMessage
    let pauses = isPatient ? Self.pauses : Self.localPauses
    // Equal for equal recordings, and different on each machine: from the start of this service.
    var random = SplitMix64(
      seed: SplitMix64.mixed(UInt64(bitPattern: step.startedAt.utc.microseconds))
        ^ UInt64(id.number) << 32 ^ UInt64(attempts))
    let failures = fault == .refused ? .max : attempts
    let pause = pauses.wait(after: failures, luck: SplitMix64.uniform(random.next()))
    guard case .later(let after?) = fault else { return pause }
    return max(pause, min(after, longestAskedPause))
  }
}

extension UplinkTally {
  /// The greatest number set aside in a row [ours].
  fileprivate static let badMessagesInRow = 3

  /// A server that rejects one message after another rejects all of them.
  func meaning(
    of reason: String, _ fault: SinkFault
  ) -> (reason: String, fault: SinkFault) {
    guard fault == .badMessage, setAsideInRow >= Self.badMessagesInRow else {
      return (reason, fault)
    }
    return (
      "\(reason); it has said so of \(setAsideInRow) others in a row, so that something else is wrong",
      .refused
    )
  }
}
