// SPDX-License-Identifier: Apache-2.0

// Theory
// ======
//
// A reader takes bytes that anybody may have written, does with them what the programs do, and checks what they
// promise whatever the bytes are: that they come back at all, that the pieces in which bytes arrive change nothing,
// that totals add up, that what was written is read again. A trap, an endless loop and a promise that is not kept
// are all a fault of ours.
//
//   Tools/fuzz READER          libFuzzer makes up bytes and is led by the branches that they reach
//   swift test                 reads the corpus of each reader again: its seeds, and everything that ever broke it
//
// Where a reader has options, the number of bytes chooses them: a fuzzer finds that out by itself, and the files of a
// corpus stay files of the format.

/// Something that reads bytes from outside, as the programs read them.
struct HostileReader: Sendable {
  /// The folder of its corpus, and what `Tools/fuzz` is told.
  let name: String
  /// Bytes that a fuzzer makes up at most.
  let limit: Int
  /// The folders of `Sources` that do the reading: what their coverage is counted in.
  let sources: [String]
  /// Throws `BrokenPromise` where the bytes made a reader break one.
  let read: @Sendable ([UInt8]) throws -> Void

  init(
    _ name: String, limit: Int = 4_096, of sources: [String],
    _ read: @escaping @Sendable ([UInt8]) throws -> Void
  ) {
    (self.name, self.limit, self.sources, self.read) = (name, limit, sources, read)
  }

  static let all: [HostileReader] =
    traces + [conversion, traceBeginning, json] + settings + protocols + energy
    + [towerList, recording, sinkAnswer, eventTemplate, busMessage, geoClueCalls, machineFiles]
    + [gpsdLines, storedRows, storedFile, storedRecent, recentRecord, partialLine, webRequest]
    + [groundGeoJSON, groundMarble]
}

/// A promise that a reader did not keep.
struct BrokenPromise: Error, CustomStringConvertible {
  let description: String
}

/// Throws `BrokenPromise` with `words` where `isKept` is false.
func promise(_ isKept: Bool, _ words: @autoclosure () -> String) throws {
  guard isKept else { throw BrokenPromise(description: words()) }
}

extension [UInt8] {
  /// The same bytes in pieces of 1, 2, 3, 5, 8, 13, 21 bytes, and again.
  var pieces: [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    var (start, turn) = (0, 0)
    let lengths = [1, 2, 3, 5, 8, 13, 21]
    while start < count {
      let end = Swift.min(count, start + lengths[turn % lengths.count])
      pieces.append(self[start..<end])
      (start, turn) = (end, turn + 1)
    }
    return pieces
  }

  /// As text; what is no UTF-8 is replaced.
  var text: String { String(decoding: self, as: UTF8.self) }
}
