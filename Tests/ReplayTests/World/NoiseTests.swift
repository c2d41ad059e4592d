// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import Replay
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

  @Test("Thirty seconds at once have the spread and the correlation of thirty")
  func strides() {
    var noise = ReceiverNoise(seed: 1, environment: .pocket)
    var values: [Double] = []
    for _ in 0..<200_000 {
      noise.step(seconds: 30)
      values.append(noise.east)
    }
    let variance = values.map { $0 * $0 }.reduce(0, +) / Double(values.count)
    #expect(abs(variance.squareRoot() - 5) < 0.1)
    let product = zip(values, values.dropFirst()).map { $0 * $1 }.reduce(0, +)
    // exp(−30/120) = 0.779
    #expect(abs(product / Double(values.count) / variance - 0.779) < 0.02)
    var indoors = ReceiverNoise(seed: 1, environment: .open)
    indoors.step(in: .indoors, seconds: 60)
    // As after 60 single seconds, below: 15 − 13 · 0.9^60 m per axis.
    #expect(abs(indoors.accuracy - 1.5096 * 15) < 0.05)
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
    var network = NetworkPositions(seed: 1, errorPerAxis: 320)
    let truth = Coordinate(clampingLatitude: 50, wrappingLongitude: 10)
    let frame = LocalFrame(origin: truth)
    let time = UTCInstant(microseconds: 0)
    var squares = 0.0
    var within = 0
    for second in 0..<20_000 {
      let now = EngineInstant.zero.advanced(bySeconds: Double(second))
      let fix = network.position(of: truth, moving: .onTheWay, time: time, at: now)
      let again = network.position(
        of: truth, moving: .onTheWay, time: time, at: now.advanced(bySeconds: 0.4))
      #expect(fix == again)
      squares += frame.east(of: fix.coordinate) * frame.east(of: fix.coordinate)
      if frame.distance(to: fix.coordinate) <= fix.horizontalAccuracy ?? 0 { within += 1 }
    }
    #expect(abs((squares / 20_000).squareRoot() - 320) < 10)
    #expect(abs(Double(within) / 20_000 - 0.68) < 0.015)
  }

  @Test("Where the environment changes, the error's spread follows it within a minute")
  func environments() {
    var noise = ReceiverNoise(seed: 1, environment: .open)
    for _ in 0..<60 { noise.step(in: .indoors) }
    // 15 − 13 · 0.9^60 = 14.98 m per axis.
    #expect(abs(noise.accuracy - 1.5096 * 15) < 0.05)
  }
}
