// SPDX-License-Identifier: Apache-2.0

extension TraceFormat {
  package static let csv = TraceFormat(
    "csv", name: "CSV", encoder: CSVWriter.self, decoder: CSVDecoder.init(options:)
  ) { sample throws(TraceError) in
    guard sample.json == nil, let first = sample.lines.first.map(Array.init) else { return .none }
    return try CSVDecoder.header(first.span) == nil ? .none : .head
  }
}
