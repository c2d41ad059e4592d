// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import LocationEngine
package import LocationModel
import ServiceContract

/// The form of an engine's state, a delivery, a sink's tally and an app's crashes: JSON in the compiler's `Codable` shape.
package enum SnapshotForm {
  /// Raised whenever a stored property inside the engine changes its meaning; a change of shape alone is detected
  /// anyway.
  package static let version = 2

  package static func encoded(_ snapshot: LocationEngine.Snapshot) throws -> Data {
    try encoder.encode(snapshot)
  }

  package static func engine(_ data: Data) throws -> LocationEngine.Snapshot {
    try decoder.decode(LocationEngine.Snapshot.self, from: data)
  }

  package static func encoded(_ delivery: Delivery) throws -> Data { try encoder.encode(delivery) }

  static func encoded(_ tally: UplinkTally) throws -> Data { try encoder.encode(tally) }

  static func tally(_ data: Data) throws -> UplinkTally {
    try decoder.decode(UplinkTally.self, from: data)
  }

  static func encoded(_ crashes: StoredCrashes) throws -> Data { try encoder.encode(crashes) }

  static func crashes(_ data: Data) throws -> StoredCrashes {
    try decoder.decode(StoredCrashes.self, from: data)
  }

  package static func delivery(_ data: Data) throws -> Delivery {
    try decoder.decode(Delivery.self, from: data)
  }

  // JSON has no infinities and no NaN.
  private static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    // Unchanged values keep their places: `BlobChange` finds long pieces of them.
    encoder.outputFormatting = .sortedKeys
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }()

  private static let decoder: JSONDecoder = {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }()
}
