// SPDX-License-Identifier: Apache-2.0

package import FixFormats

extension TraceFormat {
  package static let gpx = TraceFormat(
    "gpx", name: "GPX", encoder: GPXWriter.self, decoder: GPXDecoder.init(options:)
  ) { $0.xmlRoot?.lowercased() == "gpx" ? .beginning : .none }
}
