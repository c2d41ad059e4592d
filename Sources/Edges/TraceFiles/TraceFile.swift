// SPDX-License-Identifier: Apache-2.0

package import FixFormats
import Glibc
import JSONText

/// A trace in a file or on stdin (`-`), which can be read as often as requested, in bounded memory.
///
/// The format is recognized by content when the file is opened. A pipe or a terminal cannot be read twice; if it must
/// be, it is copied then (`Spool`).
package struct TraceFile {
  /// The number of bytes that are decoded at a time.
  package static let chunkLength = 131_072

  /// Its name in messages: the last part of its path, or `stdin`.
  package let name: String
  package let format: TraceFormat
  /// The conversion through which it is read; then `format` is that of its result.
  package let conversion: TraceConversion?
  private let source: ByteSource

  /// Whether it is a live stream from a pipe or a terminal, and is read once.
  package var isStream: Bool { source.isStream }

  /// The number of times that a trace is read.
  package enum Reading: Sendable, Equatable {
    /// Once from its first byte to its last, as it comes.
    case once
    /// Any number of times; a copy of a stream is kept.
    case again(Spool)
  }

  /// Opens the file and recognises its format; throws `Complaint`.
  package init(path: String, reading: Reading = .again(.usual)) throws {
    name = InputName.short(path)
    var source = try ByteSource.open(path: path, name: InputName.full(path))
    var prefix = try source.peek(TraceFormat.prefixLength, name: name) {
      (try? TraceFormat.recognise($0.span)) != nil
    }
    // What no decoder reads another program may.
    let isUnread = (try? TraceFormat.recognise(prefix.span)) == nil
    var conversion = isUnread ? Self.conversion(of: prefix) : nil
    if conversion != nil {
      let unread = try source.repeatable(by: .usual, name: name)
      while let next = conversion {
        source = try unread.converted(by: next, name: name)
        prefix = try source.peek(TraceFormat.prefixLength, name: name)
        guard let other = next.unfiltered, !Self.hasTrack(prefix) else { break }
        conversion = other
      }
    }
    self.conversion = conversion
    do throws(TraceError) {
      format = try TraceFormat.recognise(prefix.span)
    } catch {
      throw Complaint(error.asInput, in: name)
    }
    self.source =
      switch reading {
      case .once: source
      case .again(let spool): try source.repeatable(by: spool, name: name)
      }
  }

  /// The conversion of an input that is possible here.
  private static func conversion(of prefix: [UInt8]) -> TraceConversion? {
    TraceConversion.recognise(prefix.span).flatMap {
      $0.programs.allSatisfy(FilterProgram.isInstalled) ? $0 : nil
    }
  }

  /// Whether a point of a track is in the beginning of a GPX file.
  private static func hasTrack(_ prefix: [UInt8]) -> Bool {
    String(decoding: prefix, as: UTF8.self).contains("<trkpt")
  }

  /// Decodes the whole trace; only once if it was opened for that. `body` gets the events chunk by chunk in an array
  /// that it may empty or not: it is emptied before the next chunk and its memory reused.
  ///
  /// `progress` gets the fraction of the bytes that were read, or `nil` if the length is unknown. Throws
  /// `Complaint` and the errors of `body`. Returns the complete account.
  package func read(
    options: DecodingOptions, progress: ((Double?) -> Void)? = nil,
    _ body: (_ events: inout [TraceEvent]) throws -> Void
  ) throws -> TraceLedger {
    try source.rewind(name: name)
    var decoder = format.decoder(options: options)
    var events: [TraceEvent] = []
    var buffer = [UInt8](repeating: 0, count: Self.chunkLength)
    var done = 0
    while true {
      let count = try source.read(into: &buffer, name: name)
      do throws(TraceError) {
        if count == 0 {
          try decoder.finish(into: &events)
        } else {
          try decoder.decode(buffer.span.extracting(0..<count), into: &events)
        }
      } catch {
        throw Complaint(error.asInput, in: name)
      }
      if !events.isEmpty { try body(&events) }
      events.removeAll(keepingCapacity: true)
      done += count
      progress?(source.length.map { $0 == 0 ? 1 : min(1, Double(done) / Double($0)) })
      if count == 0 { return decoder.ledger }
    }
  }

  /// Hands over the raw bytes, chunk by chunk, for content that is more than a trace.
  ///
  /// Throws `Complaint` and the errors of `body`.
  package func readBytes(_ body: (borrowing Span<UInt8>) throws -> Void) throws {
    try source.rewind(name: name)
    var buffer = [UInt8](repeating: 0, count: Self.chunkLength)
    while true {
      let count = try source.read(into: &buffer, name: name)
      if count == 0 { return }
      try body(buffer.span.extracting(0..<count))
    }
  }

  /// The path of a trace's truth: `X.truth.csv` beside `X.gpx`; `nil` for stdin or if there is no such file.
  package static func truthPath(beside path: String) -> String? {
    guard path != "-" else { return nil }
    var stem = path[...]
    let name = path.split(separator: "/").last ?? path[...]
    if let dot = name.lastIndex(of: "."), dot != name.startIndex { stem = path[..<dot] }
    let truth = stem + ".truth.csv"
    return access(String(truth), R_OK) == 0 ? String(truth) : nil
  }
}
