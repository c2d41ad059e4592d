// SPDX-License-Identifier: Apache-2.0

import FixFormats
import LocationModel

/// A sentence with its checksum and CR LF.
func sentence(_ body: String) -> String {
  let sum = body.utf8.reduce(UInt8(0), ^)
  let digits = String(sum, radix: 16, uppercase: true)
  return "$" + body + "*" + (sum < 16 ? "0" : "") + digits + "\r\n"
}

/// The result of a log.
struct Decoded: Equatable {
  var events: [TraceEvent] = []
  var ledger = TraceLedger(unit: .lines)

  var fixes: [Fix] {
    events.compactMap { if case .fix(let fix, _) = $0 { fix } else { nil } }
  }
  var times: [String] { fixes.map { $0.time?.rfc3339 ?? "-" } }
  var voids: [String] {
    events.compactMap { if case .noFix(let time, _) = $0 { time?.rfc3339 ?? "-" } else { nil } }
  }
  var segmentEnds: Int {
    events.count { if case .segmentEnd = $0 { true } else { false } }
  }
  /// read − used − skipped: 0 if the totals add up.
  var unaccounted: Int { ledger.read - ledger.used - ledger.skipped.values.reduce(0, +) }

  func finding(_ kind: String) -> TraceLedger.Finding? { ledger.findings.first { $0.kind == kind } }
}

func decode(
  _ bytes: [UInt8], chunk: Int = 65_536, _ change: (inout DecodingOptions) -> Void = { _ in }
) throws -> Decoded {
  var options = DecodingOptions()
  change(&options)
  var decoder = NMEADecoder(options: options)
  var result = Decoded()
  var start = 0
  while start < bytes.count {
    let end = min(bytes.count, start + chunk)
    try decoder.decode(bytes.span.extracting(start..<end), into: &result.events)
    start = end
  }
  try decoder.finish(into: &result.events)
  result.ledger = decoder.ledger
  return result
}

func decode(_ text: String, _ change: (inout DecodingOptions) -> Void = { _ in }) throws -> Decoded
{
  try decode(Array(text.utf8), change)
}

/// RMC with a position near Berlin; `latitude` are ten-thousandths of minutes over 52°30'.
func rmc(
  _ time: String, _ date: String, talker: String = "GP", status: String = "A", minutes: Int = 0
) -> String {
  let fraction = String(String(10_000 + minutes).dropFirst())
  return sentence(
    "\(talker)RMC,\(time),\(status),5230.\(fraction),N,01324.3540,E,10.0,90.0,\(date),,")
}

func gga(_ time: String, talker: String = "GP", quality: Int = 1, minutes: Int = 0) -> String {
  let fraction = String(String(10_000 + minutes).dropFirst())
  return sentence(
    "\(talker)GGA,\(time),5230.\(fraction),N,01324.3540,E,\(quality),08,1.1,34.5,M,44.9,M,,")
}

/// `NMEASniffer` on an array; a span cannot be used in an expectation.
func isNMEA(_ bytes: [UInt8]) -> Bool { NMEASniffer.recognises(bytes.span) }

func binaryProtocol(_ bytes: [UInt8]) -> BinaryProtocol? { BinaryProtocol.recognise(bytes.span) }

/// The reason why a log cannot be read, or `nil` if it can.
func refusal(of bytes: [UInt8]) -> TraceError.Code? {
  let outcome = Result { try decode(bytes) { $0.allowsUndated = true } }
  if case .failure(let error) = outcome { return (error as? TraceError)?.code }
  return nil
}
