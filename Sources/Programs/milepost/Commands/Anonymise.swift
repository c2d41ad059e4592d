// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FixFormats
import JSONText
import ServiceContract
import TraceFiles

/// `milepost anonymise TRACE -o FILE`
struct Anonymise: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "anonymise",
    abstract: "Move, turn and cut a trace, so that a bug report can carry it.",
    usage: "milepost anonymise [<options>] <trace>",
    discussion: """
      Keeps how somebody moved: distances between fixes (to 0.01 % and 2 cm), turns, times between fixes, gaps, \
      speeds, accuracy. Takes away where and when: all is moved by at least 1000 km and turned by chance, and \
      begins at midnight of 2001-01-01. Heights, names, devices, comments and extensions are left out, and so \
      is every fix near the first and the last one, and in the first and the last minutes. Nothing that was \
      drawn is written anywhere, so that it cannot be undone.

      It does not hide the shape. Somebody who lays a long way through streets over a map of all roads may find \
      the one place where it fits; and the places where the device stood in between, at work perhaps, are still \
      in it. So do not publish what must not be found; cut more (--cut), or send less.

        milepost anonymise commute.gpx -o report.gpx
      """)

  @Argument(file: "Trace to disguise; - is standard input.", "trace")
  var trace: String

  @Option(file: "Write there instead of to standard output.", name: .shortAndLong)
  var output: String?

  @Option(
    help: "Format to write (default: by the ending of --output's name, else the trace's own).")
  var to: OutputFormat?

  @Option(
    number:
      "Leave out all within so many metres, and up to twice as many by chance, of either end; 100 to 100000 "
      + "(default: 500).", "metres", read: { try Number.inside($0, 100...100_000) })
  var cut = 500.0

  @Option(
    number: "Leave out so many seconds at either end, 0 to 86400 (default: 120).", "seconds",
    read: { try Number.inside($0, 0...86_400) })
  var cutTime = 120.0

  @OptionGroup(title: "Reading options") var reading: ReadingOptions

  func validate() throws { _ = try OutputFormat.chosen(to, for: output) }

  func run() throws {
    try OutputFile.refuse(output, amongInputs: [trace])
    let file = try TraceFile.open(trace, reading: .once)
    let format = try OutputFormat.chosen(
      to, for: output, usual: file.format.output ?? .usual)
    var options = reading.decoding
    options.allowsUndated = file.format != .nmea
    var events: [TraceEvent] = []
    let ledger = try file.read(options: options) { events += $0 }
    var generator = SystemRandomNumberGenerator()
    let disguise = Disguise(cut: cut, cutTime: cutTime, using: &generator)
    let result: Disguise.Result
    do throws(Disguise.Trouble) {
      result = try disguise.disguise(events)
    } catch {
      throw Complaint("\(file.name): \(Self.reason(error))")
    }
    let target = try OutputFile(path: output)
    var writer = TraceWriter(format: format)
    var bytes: [UInt8] = []
    writer.begin(into: &bytes)
    for event in result.events { writer.encode(event, into: &bytes) }
    writer.finish(into: &bytes)
    try target.write(bytes)
    try target.commit()
    Console.remark(
      "\(file.name): \(Figures.count(result.fixes - result.cut, "fix", "fixes")) written as "
        + "\(format.identifier), \(Figures.count(result.cut)) at the ends left out")
    file.tellFaults(ledger)
    Console.remark(
      "the shape is still that of the way: who has a map of all roads may find where it fits")
  }

  private static func reason(_ trouble: Disguise.Trouble) -> String {
    switch trouble {
    case .empty: "it has no fix"
    case .nothingLeft(let fixes):
      "nothing is left: all of its \(Figures.count(fixes, "fix", "fixes")) lie at its ends; a smaller --cut or "
        + "--cut-time leaves more"
    case .tooWide(let metres):
      "it reaches \(Figures.whole(metres / 1_000)) km from its middle, and is moved as one up to 500 km; cut it "
        + "into parts first"
    }
  }
}
