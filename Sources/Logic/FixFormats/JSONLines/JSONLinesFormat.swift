// SPDX-License-Identifier: Apache-2.0

extension TraceFormat {
  package static let jsonl = TraceFormat(
    "jsonl", name: "JSON lines", encoder: JSONLinesWriter.self,
    decoder: JSONLinesDecoder.init(options:)
  ) { $0.json == .position ? .head : .none }
}
