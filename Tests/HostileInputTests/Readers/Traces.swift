// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import LocationModel
import TraceFiles

extension HostileReader {
  static let traces: [HostileReader] = decoders + [conversion, traceBeginning]

  /// The decoder of each format. Promised: any pieces give the same events and the same account, everything read is
  /// accounted for, and a fix is a possible one.
  private static let decoders = TraceFormat.all.map { format in
    HostileReader("trace-\(format.identifier)", of: ["FixFormats", "GPXFormat", "JSONText"]) {
      bytes in
      let options = DecodingOptions(chosenBy: bytes.count)
      let whole = TraceReading(bytes, format, options, inPieces: false)
      let parts = TraceReading(bytes, format, options, inPieces: true)
      // If a byte of a character is missing at a piece's end, expat reports the fault later, and so in other words.
      try promise(
        whole.failure?.code == parts.failure?.code, "\(whole.failure as Any) in one piece")
      try promise(whole.events == parts.events, "other events in pieces")
      try promise(whole.ledger == parts.ledger, "another account in pieces")
      for case .fix(let fix, let line) in whole.events {
        try promise(fix.isPossible && line > 0, "line \(line) makes \(fix)")
      }
      guard whole.failure == nil else { return }
      let ledger = whole.ledger
      try promise(
        ledger.read == ledger.used + ledger.skipped.values.reduce(0, +),
        "\(ledger.read) read, \(ledger.used) used, skipped \(ledger.skipped)")
    }
  }

  /// Recognizing the format, reading, writing in every format, and reading that. Promised: output can be read, and in
  /// the formats that keep points apart no fix is lost.
  private static let conversion = HostileReader(
    "conversion", of: ["FixFormats", "GPXFormat", "JSONText"]
  ) { bytes in
    guard let format = try? TraceFormat.recognise(bytes.span) else { return }
    var options = DecodingOptions()
    options.allowsUndated = true
    let read = TraceReading(bytes, format, options, inPieces: false)
    for output in OutputFormat.all {
      var writer = output.encoder.init()
      var text: [UInt8] = []
      writer.begin(into: &text)
      for event in read.events { writer.encode(event, into: &text) }
      writer.finish(into: &text)
      guard let own = TraceFormat.all.first(where: { $0.identifier == output.identifier }) else {
        throw BrokenPromise(description: "\(output.name) is written and not read")
      }
      let again = TraceReading(text, own, options, inPieces: false)
      for line in text.split(separator: 10) where output.identifier == "nmea" {
        try promise(line.count < NMEAWriter.longest, "a sentence of \(line.count + 1) characters")
      }
      // A format may refuse a file without any fix.
      let fixes = read.events.count(where: \.isFix)
      let dropped =
        output.identifier == "nmea"
        ? writer.dropped.filter {
          $0.key.hasPrefix("fixes without") || $0.key.hasPrefix("fixes of")
        }
        : output.needsTimes ? writer.dropped : [:]
      let kept = fixes - dropped.values.reduce(0, +)
      guard kept > 0 else { continue }
      try promise(again.failure == nil, "\(output.name) as written: \(again.failure as Any)")
      try promise(
        again.events.count(where: \.isFix) + (again.ledger.skipped["position repeated"] ?? 0)
          == kept,
        "\(kept) fixes written as \(output.name), \(again.events.count(where: \.isFix)) read")
    }
  }

  /// The format recognized from the first bytes.
  private static let traceBeginning = HostileReader("trace-beginning", of: ["FixFormats"]) {
    bytes in
    do throws(TraceError) {
      _ = try TraceFormat.recognise(bytes.span)
    } catch {
      try promise(!error.message.isEmpty, "refused without a word")
    }
  }
}

/// The result of reading a trace.
private struct TraceReading {
  var events: [TraceEvent] = []
  var failure: TraceError?
  let ledger: TraceLedger

  init(
    _ bytes: [UInt8], _ format: TraceFormat, _ options: DecodingOptions, inPieces: Bool
  ) {
    var decoder = format.decoder(options: options)
    do throws(TraceError) {
      if inPieces {
        for piece in bytes.pieces { try decoder.decode(piece.span, into: &events) }
      } else {
        try decoder.decode(bytes.span, into: &events)
      }
      try decoder.finish(into: &events)
    } catch {
      failure = error
    }
    ledger = decoder.ledger
  }
}

extension DecodingOptions {
  fileprivate init(chosenBy count: Int) {
    self.init()
    allowsUndated = count % 5 != 0
    strict = count % 8 == 7
    fixWeekRollover = count % 2 == 1
    pointInterval = count % 3 == 0 ? 1 : nil
    date = count % 4 == 1 ? CivilDate(year: 2026, month: 11, day: 23) : nil
  }
}

extension TraceEvent {
  fileprivate var isFix: Bool { if case .fix = self { true } else { false } }
}

extension Fix {
  /// Whether everything is in the range that its comment states.
  fileprivate var isPossible: Bool {
    let unsigned = [
      horizontalAccuracy, verticalAccuracy, speed, hdop, speedAccuracy, courseAccuracy,
    ].compactMap(\.self)
    let signed = [altitude, ellipsoidalHeight].compactMap(\.self)
    return (-90...90).contains(coordinate.latitude) && (-180...180).contains(coordinate.longitude)
      && unsigned.allSatisfy { $0.isFinite && $0 >= 0 } && signed.allSatisfy(\.isFinite)
      && horizontalAccuracy != 0 && verticalAccuracy != 0 && speedAccuracy != 0
      && courseAccuracy.map { $0 > 0 && $0 <= 180 } ?? true
      && course.map { (0..<360).contains($0) } ?? true && satellites.map { $0 >= 0 } ?? true
  }
}
