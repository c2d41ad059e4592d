// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ControlProtocol
import Geodesy
import Glibc
import JSONText
import LocationModel
import Reports
import ServiceCore

/// `milepost forget --before DATE --within LAT,LON,RADIUS --app APP`
struct Forget: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Delete what the service keeps of where the device was.",
    usage: "milepost forget [<options>]",
    discussion: """
      Deletes events that wait for apps and sinks or were given up, log lines, and what the service itself \
      remembers of places, and leaves nothing of them in the database's files. Each option narrows this \
      down: --before and --within together mean what is older and lies within. It asks before it deletes.

        milepost forget --before 2026-11-01
        milepost forget --within 52.5163,13.3777,500

      It does not reach what apps and sinks were told before, recordings, traces, copies of the database, and \
      what a flash memory keeps of overwritten blocks.
      """)

  @Option(
    help: ArgumentHelp(
      "What was decided before: a day, 2026-11-01 (its beginning, UTC), or a time, 2026-11-01T12:00:00Z.",
      valueName: "date"), transform: Self.instant)
  var before: UTCInstant?

  @Option(
    help: ArgumentHelp(
      "What lies within so many metres, \(Self.radii), of a place in degrees.",
      valueName: "latitude,longitude,metres"), transform: Self.circle)
  var within: Forgetting.Circle?

  @Option(help: ArgumentHelp("Only what concerns this app.", valueName: "app"))
  var app: String?

  @Flag(name: .shortAndLong, help: "Do not ask.")
  var yes = false

  @Flag(help: "Only say what would be deleted.")
  var dryRun = false

  @OptionGroup(title: "Service options") var service: ServiceOptions

  func validate() throws {
    guard before != nil || within != nil || app != nil else {
      throw ValidationError("say what is to be forgotten: --before, --within or --app")
    }
    if dryRun, yes { throw ValidationError("--dry-run deletes nothing; leave --yes out") }
  }

  func run() throws {
    var wish = Forgetting(before: before, within: within, app: app, isTrial: true)
    if !yes {
      try show(wish)
      if dryRun { return }
      guard isatty(STDIN_FILENO) != 0 else {
        throw Complaint("nothing was deleted: nobody can be asked here; say --yes")
      }
      Console.standardError("Delete this? It cannot be undone. [y/N] ")
      guard let answer = readLine()?.lowercased(), ["y", "yes"].contains(answer) else {
        Console.remark("nothing was deleted")
        throw NegativeAnswer()
      }
    }
    wish.isTrial = false
    try show(wish)
  }

  private func show(_ wish: Forgetting) throws {
    try service.show(.forget(wish)) { (forgotten: ForgottenDocument) in
      AppText.text(forgotten: forgotten)
    }
  }

  private static func instant(_ text: String) throws -> UTCInstant {
    if let (instant, _) = RFC3339.parse(text) ?? RFC3339.parse(text + "T00:00:00Z") {
      return instant
    }
    throw ValidationError(
      "'\(text)' is no day and no time; write 2026-11-01 or 2026-11-01T12:00:00Z")
  }

  private static var radii: String {
    let radii = Forgetting.Circle.radii
    return "\(Int(radii.lowerBound)) to \(Int(radii.upperBound))"
  }

  private static func circle(_ text: String) throws -> Forgetting.Circle {
    guard let (centre, radius) = CircleText.readCircle(text[...]),
      Forgetting.Circle.radii.contains(radius)
    else {
      throw ValidationError(
        "'\(text)' is not LATITUDE,LONGITUDE,METRES, as in 52.5163,13.3777,500; the radius is \(Self.radii)"
      )
    }
    return .init(latitude: centre.latitude, longitude: centre.longitude, radius: radius)
  }
}
