// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import LocationEngine
import LocationModel
import RadioPower
import Replay
import Testing

@testable import ServiceCore

/// A day of two commutes, the same world for the service as it runs live and for its replay: positions with the same
/// errors, speeds, starts of the receiver and events of the motion sensor.
struct Commute {
  /// Seconds by which both ways begin later.
  var later = 0.0
  /// The motion sensor, if there is one.
  var sensor: MotionSensing?
  /// Whether the machine knows a Wi-Fi network at each end.
  var hasWiFi = false

  static let seconds = 86_400
  static let start = UTCInstant(microseconds: 1_800_000_000_000_000)
  private static let seed: UInt64 = 1
  private static let length = 1_800.0

  var departures: [Double] { [8.0, 17].map { $0 * 3_600 + later } }

  /// Metres east of home: 27 km in half an hour, there in the morning and back in the evening.
  func east(at second: Double) -> Double {
    let ways = departures.map { min(max(second - $0, 0), Self.length) }
    return 15 * (ways[0] - ways[1])
  }

  /// The Wi-Fi network that the machine is in, if it knows one: it reaches 100 m, and takes 10 s to join or miss [ours].
  func wifi(at second: Double) -> String? {
    let place = east(at: second - 10)
    return !hasWiFi ? nil : place < 100 ? "Home" : place > 15 * Self.length - 100 ? "Work" : nil
  }

  private func isUnderWay(_ second: Double) -> Bool {
    departures.contains { second > $0 && second <= $0 + Self.length }
  }

  // MARK: The live world

  /// What a receiver that tracks reports second by second, and when the motion sensor fires.
  struct Seconds {
    private var noise = ReceiverNoise(seed: Commute.seed, environment: .open)
    private var motion: MotionSensor?

    init(_ day: Commute) {
      noise.step(in: .open)
      motion = day.sensor.map {
        MotionSensor(
          seed: Commute.seed, window: $0.window, steps: $0.steps, ride: $0.ride, smooth: $0.smooth,
          falseAlarms: $0.falseAlarms)
      }
      _ = motion?.fires(moving: .rest)
    }

    mutating func next(_ second: Double, of day: Commute) -> (fix: Fix, isFelt: Bool) {
      noise.step(in: .open)
      var fix = Stage.fix(east: day.east(at: second), at: Commute.start.advanced(bySeconds: second))
      fix.coordinate = LocalFrame(origin: fix.coordinate).point(
        east: noise.east, north: noise.north)
      fix.horizontalAccuracy = noise.accuracy
      let isMoving = day.isUnderWay(second)
      fix.speed = isMoving ? 15 : 0
      let ride: UInt64 = second < day.departures[1] ? 1 : 2
      return (fix, motion?.fires(moving: isMoving ? .ride(ride) : .rest) ?? false)
    }
  }

  // MARK: The replay

  /// What an app was told, and the receiver's joules.
  struct Account {
    var told: [Told] = []
    var joules = 0.0
  }

  struct Told {
    var at: Double
    var place: Coordinate
  }

  func replayed(on device: DeviceProfile, policy: SignificantPolicy) throws -> Account {
    var device = device
    device.hasMotionSensor = sensor != nil
    let events = (0...Self.seconds).map { second -> TraceEvent in
      let at = Double(second)
      return .fix(
        Stage.fix(east: east(at: at), at: Self.start.advanced(bySeconds: at)), line: second + 1)
    }
    var survey = TraceSurvey()
    survey.include(events: events)
    var options = ReplayOptions(device: device, network: nil)
    (options.environment, options.drawsAcquisition, options.seed) = (.open, false, Self.seed)
    if let sensor { options.motion = sensor }
    let plan = RunPlan(.significant, .pocket, policy: policy)
    var run = Comparison([plan], options: options, summary: survey.finished(), records: .events)
    run.feed(events)
    _ = run.finishTrace()
    var account = Account()
    for event in run.drainEvents(ofRun: 0) {
      guard case .decided(.deliver(_, let delivery)) = event.kind, !delivery.isCached else {
        continue
      }
      account.told.append(Told(at: event.at.seconds, place: delivery.fix.coordinate))
    }
    var meter = run.runs[0].service.meter
    account.joules =
      meter.report(at: EngineInstant.zero.advanced(bySeconds: Double(Self.seconds)))
      .receiver
    return account
  }

  // MARK: Lateness

  /// The seconds by which each event of a way is told late: after 500 m, 34 s after the departure, or 300 s after the one
  /// before.
  func lateness(_ told: [Told]) -> (departures: [Double], underWay: [Double]) {
    var (departing, underWay): ([Double], [Double]) = ([], [])
    for departure in departures {
      let way = told.map { $0.at - departure }.filter { $0 > 0 && $0 <= Self.length + 900 }
      guard let first = way.first else { continue }
      departing.append(first - 500 / 15)
      underWay += zip(way, way.dropFirst()).filter { $1 <= Self.length }.map { $1 - $0 - 300 }
    }
    return (departing, underWay)
  }
}

extension EnergyReport {
  /// Joules of the receiver.
  var receiver: Double {
    components.filter { $0.component == "gnss" }.reduce(0) { $0 + $1.energy.nominal }
  }
}

/// Numbers in words: how many, their mean, and the greatest.
struct Spread: CustomStringConvertible {
  let values: [Double]
  var mean: Double { values.reduce(0, +) / Double(max(1, values.count)) }
  var most: Double { values.max() ?? 0 }

  init(_ values: [Double]) { self.values = values }

  var description: String {
    "\(values.count), \(Int(mean.rounded())) s late in the mean, \(Int(most.rounded())) s at most"
  }
}
