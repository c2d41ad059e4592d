// SPDX-License-Identifier: Apache-2.0

import JSONText
package import LocationModel

// Deferred updates on the wire. They come as `LOCATION`, each with its number; the message of the end follows them.

/// `DEFER`: begins or ends a deferral of updates.
package struct DeferralRequest: Sendable, Equatable, Codable {
  /// `nil` ends the deferral.
  package var deferral: Deferral?

  package init(_ deferral: Deferral?) { self.deferral = deferral }

  private struct Parts {
    var isOn = false
    var distance: Double?
    var timeout: Double?
  }

  fileprivate static let form = MessageForm<ClientMessage>(
    "DEFER", Parts(),
    JSONTable<Parts> { request in
      request.field("enable", \.isOn)
      request.option("distance_m", \.distance, .number(in: 0...1e9))
      request.option("timeout_s", \.timeout, .number(in: 0...1e9))
    },
    { parts in
      .deferUpdates(
        DeferralRequest(
          parts.isOn ? Deferral(distance: parts.distance, timeout: parts.timeout) : nil))
    },
    { message in
      guard case .app(.deferUpdates(let request)) = message else { return nil }
      return Parts(
        isOn: request.deferral != nil, distance: request.deferral?.distance,
        timeout: request.deferral?.timeout)
    })
}

extension Deferral.End: JSONWord {}

extension ClientMessage {
  static let deferralForms: [MessageForm<ClientMessage>] = [DeferralRequest.form]
}

extension ServerMessage {
  static let deferralForms: [MessageForm<ServerMessage>] = [
    .init("DEFERRED_END", "reason", Deferral.End.json, ServerMessage.deferralEnded) {
      if case .deferralEnded(let end) = $0 { end } else { nil }
    }
  ]
}
