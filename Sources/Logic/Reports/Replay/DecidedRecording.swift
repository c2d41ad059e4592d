// SPDX-License-Identifier: Apache-2.0

import JSONText
package import LocationModel
import ServiceContract

/// The outcome of a recording that was decided again; its last lines.
package struct DecidedRecording: Sendable, Equatable {
  /// The name of the file.
  package var name: String
  /// UTC of the last input.
  package var time: UTCInstant
  /// From the beginning to the last input, seconds.
  package var duration = 0.0
  package var inputs = 0
  package var effects = 0
  package var deliveries = 0
  package var wakes = 0
  package var launches = 0
  /// Seconds for which the plan had the receiver on.
  package var receiverOn = 0.0
  /// The first decision that differs now.
  package var difference: Difference?

  package struct Difference: Sendable, Equatable {
    package var line: Int
    /// The line in the recording and now; `nil` if there is none.
    package var recorded: String?
    package var decided: String?

    package init(line: Int, recorded: String?, decided: String?) {
      self.line = line
      self.recorded = recorded
      self.decided = decided
    }
  }

  package init(name: String, time: UTCInstant) {
    self.name = name
    self.time = time
  }

  /// The last lines for people.
  package var text: String {
    if let difference {
      return """
        Decided otherwise: \(name):\(difference.line)
          recorded: \(difference.recorded ?? "none")
          now:      \(difference.decided ?? "none")

        """
    }
    return Paragraph.text(
      "Decided again, and the same: \(Figures.count(inputs, "input", "inputs")) and "
        + "\(Figures.count(effects, "effect", "effects")) in \(Figures.span(duration)); "
        + "\(Figures.life(deliveries: deliveries, wakes, launches)); receiver wanted for "
        + "\(Figures.span(receiverOn))")
  }

  static let table = JSONTable<DecidedRecording> { recording in
    recording.value("same") { $0.difference == nil }
    recording.value("inputs", \.inputs)
    recording.value("effects", \.effects)
    recording.value("deliveries", \.deliveries)
    recording.value("wakes", \.wakes)
    recording.value("launches", \.launches)
    recording.known("receiver_wanted_s", decimals: 3, \.receiverOn)
    recording.value(
      "line", about: "Of the recording, where the first other decision stands.",
      \.difference?.line)
    recording.value("recorded", \.difference?.recorded)
    recording.value("now", \.difference?.decided)
  }
}
