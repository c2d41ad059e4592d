// SPDX-License-Identifier: Apache-2.0

import Geodesy
package import JSONText
package import LocationModel

// Regions and visits on the wire.
//
// An event of a region, or of a visit, is a delivery: it has a number of the app's, is acknowledged like a location,
// waits while the app is suspended or has no process, and comes again after a crash. The answer to a question for a
// state is not a delivery: the app that asks runs, and may ask again; it is not kept.

/// The places monitored for an app; they outlive the app's process.
package struct MonitoredPlaces: JSONObject, Equatable, Codable {
  package var regions: [MonitoredRegion]
  package var visits: Bool
  /// What the app was told last of its regions; `nil` if nothing.
  package var told: [ToldSide]?

  package init(regions: [MonitoredRegion], visits: Bool, told: [ToldSide]? = nil) {
    self.regions = regions
    self.visits = visits
    self.told = told
  }

  package static let empty = Self(regions: [], visits: false)
  package static let table = JSONTable<Self> { places in
    places.field("regions", \.regions)
    places.field("visits", \.visits)
    places.option("told", \.told, .array(of: ToldSide.json))
  }
}

extension ToldSide: JSONObject {
  package static let empty = Self(region: "", state: .unknown, time: nil)
  package static let table = JSONTable<Self> { told in
    told.field("identifier", \.region, .regionIdentifier)
    told.field("state", \.state)
    told.field("time", \.time)
  }
}

/// `REGION`: something about a region that the app monitors.
package struct RegionNotice: Sendable, Equatable, Codable {
  package enum Event: String, Sendable, JSONWord, Codable {
    case entered
    case exited
    /// The answer to a question.
    case state
  }

  /// To be acknowledged; `nil` for a state, which is not.
  package var sequence: UInt64?
  package var identifier: String
  package var event: Event
  /// The present side.
  package var state: RegionState
  /// UTC of the position that showed it; `nil` if unknown.
  package var time: UTCInstant?
  /// The time of the decision, UTC of the host.
  package var received: UTCInstant

  package init(
    sequence: UInt64? = nil, identifier: String, event: Event, state: RegionState,
    time: UTCInstant? = nil, received: UTCInstant
  ) {
    self.sequence = sequence
    self.identifier = identifier
    self.event = event
    self.state = state
    self.time = time
    self.received = received
  }

  fileprivate static let empty = Self(
    identifier: "", event: .state, state: .unknown, received: .epoch)
  fileprivate static let table = JSONTable<Self> { region in
    region.option("sequence", \.sequence, UInt64.json)
    region.field("identifier", \.identifier, .regionIdentifier)
    region.field("event", \.event)
    region.field("state", \.state)
    region.field("time", \.time)
    region.field("received", \.received)
  }
}

/// `VISIT`: an arrival, or a departure.
package struct VisitNotice: Sendable, Equatable, Codable {
  package enum Event: String, Sendable, JSONWord, Codable {
    case arrived, departed
  }

  /// To be acknowledged.
  package var sequence: UInt64
  package var event: Event
  package var visit: Visit
  /// The time of the decision, UTC of the host.
  package var received: UTCInstant

  package init(sequence: UInt64, event: Event, visit: Visit, received: UTCInstant) {
    self.sequence = sequence
    self.event = event
    self.visit = visit
    self.received = received
  }

  fileprivate static let empty = Self(
    sequence: 0, event: .arrived,
    visit: Visit(
      coordinate: Coordinate(clampingLatitude: 0, wrappingLongitude: 0), horizontalAccuracy: nil,
      arrival: nil, departure: nil), received: .epoch)
  fileprivate static let table = JSONTable<Self> { notice in
    notice.field("sequence", \.sequence)
    notice.field("event", \.event)
    notice.latitude(\.visit.coordinate)
    notice.longitude(\.visit.coordinate)
    notice.field("accuracy_m", \.visit.horizontalAccuracy, .number(in: 0...1e15))
    notice.field("arrival", \.visit.arrival)
    notice.field("departure", \.visit.departure)
    notice.field("received", \.received)
  }
}

