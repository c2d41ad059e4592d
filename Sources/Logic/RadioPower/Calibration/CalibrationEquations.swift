// SPDX-License-Identifier: Apache-2.0

internal import LocationModel

// Each window of time gives one equation: the measured joules are the sum over all numbers of number times demand.
// Windows have a minimum length, and end only when no impulse is still under way: the meter counts a launch or a scan
// at its instant, but its energy is drawn over the seconds behind it.
//
//     log        launch           scan                     launch
//     drawn      ▂█████▂▂▂▂▂▂▂▂▂▂▂███▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂█████▂▂
//     windows    |─────────────|──────────|──────────|─────────────|
//
// Windows with missing samples, or in which the log marks an unknown span, are left out. If impulses follow each other
// without a pause, a window ends after ten times its length anyway.

/// The measured energy and the demand, window by window.
package struct CalibrationEquations: Sendable {
  package struct Window: Sendable, Equatable {
    let seconds: Double
    /// The measured joules, less the given ones.
    let joules: Double
    /// Joules that one unit of each number costs in this window.
    let amounts: [Double]
  }

  let terms: MeteredTerms
  let device: DeviceProfile
  package private(set) var windows: [Window] = []
  /// Windows left out because something about them is unknown.
  package private(set) var leftOut = 0

  /// `offset` converts the analyser's time to the log's; `length` is the minimum of a window; both in seconds.
  package init(
    _ trace: PowerTrace, _ activities: [Activity], device: DeviceProfile, network: NetworkProfile?,
    offset: Double, length: Double
  ) {
    self.device = device
    terms = MeteredTerms(device: device, network: network)
    guard let first = activities.first?.at, let last = activities.last?.at else { return }
    let begin = max(first, EngineInstant.zero.advanced(bySeconds: trace.start + offset))
    let end = min(last, EngineInstant.zero.advanced(bySeconds: trace.end + offset))
    var meter = EnergyMeter(device: device, network: network)
    var next = 0
    func advance(to instant: EngineInstant) {
      while next < activities.count, activities[next].at < instant {
        meter.record(activities[next])
        next += 1
      }
      meter.finish(at: instant)
    }
    guard begin < end else { return }
    advance(to: begin)
    var before = Reading(meter, terms)
    for (from, to) in Self.cuts(activities, device, begin, end, length) {
      advance(to: to)
      let after = Reading(meter, terms)
      defer { before = after }
      let seconds = EngineInstant.seconds(from: from, to: to)
      guard (after.seconds - before.seconds - seconds).magnitude < 1e-5,
        let joules = trace.joules(
          from: EngineInstant.seconds(from: .zero, to: from) - offset,
          to: EngineInstant.seconds(from: .zero, to: to) - offset)
      else {
        leftOut += 1
        continue
      }
      windows.append(
        Window(
          seconds: seconds, joules: joules - (after.given - before.given),
          amounts: zip(after.amounts, before.amounts).map { $0 - $1 }))
    }
  }

  private struct Reading {
    let seconds: Double
    let given: Double
    let amounts: [Double]

    init(_ meter: EnergyMeter, _ terms: MeteredTerms) {
      seconds = Double(meter.now) * 1e-6
      (amounts, given) = terms.amounts(meter)
    }
  }

  /// Begin and end of each window.
  private static func cuts(
    _ activities: [Activity], _ device: DeviceProfile, _ begin: EngineInstant,
    _ end: EngineInstant, _ length: Double
  ) -> [(EngineInstant, EngineInstant)] {
    var cuts: [(EngineInstant, EngineInstant)] = []
    var from = begin
    var next = 0
    var busyUntil = begin
    while from < end {
      var to = from.advanced(bySeconds: length)
      let latest = from.advanced(bySeconds: 10 * length)
      repeat {
        while next < activities.count, activities[next].at < to {
          let activity = activities[next]
          busyUntil = max(
            busyUntil, activity.at.advanced(bySeconds: duration(of: activity.event, device)))
          next += 1
        }
        guard busyUntil > to else { break }
        to = busyUntil
      } while to < latest
      to = min(to, latest)
      // The rest at the end belongs to no window.
      guard to <= end else { break }
      cuts.append((from, to))
      from = to
    }
    return cuts
  }

  /// The longest time, seconds, for which an event draws the energy counted at its instant.
  private static func duration(of event: Activity.Event, _ device: DeviceProfile) -> Double {
    let values = device.values
    return switch event {
    case .launch: values["soc", "launch", "duration"].high
    case .wake: values["soc", "wake", "duration"].high
    case .delivery: values["soc", "delivery", "duration"].high
    case .cellWake: values["soc", "cell_wake", "duration"].high
    case .wifiScan: values["wifi", "scan", "duration"].high
    case .gnss, .cellTransfer, .wifiTransfer, .soc, .motionSensor, .moving, .flashCommit, .metering,
      .end:
      0
    }
  }
}
