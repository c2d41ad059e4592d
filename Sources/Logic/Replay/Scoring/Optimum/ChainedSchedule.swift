// SPDX-License-Identifier: Apache-2.0

import LocationModel

/// The cheapest schedule in which every delivery lies in the window of the one before.
struct ChainedSchedule {
  /// Deliveries, the first one included, and joules of all but the first one's fixed part.
  private(set) var events = 1
  private(set) var energy: Double

  /// A way to deliver at a point: its number of sessions and deliveries, and joules without acquisitions.
  private struct Way {
    var sessions: Int
    var events: Int
    var joules: Double
  }

  init(_ windows: CrossingWindows, from first: Int, costs: EventCosts) {
    let path = windows.path
    var ways = [[Way]](repeating: [], count: path.points.count)
    ways[first] = [Way(sessions: 1, events: 1, joules: 0)]
    var best: (events: Int, joules: Double)?
    // Beyond this gap staying on is dearer than the longest acquisition.
    let longest =
      (costs.acquisitions.max() ?? 0) * costs.acquisitionWatts + costs.held(left: costs.hold)
    var point = first
    while point < path.points.count {
      defer { point += 1 }
      if ways[point].isEmpty { continue }
      let here = ways[point]
      ways[point] = []
      guard let window = windows.window(after: point) else {
        for way in here {
          let total = way.joules + costs.acquired(way.sessions)
          if total < best?.joules ?? .infinity { best = (way.events, total) }
        }
        continue
      }
      let before = path.points[point].at
      let end = path.points[path.end(ofSegment: path.segment(of: window.lowerBound)) - 1].at
      let closing = path.points[path.end(ofSegment: path.segment(of: point)) - 1].at
      let held = costs.held(left: EngineInstant.seconds(from: before, to: closing))
      for next in window {
        let now = path.points[next].at
        let joules = costs.event(
          at: now, before: before, left: EngineInstant.seconds(from: now, to: end))
        let stay = EngineInstant.seconds(from: before, to: now) * costs.stayOnWatts
        for way in here {
          Self.addWay(
            Way(
              sessions: way.sessions + 1, events: way.events + 1,
              joules: way.joules + joules + held),
            to: &ways[next])
          guard stay < longest else { continue }
          Self.addWay(
            Way(sessions: way.sessions, events: way.events + 1, joules: way.joules + joules + stay),
            to: &ways[next])
        }
      }
    }
    events = best?.events ?? 1
    energy = best?.joules ?? costs.acquired(1)
  }

  /// The number of ways kept for a point. With 300 s between deliveries there are two or three; more
  /// come only if staying on competes with searching anew, within a minute or so.
  private static let wayLimit = 8

  /// Keeps the ways that no other beats in both sessions and joules. Beyond the limit a way is merged
  /// with its nearest into one that is as good as the better of both in everything: the answer is then a
  /// bound, no longer exact.
  private static func addWay(_ way: Way, to ways: inout [Way]) {
    for other in ways where other.sessions <= way.sessions && other.joules <= way.joules { return }
    ways.removeAll { way.sessions <= $0.sessions && way.joules <= $0.joules }
    guard ways.count >= wayLimit else { return ways.append(way) }
    var nearest = 0
    for index in ways.indices
    where (ways[index].joules - way.joules).magnitude
      < (ways[nearest].joules - way.joules).magnitude
    {
      nearest = index
    }
    ways[nearest].sessions = min(ways[nearest].sessions, way.sessions)
    ways[nearest].events = min(ways[nearest].events, way.events)
    ways[nearest].joules = min(ways[nearest].joules, way.joules)
  }
}

/// The least number of deliveries, at any points, that leaves no crossing late.
struct FreeSchedule {
  /// Deliveries, the first one included.
  private(set) var events = 1

  init(_ windows: CrossingWindows, from first: Int) {
    guard let window = windows.window(after: first) else { return }
    var reach = window.upperBound
    var point = first
    while true {
      // Delivery number `events + 1` can be at any point up to `reach`.
      events += 1
      var next = reach
      while point < reach {
        point += 1
        guard let window = windows.window(after: point) else { return }
        next = max(next, window.upperBound)
      }
      reach = next
    }
  }
}
