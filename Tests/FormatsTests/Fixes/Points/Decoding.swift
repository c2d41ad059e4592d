// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Foundation
import LocationModel

/// All events of a text fed in pieces of `chunk` bytes, and the account.
func decoded(
  _ decoder: any TraceDecoder, _ bytes: [UInt8], chunk: Int = .max
) throws -> (events: [TraceEvent], ledger: TraceLedger) {
  var decoder = decoder
  var events: [TraceEvent] = []
  var start = 0
  while start < bytes.count {
    let end = chunk == .max ? bytes.count : min(bytes.count, start + chunk)
    let piece = Array(bytes[start..<end])
    try decoder.decode(piece.span, into: &events)
    start = end
  }
  try decoder.finish(into: &events)
  return (events, decoder.ledger)
}

func decoded(
  _ decoder: any TraceDecoder, _ text: String
) throws -> (events: [TraceEvent], ledger: TraceLedger) {
  try decoded(decoder, Array(text.utf8))
}

/// The fixes among events.
func positions(_ events: [TraceEvent]) -> [Fix] {
  events.compactMap { if case .fix(let fix, _) = $0 { fix } else { nil } }
}

/// The bytes of a file of the corpus of real traces, or `nil` where it is not here.
func realTrace(_ name: String) -> [UInt8]? {
  let environment = ProcessInfo.processInfo.environment["MILEPOST_CORPUS"]
  var folder = URL(fileURLWithPath: #filePath)
  for _ in 0..<6 { folder.deleteLastPathComponent() }
  folder.appendPathComponent("shared/corpus/public")
  if let environment { folder = URL(fileURLWithPath: environment) }
  return (try? Data(contentsOf: folder.appendingPathComponent(name))).map(Array.init)
}

/// Whether every place to cut `text` in two gives the same events and account.
func isIndifferentToCuts(
  _ make: () -> any TraceDecoder, _ text: String
) throws -> Bool {
  let bytes = Array(text.utf8)
  let whole = try decoded(make(), bytes)
  for cut in 0...bytes.count {
    var decoder = make()
    var events: [TraceEvent] = []
    let (head, tail) = (Array(bytes[..<cut]), Array(bytes[cut...]))
    try decoder.decode(head.span, into: &events)
    try decoder.decode(tail.span, into: &events)
    try decoder.finish(into: &events)
    if events != whole.events || decoder.ledger != whole.ledger { return false }
  }
  return true
}
