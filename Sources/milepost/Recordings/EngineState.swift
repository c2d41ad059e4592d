// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import LocationEngine

/// The engine that a recording of a restarted service begins with, as the service wrote it.
enum EngineState {
  /// The snapshot that `text` is; `nil` where this release's engine has another shape.
  static func snapshot(_ text: String) -> LocationEngine.Snapshot? {
    let decoder = JSONDecoder()
    // JSON has no infinities and no NaN.
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try? decoder.decode(LocationEngine.Snapshot.self, from: Data(text.utf8))
  }
}
