// SPDX-License-Identifier: Apache-2.0

package import FixFormats
import Glibc
import Host
package import JSONText

/// Reads the map ground under a track: a GeoJSON file, or the data directory of Marble.
package struct GroundFile {
  /// The path in Debian's marble-qt-data.
  package static let marble = "/usr/share/marble/data"

  /// Marble's data directory, if it is installed.
  package static var installed: String? {
    MarbleGround.parts.allSatisfy { access("\(marble)/\($0.path)", R_OK) == 0 } ? marble : nil
  }

  private enum Content {
    case geoJSON(ByteSource)
    case marble
  }

  /// Its name in messages: a file's name, a directory's path.
  package let name: String
  private let path: String
  private let content: Content

  /// Opens a file (`-` is standard input) or a directory. Throws `Complaint` if its first bytes already show that
  /// this is no ground: better now than after a comparison that takes minutes.
  ///
  /// With `stands` it must be a file or a directory: a pipe may let its reader wait forever.
  package init(_ path: String, stands: Bool = false) throws(Complaint) {
    self.path = path
    let kind = Self.kind(of: path)
    if stands, let kind, kind != S_IFREG, kind != S_IFDIR {
      throw Complaint("\(path): neither a file nor a directory; write it to a file, and name that")
    }
    if kind == S_IFDIR {
      name = path
      content = .marble
      for part in MarbleGround.parts where access("\(path)/\(part.path)", R_OK) != 0 {
        throw Complaint(
          "\(path): a directory without \(part.path); name a file of GeoJSON, or the data directory of "
            + "Marble (Debian: marble-qt-data)")
      }
      return
    }
    name = InputName.short(path)
    let source = try ByteSource.open(path: path, name: name)
    let head = try source.peek(64, name: name)
    if let words = Self.strangers.first(where: { head.starts(with: $0.bytes) })?.words {
      throw Complaint("\(name): \(words)")
    }
    // A byte order mark, a record separator and white space may come first.
    let first = head.first { ![0xEF, 0xBB, 0xBF, 0x1E, 0x20, 0x09, 0x0A, 0x0D].contains($0) }
    guard first == UInt8(ascii: "{") else {
      throw Complaint("\(name): no GeoJSON, for it does not begin with '{'; \(Self.advice)")
    }
    content = .geoJSON(source)
  }

  private static let advice =
    "osmium export -f geojson makes such a file of OpenStreetMap's data, ogr2ogr of most others"

  /// File types given by mistake, by their first bytes.
  private static let strangers: [(bytes: [UInt8], words: String)] = [
    ([0x1F, 0x8B], "compressed with gzip; unpack it first: gunzip -c FILE > ground.geojson"),
    (Array("PK".utf8), "a zip archive; unpack it, and make GeoJSON of what is in it: \(advice)"),
    (Array("SQLite format 3".utf8), "a GeoPackage or MBTiles; make GeoJSON of it: \(advice)"),
    (Array("PMTiles".utf8), "PMTiles, which cannot be read; make GeoJSON of the place: \(advice)"),
    ([0x00, 0x00, 0x27, 0x0A], "a shapefile; make GeoJSON of it: \(advice)"),
    ([0x00, 0x00, 0x00], "OpenStreetMap's data as PBF; make GeoJSON of it: \(advice)"),
    (Array("<".utf8), "XML; make GeoJSON of it: \(advice)"),
  ]

  /// The ground of each extent, in one pass over the file; a stream is read once. Throws `Complaint` with the line
  /// at fault, if there is one.
  package func read(for extents: [GroundExtent]) throws(Complaint) -> [GroundSheet] {
    guard case .geoJSON(let source) = content else { return try Self.marble(path, extents) }
    try source.rewind(name: name)
    var reader = GeoJSONGround(extents)
    var buffer = [UInt8](repeating: 0, count: TraceFile.chunkLength)
    while true {
      let count = try source.read(into: &buffer, name: name)
      do throws(InputError) {
        if count == 0 { return try reader.finishSheets() }
        try reader.decode(buffer.span.extracting(0..<count))
      } catch {
        throw Complaint(error, in: name)
      }
    }
  }

  private static func marble(
    _ directory: String, _ extents: [GroundExtent]
  ) throws(Complaint) -> [GroundSheet] {
    var reader = MarbleGround(extents)
    for part in MarbleGround.parts {
      let path = "\(directory)/\(part.path)"
      guard let bytes = SmallFile.bytes(of: path, limit: MarbleGround.sizeLimit) else {
        throw Complaint(
          "\(path): cannot be read, or is larger than \(MarbleGround.sizeLimit >> 20) MB")
      }
      do throws(InputError) {
        try reader.takeBytes(bytes, of: part)
      } catch {
        throw Complaint(error, in: path)
      }
    }
    return reader.finishSheets()
  }

  /// Its kind (inode(7)); `nil` if it does not exist.
  private static func kind(of path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }
}
