// SPDX-License-Identifier: Apache-2.0

// Theory
// ======
//
// A binary property list is a table of objects, in which arrays and dictionaries refer to others by number
// (CoreFoundation, CFBinaryPList.c). Many may refer to one object, so a few hundred bytes can mean a tree of 2⁶⁰
// values; the library unfolds all of it. The unfolded size is computed here first, each object once:
//
//   bplist00 │ objects … │ offset of each object │ 6 unused bytes, sizes of an offset and of a name,
//                                                  count, number of the topmost, place of the offsets
//
// A marker's upper four bits are the kind, the lower ones the count, or 15 if that follows as an integer. Sets, names of
// archives and nothing (null) have markers too, but no property list in a file has them; Foundation ends the process at a
// set (measured, Swift 6.3).

/// Computes the unfolded size of a binary property list.
struct BinaryListSurvey {
  enum Fault: Error {
    /// Nested too deeply, an object within itself, or too many values.
    case tooMuch
    /// Not a binary property list, or a truncated one.
    case damaged
    /// An object of a kind that property list files do not have.
    case foreign
  }

  private let bytes: [UInt8]
  /// Bytes of an offset, and of an object's number.
  private let offsetSize: Int
  private let nameSize: Int
  private var count = 0
  /// The position of the offsets.
  private var table = 0
  /// The unfolded sizes of known objects, in values, themselves included.
  private var sizes: [Int: Int] = [:]

  private static let (no, yes): (UInt8, UInt8) = (0x08, 0x09)

  /// Throws `Fault` if the list should not be given to the library.
  static func check(_ bytes: [UInt8]) throws(Fault) {
    var survey = try BinaryListSurvey(bytes)
    let top = try survey.number(at: bytes.count - 16, size: 8)
    _ = try survey.size(of: top, depth: 0)
  }

  private init(_ bytes: [UInt8]) throws(Fault) {
    guard bytes.count >= 8 + 32 else { throw .damaged }
    self.bytes = bytes
    (offsetSize, nameSize) = (Int(bytes[bytes.count - 26]), Int(bytes[bytes.count - 25]))
    guard (1...8).contains(offsetSize), (1...8).contains(nameSize) else { throw .damaged }
    count = try number(at: bytes.count - 24, size: 8)
    table = try number(at: bytes.count - 8, size: 8)
    guard count <= bytes.count, table <= bytes.count - 32 else { throw .damaged }
  }

  /// A number in big-endian order.
  private func number(at place: Int, size: Int) throws(Fault) -> Int {
    guard place >= 0, place <= bytes.count - size else { throw .damaged }
    var value: UInt64 = 0
    for index in place..<(place + size) { value = value << 8 | UInt64(bytes[index]) }
    guard let number = Int(exactly: value) else { throw .damaged }
    return number
  }

  private mutating func size(of object: Int, depth: Int) throws(Fault) -> Int {
    if let known = sizes[object] { return known }
    guard depth <= SettingsFile.depthLimit else { throw .tooMuch }
    guard object < count, object <= bytes.count / offsetSize else { throw .damaged }
    let place = try number(at: table + object * offsetSize, size: offsetSize)
    guard place < bytes.count else { throw .damaged }
    let names: Int
    switch bytes[place] >> 4 {
    case 0x0:
      guard bytes[place] == Self.no || bytes[place] == Self.yes else { throw .foreign }
      return 1
    // Integers, reals, dates, data, and texts of two kinds.
    case 0x1...0x6: return 1
    case 0xA: names = 1
    case 0xD: names = 2
    default: throw .foreign
    }
    var start = place + 1
    var elements = Int(bytes[place] & 0xF)
    if elements == 0xF {
      let size = 1 << (try number(at: start, size: 1) & 0xF)
      guard size <= 8 else { throw .damaged }
      elements = try number(at: start + 1, size: size)
      start += 1 + size
    }
    guard elements <= bytes.count else { throw .damaged }
    var sum = 1
    for index in 0..<(elements * names) {
      let name = try number(at: start + index * nameSize, size: nameSize)
      sum += try size(of: name, depth: depth + 1)
      guard sum <= SettingsFile.valueLimit else { throw .tooMuch }
    }
    sizes[object] = sum
    return sum
  }
}
