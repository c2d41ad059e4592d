// SPDX-License-Identifier: Apache-2.0

// Theory
// ======
//
// A reader takes arbitrary foreign bytes, processes them as the programs do, and checks the promises that hold for any
// bytes: that the call returns at all, that the pieces in which bytes arrive change nothing, that totals add up, that
// output can be read again. A trap, an endless loop and a broken promise are all our faults.
//
//   Tools/fuzz READER          libFuzzer makes up bytes and is led by the branches that they reach
//   swift test                 reads the corpus of each reader again: its seeds, and everything that ever broke it
//
// The readers of one file are a family: a program of their own for the fuzzer, which links only what they need. After
// each input a fuzzer looks through the counters of all branches of its program.
//
// If a reader has options, the number of bytes chooses them: a fuzzer finds that out by itself, and the files of a
// corpus stay files of the format.

/// A function that reads bytes from outside, as the programs read them.
struct HostileReader: Sendable {
  /// The folder of its corpus, and its name for `Tools/fuzz`.
  let name: String
  /// The limit of bytes that a fuzzer makes up.
  let limit: Int
  /// The targets that do the reading: their coverage is counted.
  let sources: [String]
  /// Throws `BrokenPromise` if the bytes made a reader break one.
  let read: @Sendable ([UInt8]) throws -> Void

  init(
    _ name: String, limit: Int = 4_096, of sources: [String],
    _ read: @escaping @Sendable ([UInt8]) throws -> Void
  ) {
    (self.name, self.limit, self.sources, self.read) = (name, limit, sources, read)
  }
}

/// A promise that a reader did not keep.
struct BrokenPromise: Error, CustomStringConvertible {
  let description: String
}

/// Throws `BrokenPromise` with `words` if `isKept` is false.
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

  /// As text; invalid UTF-8 is replaced.
  var text: String { String(decoding: self, as: UTF8.self) }
}
