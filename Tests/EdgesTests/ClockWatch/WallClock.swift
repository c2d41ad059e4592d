// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The machine's wall clock, set by relative steps: its followers are not disturbed, as they would be by settimeofday.
enum WallClock {
  /// Whether this process may set it. A step of nothing needs the same permission, and sets nothing.
  static var mayBeStepped: Bool { step(byNanoseconds: 0) }

  /// Sets it forward or back, less than a second; returns whether that was done (adjtimex(2), ADJ_SETOFFSET).
  static func step(byNanoseconds nanoseconds: Int) -> Bool {
    typealias Adjust = @convention(c) (UnsafeMutableRawPointer) -> Int32
    // Swift's Glibc has no <sys/timex.h>. If a word has 8 bytes, `modes` of its 208 bytes is at 0, `time` at 72.
    guard MemoryLayout<Int>.size == 8, let symbol = dlsym(nil, "adjtimex") else { return false }
    let adjust = unsafeBitCast(symbol, to: Adjust.self)
    var timex = [UInt8](repeating: 0, count: 208)
    return timex.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return false }
      // ADJ_SETOFFSET, ADJ_NANO. The seconds bear the sign.
      start.storeBytes(of: 0x0100 | 0x2000, as: UInt32.self)
      start.storeBytes(of: nanoseconds < 0 ? -1 : 0, toByteOffset: 72, as: Int.self)
      start.storeBytes(
        of: nanoseconds < 0 ? 1_000_000_000 + nanoseconds : nanoseconds, toByteOffset: 80,
        as: Int.self)
      return adjust(start) >= 0
    }
  }
}
