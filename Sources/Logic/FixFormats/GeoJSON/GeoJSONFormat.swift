// SPDX-License-Identifier: Apache-2.0

extension TraceFormat {
  package static let geojson = TraceFormat(
    "geojson", name: "GeoJSON", encoder: GeoJSONWriter.self, decoder: GeoJSONDecoder.init(options:)
  ) { $0.json == .geometry ? .head : .none }
}
