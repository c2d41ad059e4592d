// SPDX-License-Identifier: Apache-2.0

/// A line of a `.rec` file of OwnTracks' Recorder: the time of its arrival, a tab, a kind padded with blanks (`*` of a
/// location), a tab, and the message as it came, JSON (owntracks/recorder, doc/STORE.md).
enum RecorderLine {
  /// The offset at which the message begins; `nil` if the line is another one.
  static func start(of line: borrowing Span<UInt8>) -> Int? {
    guard !line.isEmpty, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(line[0]) else {
      return nil
    }
    var tabs = 0
    for index in 0..<min(line.count - 1, 512) where line[index] == 0x09 {
      tabs += 1
      if tabs == 2 { return line[index + 1] == UInt8(ascii: "{") ? index + 1 : nil }
    }
    return nil
  }
}
