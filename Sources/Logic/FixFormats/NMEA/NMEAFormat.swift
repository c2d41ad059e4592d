// SPDX-License-Identifier: Apache-2.0

extension TraceFormat {
  package static let nmea = TraceFormat(
    "nmea", name: "NMEA 0183", encoder: NMEAWriter.self, decoder: NMEADecoder.init(options:)
  ) { sample in NMEASniffer.recognises(sample.raw.span) ? .pieces : .none }
}
