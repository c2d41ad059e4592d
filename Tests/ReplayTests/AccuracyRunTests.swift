// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import LocationEngine
import LocationModel
import RadioPower
import Testing

@testable import Replay

@Suite("The accuracy that a replayed app asks for")
struct AccuracyRunTests {
  /// Foreground runs over a drawn trace, one for each accuracy, with the means of all acquisition times.
  private func runs(_ accuracies: [Double], over events: [TraceEvent]) throws -> [RunResult] {
    var options = try #require(try ReplayOptions.ofParts("phone-2021-lte", withWiFi: false))
    options.blindDistance = 100
    let plans = accuracies.map { accuracy in
      var plan = RunPlan(.standard, .foreground)
      plan.desiredAccuracy = accuracy
      return plan
    }
    var comparison = Comparison(plans, options: options, summary: Drawn.summary(events))
    comparison.feed(events)
    return comparison.finishTrace().runs
  }

  /// An hour's walk east at 1.4 m/s.
  private let walk = Drawn.trace([(3_600, 1.4)])

  @Test("A walker's 100 m takes a tenth of the receiver's time, and the position stays within them")
  func walker() throws {
    let runs = try runs([-1, 100], over: walk)
    #expect(runs[0].receiverOn == 3_600)
    // Sessions of 2 to 5 s (an assisted start takes 3.3 s in the mean), 20 to 50 s apart.
    #expect((136...720).contains(runs[1].receiverOn))
    #expect(runs[1].energy.total.nominal < runs[0].energy.total.nominal)
    // Blind for the duration of the cold start, and now and then for a second at the end of a rest.
    #expect(runs[1].blindSeconds <= 0.02 * 3_600)
  }

  @Test("At 10 m/s 100 m takes what the best takes: (100 − 10) / 10 − 10 is no rest")
  func driver() throws {
    let runs = try runs([-1, 10, 100], over: Drawn.trace([(3_600, 10)]))
    #expect(runs[0].energy == runs[1].energy)
    #expect(runs[2].receiverOn == 3_600)
  }

  @Test(
    "The network is asked for 1 km every 61 s (1 s for the answer), for 3 km every 181 s")
  func network() throws {
    let runs = try runs([1_000, 3_000], over: walk)
    #expect(runs.map(\.receiverOn) == [0, 0])
    #expect(abs(runs[0].counters.deliveries - 3_600 / 61) <= 1)
    #expect(abs(runs[1].counters.deliveries - 3_600 / 181) <= 1)
    #expect(runs[0].energy.total.nominal > runs[1].energy.total.nominal)
  }
}

@Suite("What a trace says beside its positions")
struct PathFixTests {
  private func fix(
    _ second: Double, east: Double, altitude: Double?, course: Double? = nil,
    vertical: Double? = nil
  ) -> TraceEvent {
    let start = Coordinate(clampingLatitude: 55, wrappingLongitude: 12)
    return .fix(
      Fix(
        time: UTCInstant(microseconds: 1_700_000_000_000_000).advanced(bySeconds: second),
        coordinate: LocalFrame(origin: start).point(east: east, north: 0), altitude: altitude,
        verticalAccuracy: vertical, course: course), line: 1)
  }

  private func samples(_ events: [TraceEvent]) -> [TruthSample] {
    var stream = TruthStream(.dense, isRecorded: true)
    var steps = TruthSteps()
    for event in events { stream.takeEvent(event, into: &steps) }
    stream.finish(into: &steps)
    return steps.samples
  }

  @Test(
    "Between two points the altitude changes evenly; the rest is the last point's")
  func between() {
    // 4 s from 100 m to 108 m: 2 m a second.
    let path = samples([
      fix(0, east: 0, altitude: 100, course: 90, vertical: 4),
      fix(4, east: 40, altitude: 108, course: 95, vertical: 6),
    ]).map(\.path)
    #expect(path.map(\.altitude) == [100, 102, 104, 106, 108])
    #expect(path.map(\.course) == [90, 90, 90, 90, 95])
    #expect(path.map(\.verticalAccuracy) == [4, 4, 4, 4, 6])
  }

  @Test("An altitude that the trace does not have is unknown, not 0")
  func unknown() {
    let path = samples([fix(0, east: 0, altitude: nil), fix(2, east: 9, altitude: 7)])
      .map(\.path.altitude)
    #expect(path == [nil, nil, 7])
  }

  @Test("The receiver of a replay reports them, with and without a truth beside the trace")
  func reported() throws {
    let device = try #require(try ProfileLibrary.device(named: "phone-2021-lte"))
    let options = ReplayOptions(device: device, network: nil)
    let events = [
      fix(0, east: 0, altitude: 100, course: 90, vertical: 4),
      fix(1, east: 9, altitude: 101, course: 91, vertical: 5),
    ]
    let fixes = events.compactMap { if case .fix(let fix, line: _) = $0 { fix } else { nil } }
    for observed in [nil, ObservedErrors(trace: fixes, truth: fixes)] {
      var world = WorldSampler(options: options, observed: observed)
      let seen = samples(events).compactMap { truth in
        world.sample(truth).fix
      }
      #expect(seen.map(\.altitude).first == 100)
      #expect(seen.map(\.course).first == 90)
      #expect(seen.map(\.verticalAccuracy).first == 4)
    }
  }
}
