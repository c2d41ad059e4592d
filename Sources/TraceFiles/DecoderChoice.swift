// SPDX-License-Identifier: Apache-2.0

package import FixFormats
import GPXFormat

extension InputFormat {
  /// A new decoder of this format. It is called once per chunk, so that the existential costs nothing.
  package func decoder(options: DecodingOptions) -> any TraceDecoder {
    switch self {
    case .nmea: NMEADecoder(options: options)
    case .gpx: GPXDecoder(options: options)
    case .gpsdJSON: GPSDJSONDecoder(options: options)
    case .geojson: GeoJSONDecoder(options: options)
    case .csv: CSVDecoder(options: options)
    case .jsonl: JSONLinesDecoder(options: options)
    case .recording: RecordedFixDecoder(options: options)
    }
  }
}
