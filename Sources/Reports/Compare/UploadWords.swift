// SPDX-License-Identifier: Apache-2.0

import Replay
import Wording

extension ReplayOptions {
  /// What the app sends and when, as half a sentence: the upload policy decides most of the ratio
  /// between the modes, so it stands in the headline.
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
}
