// SPDX-License-Identifier: Apache-2.0

import Foundation

// The engine's state is written every half minute, some kilobytes that are nearly all unchanged. So only the changes
// from the previous state are written: pairs of a literal and a copy, as in LZ77, with the earlier state as the window.

/// Encodes bytes as their difference from others.
enum BlobChange {
  /// The block length of the search, bytes; shorter repetitions are written out.
  private static let block = 12
  /// Larger blobs are written whole: searching each position would take longer than writing.
  static let limit = 64 << 10

  static func encode(blob: Data, after base: Data, to writer: inout RecentWriter) {
    let (old, new) = (Array(base), Array(blob))
    var places: [ArraySlice<UInt8>: Int] = [:]
    for place in stride(from: 0, through: old.count - block, by: 4) {
      places[old[place..<place + block], default: place] = place
    }
    writer.whole(UInt64(new.count))
    var (written, place) = (0, 0)
    while place + block <= new.count {
      guard var start = places[new[place..<place + block]] else {
        place += 1
        continue
      }
      var begin = place
      while begin > written, start > 0, old[start - 1] == new[begin - 1] {
        (begin, start) = (begin - 1, start - 1)
      }
      var end = place + block
      while end < new.count, start + end - begin < old.count, old[start + end - begin] == new[end] {
        end += 1
      }
      writer.blob(new[written..<begin])
      writer.whole(UInt64(start))
      writer.whole(UInt64(end - begin))
      (written, place) = (end, end)
    }
    if written < new.count { writer.blob(new[written...]) }
  }

  static func readBlob(
    _ reader: inout RecentReader, after base: Data
  ) throws(RecentReader.Malformed) -> Data {
    let old = Array(base)
    let count = try reader.whole()
    var new: [UInt8] = []
    while new.count < count {
      new += try reader.blob()
      guard new.count < count else { break }
      let (start, length) = (try reader.whole(), try reader.whole())
      guard length > 0, start <= UInt64(old.count), length <= UInt64(old.count) - start else {
        throw RecentReader.Malformed()
      }
      new += old[Int(start)..<Int(start + length)]
    }
    guard new.count == count else { throw RecentReader.Malformed() }
    return Data(new)
  }
}
