// SPDX-License-Identifier: Apache-2.0

import RadioPower
import Replay
import ServiceContract

extension ReplayOptions {
  /// The app's uploads and their timing, as half a sentence: the upload policy decides most of the ratio between the
  /// modes, so it stands in the headline.
  var uploadWords: String {
    switch uploads {
    case .none: "nothing is uploaded"
    case .each: "each delivery is uploaded at once"
    case .everySeconds(let seconds):
      "deliveries are uploaded together every \(Figures.span(seconds))"
    case .everyCount(let count): "deliveries are uploaded \(Figures.count(count)) at a time"
    case .piggyback(let delay):
      "deliveries are uploaded in open tails, at most \(Figures.span(delay)) late"
    }
  }

  /// The same, or that nothing was sent in any mode, with the reason if wished: batching looks cheap on a short trace.
  func uploadWords(_ rows: [ModeRow], withReason: Bool = true) -> String {
    guard rows.contains(where: { $0.unsent > 0 }), rows.allSatisfy({ $0.uploads == 0 }) else {
      return uploadWords
    }
    let isSlow = network?.frame != nil
    guard withReason else { return isSlow ? "nothing arrived" : "nothing was sent" }
    if isSlow {
      return "nothing arrived, because the trace ended before the first message was through"
    }
    let first =
      switch uploads {
      case .everyCount(let count): "batch of \(Figures.count(count)) was full"
      case .everySeconds, .piggyback: "batch could go"
      case .none, .each: "delivery could go"
      }
    return "nothing was sent, because the trace ended before the first \(first)"
  }
}
