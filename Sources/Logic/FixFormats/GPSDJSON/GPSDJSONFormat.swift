// SPDX-License-Identifier: Apache-2.0

extension TraceFormat {
  package static let gpsdJSON = TraceFormat(
    "gpsd-json", name: "gpsd JSON", decoder: GPSDJSONDecoder.init(options:)
  ) { sample in
    if sample.json == .classed { return .head }
    // gpsd's regression logs begin with NMEA.
    let isLog = sample.lines.contains { line in
      line.starts(with: "{\"class\":\"".utf8) && JSONKeys.kind(Array(line)) == .classed
    }
    return isLog ? .line : .none
  }
}
