// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import ServiceSimulation
import Testing

extension Live {
  /// A commute with a simulated u-blox on a real gpsd. While the receiver is awake it lasts as long as it does, for gpsd
  /// takes its own seconds to open and to know it; while the receiver sleeps time is skipped, as on a machine that sleeps.
  /// A whole day (`MILEPOST_WHOLE_DAY=1`) has some 130 looks of five seconds: ten minutes, which no test may take unasked.
  @Suite("A commute with a receiver that sleeps")
  struct SleepingCommuteTests {
    private static let rfc3339 = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    /// Rides at 15 m/s, out and back, among hours at rest; seconds. The last is by the clock of the test.
    private struct Trip {
      var rides: [ClosedRange<Double>]
      var whole: Double
      var limit: Double

      static let commute = Trip(rides: [600...2_100], whole: 2_400, limit: 150)
      static let day = Trip(
        rides: [25_200...26_700, 60_480...61_980], whole: 86_400, limit: 1_500)

      /// 52° north, 5° east and from there eastward; a degree of longitude is 68,677 m on WGS 84.
      func place(at second: Double) -> ReceiverLine.Place {
        var metres = 0.0
        for (number, ride) in rides.enumerated() {
          let way = 15 * (min(max(second, ride.lowerBound), ride.upperBound) - ride.lowerBound)
          metres += number % 2 == 0 ? way : -way
        }
        return .init(
          latitude: 52, longitude: 5 + metres / 68_677,
          speed: rides.contains { $0.contains(second) } ? 15 : 0)
      }
    }

    @Test(
      "Through a real gpsd each change is told, the receiver sleeps, and its joules are metered")
    func commute() throws {
      // A start of 1 s, as the data sheet has it, ends within gpsd's probes, and one that follows the command to sleep
      // wakes the receiver again; in the field starts take 11 s.
      var model = SimulatedReceiver.Model.m8
      model.hotStart = 4
      let trip: Trip =
        ProcessInfo.processInfo.environment["MILEPOST_WHOLE_DAY"] == nil ? .commute : .day
      let line = try ReceiverLine(model, trip.place)
      defer { line.close() }
      let control = NSTemporaryDirectory() + "/control-\(UUID().uuidString)"
      let station = try Station(
        settings: "gpsd_control: \(control)\ndevice_profile: pi-zero-neo-m8\nexternal_power: no\n")
      guard let library = try FaultTests.clock(in: station) else { return }
      let gpsd = try Child(
        [
          Station.which("gpsd") ?? "gpsd", "-N", "-S", String(station.gpsdPort), "-F", control,
          line.path,
        ], output: "/dev/null")
      defer {
        gpsd.end(SIGKILL)
        unlink(control)
      }
      var skipped = 0
      func skip(_ seconds: Int) throws {
        skipped += seconds
        line.skip(Double(seconds))
        try "\(skipped)".write(toFile: station.path("skip"), atomically: true, encoding: .utf8)
      }
      try skip(0)
      try station.startDaemon(
        environment: ["LD_PRELOAD": library, "CLOCK_SKIP_FILE": station.path("skip")])
      try station.addListener("walker", "authorization: always", service: "significant")
      var told: [Double] = []
      let begun = Waiting.now
      while line.now < trip.whole, Waiting.now < begun + trip.limit {
        let count = station.told("walker", "LOCATION").count
        if count > told.count { told += [Double](repeating: line.now, count: count - told.count) }
        // A question makes the service look at its clock, as waking does.
        let receiver = try station.document(["status"])["receiver"] as? [String: Any] ?? [:]
        let until = (receiver["until"] as? String).flatMap { try? Date($0, strategy: Self.rfc3339) }
        let sleep = receiver["sleep"] as? [String: Any]
        // Not before gpsd has closed it, and the service knows.
        if sleep?["count"] as? Int == line.receiver.sleeps, !line.receiver.isAwake, let until {
          let left = until.timeIntervalSinceNow - Double(skipped)
          if left > 2 { try skip(Int(min(left - 1, trip.whole - line.now + 1))) }
        }
        Waiting.pass(0.2)
      }
      let receiver = line.receiver
      let energy = try station.document(["status"])["energy"] as? [String: Any]
      let parts = energy?["components"] as? [[String: Any]] ?? []
      let metered =
        parts.first { $0["component"] as? String == "gnss" }?["energy_j"] as? Double ?? 0
      let way = zip(told, told.dropFirst()).filter { pair in
        trip.rides.contains { $0.contains(pair.0) && $0.contains(pair.1) }
      }
      .map { $1 - $0 - 300 }
      let alwaysOn = receiver.model.tracking * line.now / 1_000
      print(
        "a commute of \(Int(line.now)) s through a real gpsd in \(Int(Waiting.now - begun)) s:",
        receiver.sleeps, "looks,", receiver.joules, "J, metered", metered, "J, always on", alwaysOn,
        "J; told at", told.map { Int($0) }, "s, late under way by", way)
      #expect(line.now >= trip.whole)
      #expect(receiver.joules <= 0.15 * alwaysOn)
      #expect((metered / receiver.joules - 1).magnitude <= 0.05, "\(metered)")
      #expect(way.count >= 2 && way.allSatisfy { $0 < 5 }, "\(told)")
      #expect(receiver.refused == 0)
    }
  }
}
