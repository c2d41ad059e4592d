// SPDX-License-Identifier: Apache-2.0

import FixFormats
import JSONText
import LocationModel
package import ServiceContract
package import ServiceCore

/// The first line of a recording: all that the service's decisions depend on besides the inputs.
package struct RecordingHeader: Sendable, Equatable {
  /// The deciding version of Milepost.
  package var release: String
  /// The service's initial state, and its time.
  package var beginning: ServiceBeginning
  package var started: ServiceTime

  package init(_ beginning: ServiceBeginning, at time: ServiceTime) {
    release = beginning.settings.release
    self.beginning = beginning
    started = time
  }

  init(_ line: [UInt8]) throws(InputError) {
    let opening = try RecordingForm.readValue(Opening.self, line)
    guard opening.class == RecordingForm.name else {
      throw InputError("not a recording: its class is not \(RecordingForm.name)")
    }
    let maker = "release \(opening.release?.prefix(20) ?? "?")"
    guard opening.version == RecordedFixDecoder.version else {
      let version = opening.version.map(String.init) ?? "?"
      throw InputError(
        "a recording of version \(version), and this release reads version \(RecordedFixDecoder.version); replay it "
          + "with \(maker), which made it")
    }
    do throws(InputError) {
      self = try RecordingForm.readValue(RecordingHeader.self, line)
    } catch {
      throw InputError(
        "\(maker) kept what the service begins with in another form (\(error.message)); replay it with "
          + "that release")
    }
  }

  private struct Opening: Decodable {
    let `class`: String?
    let version: Int?
    let release: String?
  }
}

extension RecordingHeader: Codable {
  private enum CodingKeys: String, CodingKey {
    case `class`, release
    case beginning = "service"
    case at = "started_at_us"
    case utc = "started_utc_us"
    case version
  }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    release = try values.decode(String.self, forKey: .release)
    beginning = try values.decode(ServiceBeginning.self, forKey: .beginning)
    started = ServiceTime(
      at: EngineInstant(microseconds: try values.microseconds(.at)),
      utc: UTCInstant(microseconds: try values.microseconds(.utc)))
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(RecordingForm.name, forKey: .class)
    try values.encode(release, forKey: .release)
    try values.encode(beginning, forKey: .beginning)
    try values.encode(started.at.microseconds, forKey: .at)
    try values.encode(started.utc.microseconds, forKey: .utc)
    try values.encode(RecordedFixDecoder.version, forKey: .version)
  }
}
