// SPDX-License-Identifier: Apache-2.0

import JSONText
package import LocationModel

/// What became of a recording that was decided again; its last lines.
package struct DecidedRecording: Sendable, Equatable {
  /// What to call the file.
  package var name: String
  /// UTC of the last step.
  package var time: UTCInstant
  /// From the first step to the last, seconds.
  package var duration = 0.0
  package var steps = 0
  package var commands = 0
  package var deliveries = 0
  package var wakes = 0
  package var launches = 0
  /// Seconds for which the plan had the receiver on.
  package var receiverOn = 0.0
  /// The first decision that is another one now.
  package var difference: Difference?

  package struct Difference: Sendable, Equatable {
    package var line: Int
    /// Which command of that line, from 1.
    package var command: Int
    /// Its JSON text in the recording and now; `nil` where there is none.
    package var recorded: String?
    package var decided: String?

    package init(line: Int, command: Int, recorded: String?, decided: String?) {
      self.line = line
      self.command = command
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
        Decided otherwise: \(name):\(difference.line): command \(difference.command)
          recorded: \(difference.recorded ?? "none")
          now:      \(difference.decided ?? "none")

        """
    }
    return Paragraph.text(
      "Decided again, and the same: \(Figures.count(steps, "input", "inputs")) and "
        + "\(Figures.count(commands, "command", "commands")) in \(Figures.span(duration)); "
        + "\(Figures.count(deliveries, "delivery", "deliveries")), "
        + "\(Figures.count(wakes, "wake", "wakes")), "
        + "\(Figures.count(launches, "launch", "launches")); receiver wanted for "
        + "\(Figures.span(receiverOn))")
  }

  func writeMembers(into json: inout JSONWriter) {
    json.member("same", difference == nil)
    json.member("inputs", steps)
    json.member("commands", commands)
    json.member("deliveries", deliveries)
    json.member("wakes", wakes)
    json.member("launches", launches)
    json.member("receiver_wanted_s", receiverOn, decimals: 3)
    json.member("line", difference?.line)
    json.member("command", difference?.command)
    json.member("recorded", difference?.recorded)
    json.member("now", difference?.decided)
  }
}
