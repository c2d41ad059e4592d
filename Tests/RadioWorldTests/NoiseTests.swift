// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import RadioWorld
import Testing

@Suite("Errors of receiver and network")
struct NoiseTests {
  @Test("The receiver's error has the stated spread, and is correlated over two minutes")
  func gaussMarkov() {
    var noise = ReceiverNoise(seed: 1, environment: .pocket)
    var values: [Double] = []
    for _ in 0..<400_000 {
      noise.step()
      values.append(noise.east)
    }
    let variance = values.map { $0 * $0 }.reduce(0, +) / Double(values.count)
    // σ = 5 m; some 1,700 independent stretches of 240 s make the estimate good to about 4 %.
    #expect(abs(variance.squareRoot() - 5) < 0.5)
    var product = 0.0
    for index in 120..<values.count { product += values[index] * values[index - 120] }
    let correlation = product / Double(values.count - 120) / variance
    // exp(−120/120) = 0.368
    #expect(abs(correlation - 0.368) < 0.07)
  }

  @Test("About 68 % of the errors lie within the claimed accuracy")
  func claimedAccuracy() {
    var noise = ReceiverNoise(seed: 2, environment: .open)
    var within = 0
    for _ in 0..<400_000 {
      noise.step()
      let error = (noise.east * noise.east + noise.north * noise.north).squareRoot()
      if error <= noise.accuracy { within += 1 }
    }
    #expect(abs(Double(within) / 400_000 - 0.68) < 0.04)
  }

  @Test("Network positions err by the stated spread, and by the same for the same second")
  func networkPositions() {
    let network = NetworkPositions(seed: 1, errorPerAxis: 320)
    let truth = Coordinate(clampingLatitude: 50, wrappingLongitude: 10)
    let frame = LocalFrame(origin: truth)
    let time = UTCInstant(microseconds: 0)
    var squares = 0.0
    var within = 0
    for second in 0..<20_000 {
      let now = EngineInstant.zero.advanced(bySeconds: Double(second))
      let fix = network.position(of: truth, time: time, at: now)
      #expect(fix == network.position(of: truth, time: time, at: now.advanced(bySeconds: 0.4)))
      squares += frame.east(of: fix.coordinate) * frame.east(of: fix.coordinate)
      if frame.distance(to: fix.coordinate) <= fix.horizontalAccuracy ?? 0 { within += 1 }
    }
    #expect(abs((squares / 20_000).squareRoot() - 320) < 10)
    #expect(abs(Double(within) / 20_000 - 0.68) < 0.015)
  }

  @Test("Motion fires in every window of 15 s that gets on by 15 m, and not for drift")
  func motion() {
    let frame = LocalFrame(origin: Coordinate(clampingLatitude: 50, wrappingLongitude: 10))
    var sensor = MotionSensor()
    var fired: [Int] = []
    for second in 0...90 {
      // Still for 20 s, 1.6 m/s for 40 s, then 3 m to and fro every second.
      let east = second < 60 ? max(0, Double(second) - 20) * 1.6 : 64 + Double(second % 2) * 3
      if sensor.fires(at: frame.point(east: east, north: 0)) { fired.append(second) }
    }
    // Windows end at 15, 30 (16 m since second 20), 45 and 60 (24 m each), 75 and 90 (drift).
    #expect(fired == [30, 45, 60])
  }
}
