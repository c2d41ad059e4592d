// SPDX-License-Identifier: Apache-2.0

/// A format that gpsbabel makes GPX of.
///
/// Programs run as filters, each on the output of the one before; gpsbabel reads `/dev/stdin` and not `-`, since it asks
/// for a FIT file's size.
package struct TraceConversion: Sendable, Equatable {
  /// The name of the format, with its article.
  package let name: String
  /// gpsbabel's name for it.
  private let type: String
  /// What is done between reading and writing.
  private let filter: [String]
  /// What unpacks it first; `FILE` stands for the input.
  private let unpacking: [String]

  private init(_ name: String, _ type: String, filter: [String] = [], unpacking: [String] = []) {
    (self.name, self.type, self.filter, self.unpacking) = (name, type, filter, unpacking)
  }

  static let fit = TraceConversion("a FIT activity", "garmin_fit")
  static let tcx = TraceConversion("TCX", "gtrnctr")
  static let kml = TraceConversion("KML", "kml")
  static let kmz = TraceConversion("KMZ", "kml", unpacking: ["unzip", "-p", "FILE", "*.kml"])
  static let gdb = TraceConversion("a MapSource database", "gdb")
  /// gpsbabel makes two tracks of a flight, one by each altitude; each has the whole way. The receiver's is there unless
  /// the recorder knew that of the pressure alone.
  static let igc = TraceConversion(
    "an IGC flight record", "igc", filter: ["-x", "track,name=GNSSALTTRK"])

  /// The conversion of an input that no decoder reads; `nil` if there is none.
  package static func recognise(_ prefix: borrowing Span<UInt8>) -> TraceConversion? {
    ForeignFormat.conversion(TraceSample(prefix))
  }

  /// The programs in order, each with its arguments; the first reads `file`, which is also on its standard input.
  package func commands(reading file: String) -> [[String]] {
    let unpack = unpacking.map { $0 == "FILE" ? file : $0 }
    let input = unpack.isEmpty ? file : "/dev/stdin"
    let convert = ["gpsbabel", "-i", type, "-f", input] + filter + ["-o", "gpx", "-F", "-"]
    return unpack.isEmpty ? [convert] : [unpack, convert]
  }

  /// The same without what is done in between, for a file in which that finds nothing; `nil` if there is nothing to
  /// leave out.
  package var unfiltered: TraceConversion? {
    filter.isEmpty ? nil : TraceConversion(name, type, unpacking: unpacking)
  }

  /// The names of the programs.
  package var programs: [String] { commands(reading: "").map { $0[0] } }

  /// `an IGC flight record, read by gpsbabel -i igc -x track,name=GNSSALTTRK -o gpx`.
  package var account: String {
    let unpack = unpacking.isEmpty ? "" : "\(unpacking[0]) and "
    return "\(name), read by \(unpack)"
      + (["gpsbabel", "-i", type] + filter + ["-o", "gpx"]).joined(separator: " ")
  }

  /// What to do without the programs.
  package var advice: String {
    let unpack = unpacking.isEmpty ? "" : "unzip -p FILE '*.kml' | "
    let convert =
      ["gpsbabel", "-i", type, "-f", unpacking.isEmpty ? "FILE" : "-"] + filter
      + ["-o", "gpx", "-F", "trace.gpx"]
    return
      "\(name); with \(programs.joined(separator: " and ")) installed it is read as it is; else convert it to GPX "
      + "first: \(unpack)\(convert.joined(separator: " "))"
  }
}
