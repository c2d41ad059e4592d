// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

// Theory
// ======
//
// A machine joins by itself only networks that somebody named to it, and most of these stand at a place:
//
//              joined: a trip has ended              a fix 500 m from where it was first seen
//   none ─────────────────────────────► at a place ──────────────────────────────────────────► travels along
//    ▲                                      │ left: a trip begins                                   │ left
//    └──────────────────────────────────────┴───────────────────────────────────────────────────────┘
//
// - One that travels along, as a driver's phone offers, says nothing from then on.
// - At the edge of its reach, or if its access point is ailing, a network comes and goes, and a house may have two. After
//   one was left nothing is heard for an hour, unless the device was 500 m away meanwhile: so that costs a look an hour at
//   most.
// - From one network straight to another, the first was left; if that one travels along, the other is joined.
// - The first reading of a service is no change: nobody knows of the one before.

/// The Wi-Fi networks of a machine: which of its changes say something of a trip.
struct HeardWiFi: Sendable, Equatable {
  enum Change: Sendable, Equatable {
    case joined(String)
    case left(String)

    var isJoined: Bool { if case .joined = self { true } else { false } }
  }

  /// Where and when a network was left.
  private struct Edge: Sendable, Equatable {
    let place: Coordinate?
    let at: EngineInstant
  }

  /// Metres that no network reaches [ours], and seconds for which networks come and go unheard after one was left [ours].
  private static let reach = 500.0
  private static let pause = 3_600.0
  /// The number of networks known to travel along [ours].
  private static let most = 8

  /// The present network, `nil` for none; `isRead` is false before the first reading.
  private var name: String?
  private var isRead = false
  /// Where the device was seen first since it joined that, and where last.
  private var joinedAt: Coordinate?
  private var place: Coordinate?
  private var edge: Edge?
  private var travelling: [String] = []

  /// Takes the present network; returns what that says.
  mutating func read(_ next: String?, at now: EngineInstant) -> Change? {
    guard isRead, next != name else {
      (name, isRead) = (next, true)
      return nil
    }
    let before = name
    (name, joinedAt) = (next, nil)
    if let edge, EngineInstant.seconds(from: edge.at, to: now) >= Self.pause { self.edge = nil }
    guard edge == nil else { return nil }
    if let before, !travelling.contains(before) {
      edge = Edge(place: place, at: now)
      return .left(before)
    }
    return next.flatMap { travelling.contains($0) ? nil : .joined($0) }
  }

  /// The device is here.
  mutating func saw(_ here: Coordinate) {
    place = here
    if let from = edge?.place, from.distance(to: here) > Self.reach { edge = nil }
    guard let name else { return }
    guard let joinedAt else { return self.joinedAt = here }
    guard joinedAt.distance(to: here) > Self.reach, !travelling.contains(name) else { return }
    travelling.append(name)
    if travelling.count > Self.most { travelling.removeFirst() }
  }
}
