// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FixFormats
import LocationModel

/// The options for reading traces.
struct ReadingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "UTC day of the first fix: of a log without dates.", valueName: "YYYY-MM-DD"),
    transform: Self.day)
  var date: CivilDate?

  @Option(
    number: "Seconds between points that carry no time (Xcode's way files: 1).", "seconds",
    read: { try Number.positive($0, most: 86_400) })
  var pointInterval: Double?

  @Flag(help: "Move dates that lie 1024 weeks off forward, as receivers' week rollover needs.")
  var fixWeekRollover = false

  @Flag(help: "Stop at the first malformed line (else it is counted and skipped).")
  var strict = false

  /// The options of the decoders.
  var decoding: DecodingOptions {
    var options = DecodingOptions()
    options.date = date
    options.pointInterval = pointInterval
    options.fixWeekRollover = fixWeekRollover
    options.strict = strict
    return options
  }

  private static func day(_ text: String) throws -> CivilDate {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].utf8.count == 4, let year = Int(parts[0]),
      let month = Int(parts[1]), let day = Int(parts[2]),
      let date = CivilDate(year: year, month: month, day: day)
    else { throw ValidationError("'\(text)' is not a day such as 2026-05-04") }
    return date
  }
}
