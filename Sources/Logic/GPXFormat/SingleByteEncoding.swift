// SPDX-License-Identifier: Apache-2.0

import CExpat

/// Encodings that expat does not know by itself and that are ASCII below 128.
///
/// A trace uses only ASCII from a document: tags, numbers, times. So the upper half of any such code
/// page is read as Latin-1; names that come out wrong are not used.
enum SingleByteEncoding {
  private static let prefixes = [
    "windows-125", "cp125", "iso-8859-", "iso8859-", "koi8", "macroman", "latin", "us-ascii",
    "ascii", "windows-874",
  ]

  /// Fills expat's table if `name` is such an encoding; `false` if it is not.
  static func fill(
    _ info: UnsafeMutablePointer<XML_Encoding>, named name: UnsafePointer<CChar>
  ) -> Bool {
    let lowered = unsafe String(cString: name).lowercased()
    guard prefixes.contains(where: lowered.hasPrefix) else { return false }
    unsafe withUnsafeMutableBytes(of: &info.pointee.map) { bytes in
      let codes = unsafe bytes.bindMemory(to: Int32.self)
      for code in 0..<256 { unsafe codes[code] = Int32(code) }
    }
    unsafe info.pointee.data = nil
    unsafe info.pointee.convert = nil
    unsafe info.pointee.release = nil
    return true
  }
}
