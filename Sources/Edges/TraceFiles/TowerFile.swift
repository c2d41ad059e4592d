// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import Replay

/// Reading a list of cell towers.
package enum TowerFile {
  /// The towers of the list at `path` (`-` is stdin) that a track within `area` can hear.
  ///
  /// The file is streamed, and only these are kept. Throws `Complaint` with the line if one is malformed; a list
  /// without any tower in reach is no error here.
  package static func readTowers(
    _ path: String, near area: TrackArea
  ) throws(Complaint) -> TowerListDecoder.Found {
    let name = InputName.short(path)
    let source = try ByteSource.open(path: path, name: InputName.full(path))
    var decoder = TowerListDecoder(near: area)
    var buffer = [UInt8](repeating: 0, count: TraceFile.chunkLength)
    var isBegun = false
    while true {
      let count = try source.read(into: &buffer, name: name)
      if !isBegun, buffer.prefix(count).starts(with: [0x1F, 0x8B]) {
        throw Complaint(
          "\(name): compressed with gzip, as OpenCelliD gives its lists; unpack it first: gunzip -c FILE > "
            + "towers.csv")
      }
      isBegun = true
      do throws(InputError) {
        if count == 0 { return try decoder.finishList() }
        try decoder.decode(buffer.span.extracting(0..<count))
      } catch {
        throw Complaint(error, in: name)
      }
    }
  }
}
