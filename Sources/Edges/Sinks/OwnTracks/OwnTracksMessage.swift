// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import LocationModel
import ServiceContract

// Theory
// ======
//
// OwnTracks' messages are JSON objects with a `_type` [doc: owntracks.org/booklet/tech/json]. One delivery
// becomes one to four of them:
//
//     significant-change             location, m 1
//     standard                       location, m 2
//     continuous                     location, m 2, t t
//     asked for by the other side    location, t r
//     heartbeat                      location of the stay, t p, with the message's time
//     entered, exited                transition, then location, t c
//     arrived                        two or four locations of the stay, t v
//     departed                       location of the stay, t v, then of the position that showed it
//
// Servers distinguish messages by device, `tst` and coordinates, so the same delivery always gives the same ones:
// nothing in them comes from a clock or from chance, and coordinates are rounded once, here. Unknown values are left
// out, never −1 and never 0. If the receiver gave no time, the time of the service's decision replaces it. An accuracy
// below half a metre is written as 1: Home Assistant drops a location of accuracy 0.

/// One message of OwnTracks.
enum OwnTracksMessage: Sendable, Equatable {
  case location(Location)
  case transition(Transition)
  /// A broker's message for a lost client; `since` is the time of its connection.
  case lastWill(since: UTCInstant)
  /// The answer to the command `status`.
  case status(Status)
  /// The monitored regions.
  case waypoints([MonitoredRegion])

  /// A current or past position of the device.
  struct Location: Sendable, Equatable {
    /// The reason for sending it; the raw values are those of `t`.
    enum Trigger: String, Sendable {
      case region = "c"
      case timer = "t"
      case visit = "v"
      /// The other side asked for it.
      case request = "r"
      /// Nothing is new: the stay goes on.
      case ping = "p"
    }

    /// The frequency of positions; the raw values are those of `m`.
    enum Monitoring: Int, Sendable {
      case significant = 1
      case move = 2
    }

    var coordinate: Coordinate
    /// The time of the position.
    var time: UTCInstant
    /// The time of the service's decision to deliver it.
    var created: UTCInstant
    /// Metres, 68 %; `nil` is unknown.
    var accuracy: Double?
    /// Metres above mean sea level; `nil` is unknown.
    var altitude: Double?
    var verticalAccuracy: Double?
    /// Metres per second, written as km/h; `nil` is unknown.
    var speed: Double?
    /// Degrees clockwise from true north, 0 ≤ x < 360; `nil` is unknown.
    var course: Double?
    var trigger: Trigger?
    var monitoring: Monitoring?
    /// The app's number and the delivery's: the same at each repetition.
    var id: String
  }

  /// The border of a region was crossed.
  struct Transition: Sendable, Equatable {
    var isEntry: Bool
    /// The region's name. Home Assistant finds the zone by it, and the Recorder 1.0.1 crashes on a message without it:
    /// never optional.
    var region: String
    /// The position at which the crossing was detected.
    var coordinate: Coordinate
    var time: UTCInstant
    /// Metres, 68 %; `nil` is unknown.
    var accuracy: Double?
    var id: String
  }

  struct Status: Sendable, Equatable {
    /// The number of waiting deliveries.
    var waiting: Int?
    var time: UTCInstant
  }

  /// The last part of its MQTT topic, with its slash.
  var topicEnding: String {
    switch self {
    case .location, .lastWill: ""
    case .transition: "/event"
    case .status: "/status"
    case .waypoints: "/waypoints"
    }
  }
}

extension OwnTracksMessage {
  /// The messages of a delivery, in order. `fallbackAccuracy`: the substitute for an unknown accuracy, metres; `nil`
  /// leaves it out. `tellsTransitions` false leaves the transitions out.
  static func messages(
    for pending: PendingDelivery, fallbackAccuracy: Double? = nil, tellsTransitions: Bool = true
  ) -> [OwnTracksMessage] {
    let locations = pending.positions.enumerated().map { index, told in
      location(
        told, of: pending, fallbackAccuracy, id: pending.identity(ofPosition: index))
    }
    var messages: [OwnTracksMessage] = []
    for var location in locations {
      if let region = pending.delivery.event?.region {
        location.trigger = .region
        let transition = Transition(
          isEntry: pending.delivery.event == .entered(region), region: region,
          coordinate: location.coordinate, time: location.time, accuracy: location.accuracy,
          id: location.id)
        if tellsTransitions { messages.append(.transition(transition)) }
      }
      messages.append(.location(location))
    }
    return messages
  }

  private static func location(
    _ told: ToldPosition, of pending: PendingDelivery, _ fallbackAccuracy: Double?, id: String
  ) -> Location {
    var location = Location(
      coordinate: told.coordinate, time: told.time, created: pending.received,
      accuracy: told.accuracy ?? fallbackAccuracy, id: id)
    let delivery = pending.delivery
    switch (delivery.occasion, delivery.service) {
    case (.request, _): location.trigger = .request
    case (_, .significant): location.monitoring = .significant
    case (_, .standard): location.monitoring = .move
    case (_, .continuous): (location.trigger, location.monitoring) = (.timer, .move)
    }
    switch told.kind {
    case .fix:
      let fix = delivery.fix
      (location.altitude, location.verticalAccuracy) = (fix.altitude, fix.verticalAccuracy)
      (location.speed, location.course) = (fix.speed, fix.course)
    case .stay: location.trigger = .visit
    case .still: location.trigger = pending.isHeartbeat ? .ping : .visit
    }
    return location
  }
}
