// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract

/// A change of the store as it stands in a recording: what there is of it, and of the engine's state only
/// whether it was written.
struct WrittenChange: Encodable {
  let change: StoreChange

  private enum CodingKeys: String, CodingKey {
    case addedApps, removedApps, authorizations, deliveries, acknowledged, failures, dropped, runs
    case dead, revived, log, engine, moment, energy
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    func encode<Row: Encodable>(_ rows: [Row], _ key: CodingKeys) throws {
      if !rows.isEmpty { try values.encode(rows, forKey: key) }
    }
    try encode(change.addedApps, .addedApps)
    try encode(change.removedApps, .removedApps)
    try encode(change.authorizations.map { Row(app: $0.0, to: $0.1) }, .authorizations)
    try encode(change.deliveries, .deliveries)
    try encode(change.acknowledged.map { Row(app: $0.0, number: $0.1) }, .acknowledged)
    try encode(
      change.failures.map { Row(app: $0.0, number: $0.1, count: $0.2) }, .failures)
    try encode(change.dropped.map { Row(app: $0.0, number: $0.1) }, .dropped)
    try encode(change.runs, .runs)
    try encode(change.dead, .dead)
    try encode(change.revived, .revived)
    try encode(change.log, .log)
    if change.engine != nil { try values.encode(true, forKey: .engine) }
    try values.encodeIfPresent(change.moment, forKey: .moment)
    try values.encodeIfPresent(change.energy, forKey: .energy)
  }

  private struct Row: Encodable {
    let app: AppID
    var to: Authorization?
    var number: UInt64?
    var count: Int?
  }
}
