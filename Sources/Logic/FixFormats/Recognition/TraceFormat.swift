// SPDX-License-Identifier: Apache-2.0

/// A format of traces: its recognition, reading and writing.
///
/// A format is one folder, which holds a constant of this type, and one line of the catalogue
/// (`TraceFormat.all` in TraceFiles). Recognition, help, options and hints come from there.
package struct TraceFormat: Sendable, Equatable {
  /// The name in documents and options, and the ending of its files' names.
  package let identifier: String
  /// The name for people.
  package let name: String
  /// Whether it is listed for people among the readable formats.
  package let isListed: Bool
  /// The likeness of an input to it; throws if it is recognised as something else.
  package let likeness: @Sendable (TraceSample) throws(TraceError) -> Likeness
  private let makeDecoder: @Sendable (DecodingOptions) -> any TraceDecoder
  /// The writer; `nil` if it is only read.
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

  /// A new decoder. It is called once per chunk, so the existential costs nothing.
  package func decoder(options: DecodingOptions) -> any TraceDecoder { makeDecoder(options) }

  package static func == (a: Self, b: Self) -> Bool { a.identifier == b.identifier }

  /// The certainty that an input has a format; the surest format wins, among equals the first.
  package enum Likeness: Int, Comparable, Sendable {
    case none
    /// Pieces of it anywhere in the text.
    case pieces
    /// A line further down matches.
    case line
    /// The first line, or the first object, matches.
    case head
    /// A beginning unique to it, even among archives and other programs' files.
    case beginning

    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  /// The number of bytes to give to `recognise` if the input has that many.
  package static let prefixLength = 65_536

  /// Recognises the format of an input by its first bytes; the file's name does not count. Byte order
  /// marks, blank lines, `#` lines and a broken first line do not matter.
  ///
  /// Throws `unrecognised` or `binary` with the apparent kind of the input and a remedy.
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

/// A format for writing traces.
package struct OutputFormat: Sendable, Equatable {
  /// The name in options, and the ending of its files' names.
  package let identifier: String
  /// The name for people.
  package let name: String
  package let encoder: any TraceEncoder.Type

  package static func == (a: Self, b: Self) -> Bool { a.identifier == b.identifier }

  /// The values that the format loses from every fix, as phrases; see `TraceEncoder`.
  package var loses: [String] { encoder.loses }

  /// Whether a fix without a time is left out.
  package var needsTimes: Bool { encoder.needsTimes }
}
