// SPDX-License-Identifier: Apache-2.0

import JSONText
package import LocationModel

// Headings on the wire. A heading is sent as it comes and never again: a slow reader misses some, and the next one is
// newer. An app's request ends with its process, so it is repeated at each welcome.

/// `HEADING` of an app: whether, and how often, it receives headings.
package struct HeadingRequest: Sendable, Equatable, Codable {
  package var isOn: Bool
  /// Degrees from the last delivered heading, 0 to 180; `nil` is every heading.
  package var filter: Double?

  package init(isOn: Bool, filter: Double? = nil) {
    self.isOn = isOn
    self.filter = filter
  }

  fileprivate static let table = JSONTable<Self> { request in
    request.field("enable", \.isOn)
    request.option("filter_deg", \.filter, .number(in: 0...180))
  }
}

/// `HEADING` of the daemon: the device's heading.
package struct HeadingNotice: Sendable, Equatable, Codable {
  package var heading: Heading
  /// The time of the decision, UTC of the host.
  package var received: UTCInstant

  package init(_ heading: Heading, received: UTCInstant) {
    self.heading = heading
    self.received = received
  }

  fileprivate static let empty = Self(
    Heading(time: nil, trueNorth: nil, source: .course), received: .epoch)
  fileprivate static let table = JSONTable<Self> { notice in
    notice.field("source", \.heading.source)
    notice.field("true_deg", \.heading.trueNorth, .number(in: 0...360, decimals: 1))
    notice.field("magnetic_deg", \.heading.magneticNorth, .number(in: 0...360, decimals: 1))
    notice.field("accuracy_deg", \.heading.accuracy, .number(in: 0...180, decimals: 1))
    notice.field("time", \.heading.time)
    notice.field("received", \.received)
  }
}

extension Heading.Source: JSONWord {}

extension ClientMessage {
  static let headingForms: [MessageForm<ClientMessage>] = [
    .init(
      "HEADING", HeadingRequest(isOn: false), HeadingRequest.table, ClientMessage.heading
    ) {
      if case .app(.heading(let request)) = $0 { request } else { nil }
    }
  ]
}

extension ServerMessage {
  static let headingForms: [MessageForm<ServerMessage>] = [
    .init("HEADING", HeadingNotice.empty, HeadingNotice.table, ServerMessage.heading) {
      if case .heading(let notice) = $0 { notice } else { nil }
    }
  ]
}
