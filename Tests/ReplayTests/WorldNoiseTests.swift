// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import LocationModel
import RadioPower
import Testing

@testable import Replay

@Suite("A receiver that errs more than usual")
struct WorldNoiseTests {
  /// Errors (metres east and north) and claimed accuracies of a drive's fixes.
  private func errors(noise: Double, isRecorded: Bool) throws -> [(Double, Double, Double?)] {
    let drive = Drawn.trace([(120, 10)])
    let device = try #require(try ProfileLibrary.device(named: "phone-2021-lte"))
    var options = ReplayOptions(device: device, network: nil)
    options.noise = noise
    // The receiver's positions lie 6 m north of the truth.
    var truth: [Fix] = []
    for case .fix(let fix, line: _) in drive { truth.append(fix) }
    let seen = truth.map { fix in
      var fix = fix
      fix.coordinate = LocalFrame(origin: fix.coordinate).point(east: 0, north: 6)
      return fix
    }
    var world = WorldSampler(
      options: options, observed: isRecorded ? ObservedErrors(trace: seen, truth: truth) : nil)
    return Drawn.steps(drive, isRecorded: !isRecorded).samples.compactMap { sample in
      let frame = LocalFrame(origin: sample.coordinate)
      return world.sample(sample).fix.map {
        (frame.east(of: $0.coordinate), frame.north(of: $0.coordinate), $0.horizontalAccuracy)
      }
    }
  }

  @Test("Three times the noise is three times each error, and three times what is claimed")
  func threefold() throws {
    for isRecorded in [false, true] {
      let usual = try errors(noise: 1, isRecorded: isRecorded)
      let more = try errors(noise: 3, isRecorded: isRecorded)
      #expect(usual.count > 100 && usual.count == more.count)
      for (a, b) in zip(usual, more) {
        #expect(abs(b.0 - 3 * a.0) < 1e-3 && abs(b.1 - 3 * a.1) < 1e-3)
        #expect(b.2 == a.2.map { 3 * $0 })
        if isRecorded { #expect(abs(b.1 - 18) < 1e-3) }
      }
    }
  }
}
