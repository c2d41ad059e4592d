// SPDX-License-Identifier: Apache-2.0

/// A format of traces: how it is told, read and written.
///
/// A format is one folder, which holds a constant of this type, and one line of the catalogue
/// (`TraceFormat.all` in TraceFiles). Recognition, help, options and hints come from there.
package struct TraceFormat: Sendable, Equatable {
  /// What documents and options call it, and the ending of its files' names.
  package let identifier: String
  /// What people call it.
  package let name: String
  /// Whether it is named to people among what is read.
  package let isListed: Bool
  /// How much an input looks like it; throws where it is told to be something else.
  package let likeness: @Sendable (TraceSample) throws(TraceError) -> Likeness
  private let makeDecoder: @Sendable (DecodingOptions) -> any TraceDecoder
  /// How it is written; `nil` where it is only read.
  package let output: OutputFormat?

  package init(
    _ identifier: String, name: String, isListed: Bool = true,
    encoder: (any TraceEncoder.Type)? = nil,
    decoder: @escaping @Sendable (DecodingOptions) -> any TraceDecoder,
    likeness: @escaping @Sendable (TraceSample) throws(TraceError) -> Likeness
  ) {
    (self.identifier, self.name, self.isListed) = (identifier, name, isListed)
    (makeDecoder, self.likeness) = (decoder, likeness)
    output = encoder.map { OutputFormat(identifier: identifier, name: name, encoder: $0) }
  }

  /// A new decoder. It is called once per chunk, so that the existential costs nothing.
  package func decoder(options: DecodingOptions) -> any TraceDecoder { makeDecoder(options) }

  package static func == (a: Self, b: Self) -> Bool { a.identifier == b.identifier }

  /// How surely an input is of a format; the surest format wins, among equals the first.
  package enum Likeness: Int, Comparable, Sendable {
    case none
    /// Pieces of it stand anywhere in the text.
    case pieces
    /// A line further down is of it.
    case line
    /// The first line, or the first object, is of it.
    case head
    /// Nothing else begins like that, not even an archive or another program's file.
    case beginning

    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  /// How many bytes `recognise` should be given where the input has that many.
  package static let prefixLength = 65_536

  /// Tells the format of an input by its first bytes; the file's name does not count. Byte order marks,
  /// blank lines, `#` lines and a broken first line do not matter.
  ///
  /// Throws `unrecognised` or `binary` with what the input seems to be and what to do.
  package static func recognise(
    _ prefix: borrowing Span<UInt8>, among formats: [TraceFormat]
  ) throws(TraceError) -> TraceFormat {
    let sample = TraceSample(prefix)
    var best: TraceFormat?
    var likeness = Likeness.none
    for format in formats {
      let own = try format.likeness(sample)
      if own > likeness { (best, likeness) = (format, own) }
    }
    if let best, likeness == .beginning { return best }
    if let advice = ForeignFormat.advice(sample) { throw TraceError(.unrecognised, advice) }
    if let best { return best }
    if let binary = BinaryProtocol.recognise(prefix) { throw binary.refusal }
    let names = Self.names(of: formats.filter(\.isListed).map(\.name))
    throw TraceError(
      .unrecognised,
      sample.looksBinary
        ? "binary data of an unknown kind; \(names) are read (what gpsd understands can be played "
          + "through gpsd: gpsfake, then gpspipe -w)"
        : "text in no known trace format; \(names) are read, CSV with a header line that names latitude "
          + "and longitude")
  }

  /// Several names as a phrase: `GPX, CSV and JSON lines`.
  package static func names(of names: [String], _ word: String = "and") -> String {
    names.dropLast().joined(separator: ", ") + " \(word) " + (names.last ?? "")
  }
}

/// A format in which traces are written.
package struct OutputFormat: Sendable, Equatable {
  /// What options call it, and the ending of its files' names.
  package let identifier: String
  /// What people call it.
  package let name: String
  package let encoder: any TraceEncoder.Type

  package static func == (a: Self, b: Self) -> Bool { a.identifier == b.identifier }

  /// What of every fix the format cannot say, as phrases; see `TraceEncoder`.
  package var loses: [String] { encoder.loses }

  /// Whether a fix without a time is left out.
  package var needsTimes: Bool { encoder.needsTimes }
}