extension ServerMessage {
  /// The message that hands a delivery over.
  package static func handing(_ delivery: Delivery, received: UTCInstant) -> ServerMessage {
    func region(
      _ identifier: String, _ event: RegionNotice.Event, _ state: RegionState
    ) -> ServerMessage {
      .region(
        RegionNotice(
          sequence: delivery.sequence, identifier: identifier, event: event, state: state,
          time: delivery.fix.time, received: received))
    }
    func visit(_ visit: Visit, _ event: VisitNotice.Event) -> ServerMessage {
      .visit(
        VisitNotice(sequence: delivery.sequence, event: event, visit: visit, received: received))
    }
    return switch delivery.event {
    case .entered(let identifier)?: region(identifier, .entered, .inside)
    case .exited(let identifier)?: region(identifier, .exited, .outside)
    case .arrived(let place)?: visit(place, .arrived)
    case .departed(let place)?: visit(place, .departed)
    case nil: .location(delivery, received: received)
    }
  }

  /// The number to acknowledge; `nil` if there is none.
  package var sequence: UInt64? {
    switch self {
    case .location(let delivery, _): delivery.sequence
    case .region(let notice): notice.sequence
    case .visit(let notice): notice.sequence
    default: nil
    }
  }

  static let placeForms: [MessageForm<ServerMessage>] = [
    .init("REGION", RegionNotice.empty, RegionNotice.table, ServerMessage.region) {
      if case .region(let notice) = $0 { notice } else { nil }
    },
    .init("VISIT", VisitNotice.empty, VisitNotice.table, ServerMessage.visit) {
      if case .visit(let notice) = $0 { notice } else { nil }
    },
    .init(
      "REGION_FAILED", ("", ""),
      JSONTable<(String, String)> { failed in
        failed.field("identifier", \.0)
        failed.field("reason", \.1)
      }, { .regionFailed($0.0, reason: $0.1) }
    ) {
      if case .regionFailed(let identifier, let reason) = $0 { (identifier, reason) } else { nil }
    },
  ]
}

extension ClientMessage {
  static let placeForms: [MessageForm<ClientMessage>] = [
    .init("REGION", MonitoredRegion.empty, MonitoredRegion.table, ClientMessage.monitorRegion) {
      if case .app(.monitorRegion(let region)) = $0 { region } else { nil }
    },
    .init("STOP_REGION", "identifier", .regionIdentifier, ClientMessage.stopMonitoringRegion) {
      if case .app(.stopMonitoringRegion(let identifier)) = $0 { identifier } else { nil }
    },
    .init("REGION_STATE", "identifier", .regionIdentifier, ClientMessage.requestRegionState) {
      if case .app(.requestRegionState(let identifier)) = $0 { identifier } else { nil }
    },
    .init("VISITS", "enable", Bool.json, ClientMessage.monitorVisits) {
      if case .app(.monitorVisits(let isOn)) = $0 { isOn } else { nil }
    },
  ]
}

extension MonitoredRegion: JSONObject {
  package static let empty = MonitoredRegion(
    "", centre: Coordinate(clampingLatitude: 0, wrappingLongitude: 0), radius: 0)

  /// A radius beyond the limits is accepted: the app receives `REGION_FAILED` for it.
  package static let table = JSONTable<Self> { region in
    region.field("identifier", \.identifier, .regionIdentifier)
    region.latitude(\.centre)
    region.longitude(\.centre)
    region.field("radius_m", \.radius, .number(in: 0...1e15))
    region.option(
      "notify_on_entry", \.notifiesOnEntry, Bool.json, where: { !$0.notifiesOnEntry })
    region.option("notify_on_exit", \.notifiesOnExit, Bool.json, where: { !$0.notifiesOnExit })
  }
}

extension RegionState: JSONWord {}

extension JSONForm where Value == String {
  static let regionIdentifier = JSONForm(
    .text, "a text of 1 to \(MonitoredRegion.identifierLimit) bytes", write: { $1.string($0) },
    convert: { json in
      json.string.flatMap {
        (1...MonitoredRegion.identifierLimit).contains($0.utf8.count) ? $0 : nil
      }
    })
}

extension JSONTable {
  fileprivate mutating func latitude(_ path: any WritableKeyPath<Root, Coordinate> & Sendable) {
    member(
      "latitude", .number(in: -90...90), isRequired: true, get: { $0[keyPath: path].latitude },
      set: {
        $0[keyPath: path] = Coordinate(
          clampingLatitude: $1, wrappingLongitude: $0[keyPath: path].longitude)
      })
  }

  fileprivate mutating func longitude(_ path: any WritableKeyPath<Root, Coordinate> & Sendable) {
    member(
      "longitude", .number(in: -180...180), isRequired: true,
      get: { $0[keyPath: path].longitude },
      set: {
        $0[keyPath: path] = Coordinate(
          clampingLatitude: $0[keyPath: path].latitude, wrappingLongitude: $1)
      })
  }
}
