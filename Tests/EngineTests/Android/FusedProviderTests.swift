// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import Testing

@testable import LocationEngine

@Suite("The fused provider")
struct FusedProviderTests {
  private func fix(north metres: Double = 0, accuracy: Double = 8) -> Fix {
    // 111,200 m a degree of latitude at 48° N.
    Fix(
      time: nil,
      coordinate: Coordinate(
        clampingLatitude: 48.1 + metres / 111_200, wrappingLongitude: 11.5),
      horizontalAccuracy: accuracy)
  }

  /// What one request is told of a position each second, `pace` metres apart: the seconds.
  private func told(
    _ request: FusedRequest, _ access: AndroidAccess = .full, isApproximate: Bool = false,
    pace: Double = 10, for seconds: Int
  ) -> [(at: Int, count: Int)] {
    var client = FusedClient(request)
    var all: [(Int, Int)] = []
    for second in 0...seconds {
      let now = EngineInstant.zero.advanced(bySeconds: Double(second))
      let due = client.due(access, at: now)
      if !due.isEmpty { all.append((second, due.count)) }
      var told: [Fix] = []
      _ = client.offer(
        fix(north: pace * Double(second)), access, isApproximate: isApproximate, at: now,
        told: &told)
      if !told.isEmpty { all.append((second, told.count)) }
    }
    return all
  }

  @Test("It is told at its interval, less a tenth")
  func interval() {
    #expect(told(FusedRequest(.highAccuracy, every: 10), for: 30).map(\.at) == [0, 9, 18, 27])
    #expect(told(FusedRequest(.highAccuracy, every: 1), for: 3).map(\.at) == [0, 1, 2, 3])
  }

  @Test("With a shorter least interval it gets what others pay for")
  func fastest() {
    #expect(
      told(FusedRequest(.passive, every: 600, minInterval: 5), for: 12).map(\.at) == [0, 5, 10])
  }

  @Test("It must have moved by the least distance from the latest one that was told")
  func distance() {
    // 10 m a second: 50 m are 5 s.
    #expect(
      told(FusedRequest(.highAccuracy, every: 1, minDistance: 49.9), for: 12).map(\.at) == [
        0, 5, 10,
      ])
    #expect(
      told(FusedRequest(.highAccuracy, every: 1, minDistance: 50), pace: 0, for: 60).map(\.at) == [
        0
      ])
  }

  @Test("Nobody sees it: two an hour at most, from 8 on")
  func throttled() {
    let seconds = told(
      FusedRequest(.highAccuracy, every: 1), .throttled(every: 1_800), for: 3_600
    ).map(\.at)
    // 30 s of jitter at most.
    #expect(seconds == [0, 1_770, 3_540])
  }

  @Test("Batched: kept for the delay, then told at once; a delay below two intervals keeps none")
  func batched() {
    let batches = told(FusedRequest(.highAccuracy, every: 1, maxDelay: 10), for: 25)
    #expect(batches.map(\.at) == [10, 20])
    #expect(batches.map(\.count) == [10, 10])
    #expect(
      told(FusedRequest(.highAccuracy, every: 10, maxDelay: 19), for: 10).map(\.count) == [1, 1])
  }

  @Test("Approximate: the middle of a square of 2 km, every 10 min at most, without the receiver")
  func approximate() throws {
    let request = FusedRequest(.highAccuracy, every: 1)
    #expect(told(request, isApproximate: true, for: 1_200).map(\.at) == [0, 570, 1_140])
    let coarse = fix().approximate
    #expect(coarse.horizontalAccuracy == 2_000)
    #expect(fix(north: 1).approximate.coordinate == coarse.coordinate)
    // At most the half diagonal of the square away.
    #expect(coarse.coordinate.sphericalDistance(to: fix().coordinate) <= 1_450)
    #expect(coarse.coordinate != fix().coordinate)
    #expect(coarse.speed == nil)
    let limited = try #require(request.limited(by: .full, isApproximate: true))
    #expect(limited.priority == .lowPower)
  }

  @Test("Who has no access is told why, and loses what was kept")
  func noAccess() {
    var client = FusedClient(FusedRequest(.highAccuracy, every: 1, maxDelay: 10))
    var told: [Fix] = []
    _ = client.offer(fix(), .full, isApproximate: false, at: .zero, told: &told)
    #expect(client.nextDeadline != nil)
    let verdict = client.offer(
      fix(), .none(.notInUse), isApproximate: false, at: .zero, told: &told)
    #expect(verdict == .noAccess(.notInUse))
    #expect(client.nextDeadline == nil)
    #expect(told.isEmpty)
  }
}
