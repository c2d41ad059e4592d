// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import LocationModel
import ServiceContract

// Theory
// ======
//
// OwnTracks' messages are JSON objects with a `_type` [doc: owntracks.org/booklet/tech/json]. One delivery
// becomes one or two of them:
//
//     significant-change             location, m 1
//     standard                       location, m 2
//     continuous                     location, m 2, t t
//     asked for by the other side    location, t r
//     heartbeat                      location, t p, with its own tst and a new created_at
//     entered, exited                transition, then location, t c
//     arrived, departed              location of the stay, t v
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
      /// Nothing is new; the device is alive.
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
    let delivery = pending.delivery
    let fix = delivery.fix
    let time = pending.moment
    let id = pending.identity
    var location = Location(
      coordinate: fix.coordinate, time: time, created: pending.received,
      accuracy: fix.horizontalAccuracy ?? fallbackAccuracy, altitude: fix.altitude,
      verticalAccuracy: fix.verticalAccuracy, speed: fix.speed, course: fix.course,
      id: id)
    switch (delivery.occasion, delivery.service) {
    case (.request, _): location.trigger = .request
    case (.heartbeat, .significant):
      (location.trigger, location.monitoring) = (.ping, .significant)
    case (.heartbeat, .standard), (.heartbeat, .continuous):
      (location.trigger, location.monitoring) = (.ping, .move)
    case (nil, .significant), (.deferral, .significant): location.monitoring = .significant
    case (nil, .standard), (.deferral, .standard): location.monitoring = .move
    case (nil, .continuous), (.deferral, .continuous):
      (location.trigger, location.monitoring) = (.timer, .move)
    }
    func crossing(_ region: String, isEntry: Bool) -> [OwnTracksMessage] {
      location.trigger = .region
      let transition = Transition(
        isEntry: isEntry, region: region, coordinate: fix.coordinate, time: time,
        accuracy: location.accuracy, id: id)
      return (tellsTransitions ? [.transition(transition)] : []) + [.location(location)]
    }
    func stay(_ visit: Visit) -> [OwnTracksMessage] {
      [
        .location(
          Location(
            coordinate: visit.coordinate, time: pending.moment(of: visit),
            created: pending.received,
            accuracy: visit.horizontalAccuracy ?? fallbackAccuracy, trigger: .visit,
            monitoring: location.monitoring, id: id))
      ]
    }
    switch delivery.event {
    case nil: return [.location(location)]
    case .entered(let region): return crossing(region, isEntry: true)
    case .exited(let region): return crossing(region, isEntry: false)
    case .arrived(let visit), .departed(let visit): return stay(visit)
    }
  }
}
