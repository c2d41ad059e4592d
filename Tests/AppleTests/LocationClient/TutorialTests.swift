// SPDX-License-Identifier: Apache-2.0

import LocationClient
import LocationClientReplay
import Testing

@Suite("A tutorial's code runs with only the import changed")
struct TutorialTests {
  // Computed beforehand by a separate script over the trace's points: geographiclib 2.1 (Karney's geodesic, Python) for
  // the distances, a filter of 1,609 m, and a fix twice as accurate passes (by its accuracy element). Given are only
  // the two instants at which the receiver had its first fix: at the start, and after the tunnel.
  private static let beforeTheTunnel: [(String, Double)] = [
    ("2026-03-17T06:31:18Z", 5480.472), ("2026-03-17T06:35:56Z", 4357.651),
    ("2026-03-17T06:40:58Z", 3848.204), ("2026-03-17T06:42:00Z", 4268.180),
  ]
  private static let behindTheTunnel: [(String, Double)] = [
    ("2026-03-17T06:46:12Z", 8013.935), ("2026-03-17T06:46:20Z", 8182.588),
    ("2026-03-17T06:46:31Z", 8431.999), ("2026-03-17T06:47:07Z", 9151.469),
    ("2026-03-17T06:48:00Z", 10309.248), ("2026-03-17T06:48:53Z", 11636.326),
    ("2026-03-17T06:49:46Z", 13077.495), ("2026-03-17T06:50:39Z", 14589.466),
    ("2026-03-17T06:51:32Z", 16154.684), ("2026-03-17T06:53:48Z", 17735.853),
    ("2026-03-17T06:59:16Z", 19325.700), ("2026-03-17T07:00:19Z", 20910.111),
    ("2026-03-17T07:01:12Z", 22454.016), ("2026-03-17T07:02:05Z", 23945.939),
    ("2026-03-17T07:02:58Z", 25385.295), ("2026-03-17T07:03:51Z", 26753.505),
    ("2026-03-17T07:11:09Z", 27618.332),
  ]

  private func trace() throws -> ReplayedTrace {
    var trace = try ReplayedTrace(Traces.path("car-commute.gpx"))
    trace.device = "phone-2021-lte"
    trace.firstStart = .hot
    trace.drawsAcquisition = false
    return trace
  }

  @Test("Accuracy of three kilometres: the network's positions, asked for every 3 min, do")
  func storeFinder() throws {
    let account = try trace().run { _ in StoreFinder() }
    let finder = try #require(account.lives.first)
    #expect(finder.wasAuthorized)
    #expect(account.receiverOn == 0)
    #expect(finder.times.count > 5)
    // 3,000 m at 60 km/h are 180 s, and an answer takes 1 s.
    for time in finder.times {
      let seconds = time.timeIntervalSince(account.start) - 1
      #expect(abs((seconds / 181).rounded() * 181 - seconds) < 0.01)
    }
    // The receiver's position at that time, give or take 3.7 × 320 m (one in a thousand is further off).
    let exact = try trace().run { _ in
      let finder = StoreFinder()
      finder.locationManager.desiredAccuracy = kCLLocationAccuracyBest
      finder.locationManager.distanceFilter = kCLDistanceFilterNone
      return finder
    }.lives[0]
    for (time, distance) in zip(finder.times, finder.distances) {
      guard let index = exact.times.firstIndex(of: time) else { continue }
      #expect(abs(exact.distances[index] - distance) < 1_184)
    }
  }

  @Test("Best accuracy, filter of a mile, distances to a fixed point")
  func exactFinder() throws {
    let account = try trace().run { _ in
      let finder = StoreFinder()
      finder.locationManager.desiredAccuracy = kCLLocationAccuracyBest
      return finder
    }
    let finder = try #require(account.lives.first)
    #expect(account.lives.count == 1)
    #expect(finder.wasAuthorized)
    let told = zip(finder.times.map { $0.ISO8601Format() }, finder.distances)
    for (index, (time, distance)) in Self.beforeTheTunnel.enumerated() {
      #expect(finder.times[index].ISO8601Format() == time)
      #expect(abs(finder.distances[index] - distance) < 0.01)
    }
    let rest = told.drop { $0.0 < Self.behindTheTunnel[0].0 }
    #expect(rest.map(\.0) == Self.behindTheTunnel.map(\.0))
    for (told, expected) in zip(rest, Self.behindTheTunnel) {
      #expect(abs(told.1 - expected.1) < 0.01)
    }
    #expect(account.verdictCounts["delivered"] == finder.distances.count)
  }

  @Test("The delegate of the first phones is told the same, with the location before")
  func oldStoreFinder() throws {
    let new = try trace().run { _ in StoreFinder() }.lives[0]
    let old = try trace().run { _ in OldStoreFinder() }.lives[0]
    #expect(old.distances == new.distances)
    #expect(old.steps.count > 5 && old.steps[0] == nil)
    // A mile from one to the next, or one that is at least twice as accurate: of Wi-Fi behind one of cells.
    let steps = old.steps.compactMap(\.self)
    #expect(steps.allSatisfy { $0.metres >= 1_609 || $0.sharper >= 2 }, "\(steps)")
    #expect(steps.contains { $0.metres >= 1_609 })
  }

  @Test("A user who forbids it: the delegate gets Core Location's code 1, and no location")
  func denied() throws {
    var trace = try trace()
    trace.authorization = .notDetermined
    trace.answer = .denied
    let account = try trace.run { _ in StoreFinder() }
    #expect(account.lives[0].failures.map(\.errorCode) == [1])
    #expect(account.lives[0].distances == [])
    #expect(!account.lives[0].wasAuthorized)
    #expect(account.requests == [.authorizedWhenInUse])
  }
}
