// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ControlProtocol
import FixFormats
import Geodesy
import Glibc
import LocationModel
import Reports
import ServiceCore
import TraceFiles

/// `milepost history`
struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Print where the device was and what happened in the last days.",
    usage: "milepost history [<options>]",
    discussion: """
      Positions (thinned), receiver on and off, states of apps, what they were told, and times that nobody \
      watched; of the last 7 days at most. With --to or --output the positions alone, as a track.

        milepost history --hours 2
        milepost history --hours 168 --output week.gpx
      """)

  @Option(
    number: "How far back, above 0 and at most 168 (default: 24).", "hours",
    read: { try Number.positive($0, most: 168) })
  var hours = 24.0

  @Option(help: "Write the positions in this format (default: by the ending of --output's name).")
  var to: OutputFormat?

  @Option(file: "Write them there; - is standard output.", name: .shortAndLong)
  var output: String?

  @OptionGroup var told: ToldOptions<HistoryDocument>

  func validate() throws {
    guard to != nil || output != nil else { return }
    _ = try OutputFormat.chosen(to, for: output)
    if told.json {
      throw ValidationError(
        "--json is the whole history, --to and --output are its positions; keep one")
    }
  }

  func run() throws {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let now = UTCInstant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    let message = ClientMessage.history(
      from: now.advanced(bySeconds: -hours * 3_600), to: now.advanced(bySeconds: 60),
      count: Int(HistoryDocument.limit))
    guard to != nil || output != nil else {
      try told.show(message) { HistoryText.report(history: $0).text(Console.style) }
      return
    }
    try write(try told.service.ask(message) ?? HistoryDocument.empty)
  }

  /// Writes the positions; nothing is no reason to replace a file that has something.
  private func write(_ history: HistoryDocument) throws {
    let track = history.track
    guard !track.isEmpty else {
      let kept = output.map { $0 == "-" ? "" : "; '\($0)' stays as it was" } ?? ""
      Console.remark("no position is kept of this time\(kept)")
      throw NegativeAnswer()
    }
    if history.isCut { Console.remark("older entries are left out; ask for fewer hours") }
    let target = try OutputFile(path: output)
    var writer = TraceWriter(format: try OutputFormat.chosen(to, for: output))
    var bytes: [UInt8] = []
    writer.begin(into: &bytes)
    for event in track { writer.encode(event, into: &bytes) }
    writer.finish(into: &bytes)
    try target.write(bytes)
    try target.commit()
  }
}

extension HistoryDocument {
  /// The positions, in parts between which nothing was known of the device.
  fileprivate var track: [TraceEvent] {
    var events: [TraceEvent] = []
    var last: UTCInstant?
    for (line, entry) in entries.enumerated() {
      guard let latitude = entry.latitude, let longitude = entry.longitude else { continue }
      if let last, UTCInstant.seconds(from: last, to: entry.at) > Self.longestPause {
        events.append(.segmentEnd(line: line))
      }
      last = entry.at
      events.append(
        .fix(
          Fix(
            time: entry.at,
            coordinate: Coordinate(clampingLatitude: latitude, wrappingLongitude: longitude),
            horizontalAccuracy: entry.accuracy, speed: entry.speed), line: line))
    }
    return events
  }
}
