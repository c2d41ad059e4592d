// SPDX-License-Identifier: Apache-2.0

package import ControlProtocol
import Geodesy
package import LocationEngine
package import LocationModel

// Theory
// ======
//
// Within a change, deletions precede the additions to the log, the given-up deliveries and the history: so deleted data
// are also taken out of data still to be written, here and in the carried-over change.

/// The rows of one log (`nil`: the service's) to delete.
package struct LogExpiry: Sendable, Equatable, Codable {
  package var app: AppID?
  /// UTC of the host: rows written before.
  package var before: UTCInstant

  package init(app: AppID?, before: UTCInstant) {
    self.app = app
    self.before = before
  }

  fileprivate func concerns(_ row: LogRow) -> Bool { row.app == app && row.at < before }

  /// Whether this deletes everything that the other does.
  func covers(_ other: Self) -> Bool { app == other.app && before >= other.before }
}

/// The entries of the history to delete; a member that is left out does not restrict.
package struct HistoryExpiry: Sendable, Equatable, Codable {
  /// UTC of the host: entries before.
  package var before: UTCInstant?
  /// Positions within this circle.
  package var within: ForgottenPlaces.Circle?
  /// Entries of one app, by its name; positions belong to none.
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

  /// Whether this deletes everything that the other does.
  func covers(_ other: Self) -> Bool {
    guard within == nil || within == other.within, app == nil || app == other.app else {
      return false
    }
    guard let before else { return true }
    return other.before.map { before >= $0 } ?? false
  }
}

extension StoreChange {
  package mutating func forgetDeliveries(_ keys: [DeliveryKey]) {
    let forgotten = Set(keys)
    dead.removeAll { forgotten.contains($0.pending.key) }
    self.forgotten += keys
  }

  package mutating func forgetLog(_ expiry: LogExpiry) {
    log.removeAll { expiry.concerns($0) }
    expiredLogs.removeAll { expiry.covers($0) }
    if !expiredLogs.contains(where: { $0.covers(expiry) }) { expiredLogs.append(expiry) }
  }

  package mutating func forgetHistory(_ expiry: HistoryExpiry) {
    history.removeAll { expiry.concerns($0) }
    expiredHistory.removeAll { expiry.covers($0) }
    if !expiredHistory.contains(where: { $0.covers(expiry) }) { expiredHistory.append(expiry) }
  }
}
