// SPDX-License-Identifier: Apache-2.0

import BackgroundExecution
import Dispatch

/// One of four apps by name, as a program that the daemon runs; each reports its events on stdout, a line at a time.
///
///     background-example [round] [--overruns] [--calls PORT]
///     background-example deliveries            2010: significant changes, a relaunch, a background task
///     background-example reminders LAT LON     2016: a circle around that place, visits, a notification
///     background-example runner LAT LON        2024: live updates and a monitor
@main
enum Example {
  private static let usage = """
    usage: background-example [round] [--overruns] [--calls PORT]
           background-example deliveries
           background-example reminders|runner LATITUDE LONGITUDE

    """

  static func main() {
    let words = CommandLine.arguments.dropFirst()
    switch words.first {
    case "deliveries" where words.count == 1: runDeliveries()
    case "reminders": run(Reminders(home: home(words))) { $0.say = say }
    case "runner": run(Runner(say: say), from: home(words))
    case "round", "--overruns", "--calls", nil: Round.main()
    case "--help", "-h": FileHandle.standardOutput.write(Data(usage.utf8))
    default: refuse("there is no app '\(words.joined(separator: " "))'")
    }
  }

  /// Prints on stdout, at once.
  @Sendable static func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  private static func runDeliveries() {
    run(DeliveryRound()) { app in
      app.say = say
      app.upload = { _, done in done() }
    }
  }

  private static func run<App: UIApplicationDelegate>(_ app: App, _ prepare: (App) -> Void) {
    prepare(app)
    UIApplication.shared.delegate = app
    withExtendedLifetime(app) { dispatchMain() }
  }

  private static func run(_ runner: Runner, from home: CLLocationCoordinate2D) {
    Task { await runner.run(home: home) }
    dispatchMain()
  }

  private static func home(_ words: ArraySlice<String>) -> CLLocationCoordinate2D {
    let numbers = words.dropFirst().compactMap { Double($0) }
    if words.count == 3, numbers.count == 2 {
      let home = CLLocationCoordinate2D(latitude: numbers[0], longitude: numbers[1])
      if CLLocationCoordinate2DIsValid(home) { return home }
    }
    refuse("'\(words.joined(separator: " "))' names no place")
  }

  private static func refuse(_ words: String) -> Never {
    FileHandle.standardError.write(Data("background-example: \(words)\n\(usage)".utf8))
    exit(2)
  }
}

extension CLLocation {
  /// Time and place: `2026-05-04T08:00:00Z 52.00000 5.00000`.
  var place: String { "\(timestamp.ISO8601Format()) \(coordinates)" }

  /// Degrees north and east, to a metre.
  var coordinates: String {
    String(format: "%.5f %.5f", coordinate.latitude, coordinate.longitude)
  }
}
