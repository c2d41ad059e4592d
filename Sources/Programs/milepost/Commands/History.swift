// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ControlProtocol
import Glibc
import LocationModel
import Reports
import ServiceCore

/// `milepost history`
struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Print where the device was and what happened in the last days.",
    discussion: """
      Positions (thinned), receiver on and off, states of apps, what they were told, and times that nobody \
      watched; of the last 7 days at most.
      """)

  @Option(
    number: "How far back, above 0 and at most 168 (default: 24).", "hours",
    read: { try Number.positive($0, most: 168) })
  var hours = 24.0

  @OptionGroup var told: ToldOptions<HistoryDocument>

  func run() throws {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let now = UTCInstant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    let message = ClientMessage.history(
      from: now.advanced(bySeconds: -hours * 3_600), to: now.advanced(bySeconds: 60),
      count: Int(HistoryDocument.limit))
    try told.show(message) { HistoryText.report(history: $0).text(Console.style) }
  }
}
