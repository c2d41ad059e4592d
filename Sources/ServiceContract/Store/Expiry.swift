// SPDX-License-Identifier: Apache-2.0

package import ControlProtocol
import Geodesy
package import LocationEngine
package import LocationModel

// Theory
// ======
//
// Within a change what is forgotten goes before the log, the given-up deliveries and the history are added: so what
// is forgotten now is also taken out of what is still to be written, here and in what was carried over.

/// Rows of one log (`nil`: the service's) that are forgotten.
package struct LogExpiry: Sendable, Equatable, Codable {
  package var app: AppID?
  /// UTC of the host: those that were written before.
  package var before: UTCInstant

  package init(app: AppID?, before: UTCInstant) {
    self.app = app
    self.before = before
  }

  fileprivate func concerns(_ row: LogRow) -> Bool { row.app == app && row.at < before }

  /// Whether the other forgets nothing that this does not.
  func covers(_ other: Self) -> Bool { app == other.app && before >= other.before }
}

/// Entries of the history that are forgotten; what is left out does not restrict.
package struct HistoryExpiry: Sendable, Equatable, Codable {
  /// UTC of the host: those of before.
  package var before: UTCInstant?
  /// Positions within so many metres of a place.
  package var within: ForgottenPlaces.Circle?
  /// Those of one app, by its name; positions are of none.
  package var app: String?

  package init(
    before: UTCInstant? = nil, within: ForgottenPlaces.Circle? = nil, app: String? = nil
  ) {
    self.before = before
    self.within = within
    self.app = app
  }

  package func concerns(_ entry: HistoryDocument.Entry) -> Bool {
    if let before, entry.at >= before { return false }
    if let app, entry.app != app { return false }
    guard let within else { return true }
    guard let latitude = entry.latitude, let longitude = entry.longitude,
      let place = Coordinate(latitude: latitude, longitude: longitude)
    else { return false }
    return within.contains(place)
  }

  /// Whether the other forgets nothing that this does not.
  func covers(_ other: Self) -> Bool {
    guard within == nil || within == other.within, app == nil || app == other.app else {
      return false
    }
    guard let before else { return true }
    return other.before.map { before >= $0 } ?? false
  }
}

extension StoreChange {
  package mutating func forget(_ keys: [DeliveryKey]) {
    let forgotten = Set(keys)
    dead.removeAll { forgotten.contains($0.pending.key) }
    self.forgotten += keys
  }

  package mutating func forget(_ expiry: LogExpiry) {
    log.removeAll { expiry.concerns($0) }
    expiredLogs.removeAll { expiry.covers($0) }
    if !expiredLogs.contains(where: { $0.covers(expiry) }) { expiredLogs.append(expiry) }
  }

  package mutating func forget(_ expiry: HistoryExpiry) {
    history.removeAll { expiry.concerns($0) }
    expiredHistory.removeAll { expiry.covers($0) }
    if !expiredHistory.contains(where: { $0.covers(expiry) }) { expiredHistory.append(expiry) }
  }
}
