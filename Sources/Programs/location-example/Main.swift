// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Dispatch
import LocationClient
import LocationClientReplay

@main
struct LocationExample: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "location-example",
    abstract: "An app that says how far from home the device is, at every significant change.",
    discussion: """
      Without --replay it speaks to the daemon, and ends when it is told to. With --replay the same code \
      runs over a trace in virtual time.
      """)

  @Option(parsing: .unconditional, help: "Degrees north of home.")
  var latitude = 48.1375

  @Option(parsing: .unconditional, help: "Degrees east of home.")
  var longitude = 11.5755

  @Option(help: "A trace to run over instead of asking the daemon.", completion: .file())
  var replay: String?

  @Option(
    help: ArgumentHelp(
      "With --replay: the device, a built-in profile or the file of one.", valueName: "name|file"))
  var device = "phone-2014-iphone6"

  @Option(
    help: ArgumentHelp(
      "With --replay: how significant changes are looked for (default: ios; without a modem the usual one).",
      valueName: "name"))
  var policy: String?

  @Option(
    help: ArgumentHelp(
      "With --replay: when the system needs the memory of the app, if that is suspended.",
      valueName: "seconds"))
  var purge: Double?

  func validate() throws {
    let home = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
    guard CLLocationCoordinate2DIsValid(home) else {
      throw ValidationError("there is no place at \(latitude), \(longitude) degrees")
    }
  }

  func run() throws {
    let home = CLLocation(latitude: latitude, longitude: longitude)
    guard let replay else {
      Self.printReason(CLLocationManager.launchReason)
      let commuter = Commuter(home: home) { Self.printLine($0) }
      withExtendedLifetime(commuter) { dispatchMain() }
    }
    var trace = try ReplayedTrace(replay)
    trace.device = device
    trace.policy = policy
    trace.background(after: 60)
    if let purge { trace.purge(after: purge) }
    let account = try trace.run { reason in
      Self.printReason(reason)
      return Commuter(home: home) { Self.printLine($0) }
    }
    Self.printLine(
      "\(account.deliveries.count) deliveries in \(account.launches.count) lives, "
        + String(format: "%.1f J above the baseline", account.energy))
  }

  private static func printReason(_ reason: CLLaunchReason?) {
    printLine(reason.map { "launched by \($0.rawValue)" } ?? "launched by the user")
  }

  /// Writes one line on stdout, at once.
  private static func printLine(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}
