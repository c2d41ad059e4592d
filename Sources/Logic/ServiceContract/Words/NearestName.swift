// SPDX-License-Identifier: Apache-2.0

/// The known name that was probably meant.
package enum NearestName {
  /// The name among `known` that is nearest to `name`; `nil` if none is near enough: at most one
  /// third of its letters wrong, and at least one allowed.
  ///
  /// Case, `-` and `_` count half: `Exits-On-Suspend` is `exits_on_suspend`.
  package static func of(_ name: String, among known: [String]) -> String? {
    guard name.utf8.count <= 64 else { return nil }
    let word = folded(name)
    let limit = max(1, word.count / 3)
    var best: (name: String, distance: Int)?
    for candidate in known {
      let distance = distance(word, folded(candidate))
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  /// `; did you mean 'handler'?`, or nothing.
  package static func advice(_ name: String, among known: [String]) -> String {
    of(name, among: known).map { "; did you mean '\($0)'?" } ?? ""
  }

  private static func folded(_ name: String) -> [UInt8] {
    name.lowercased().utf8.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0 }
  }

  /// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other
  /// (optimal string alignment).
  static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var before: [Int] = []
    var last = Array(0...b.count)
    for (row, letter) in a.enumerated() {
      var next = [row + 1]
      for (column, other) in b.enumerated() {
        var least = min(last[column + 1] + 1, next[column] + 1)
        least = min(least, last[column] + (letter == other ? 0 : 1))
        if row > 0, column > 0, letter == b[column - 1], a[row - 1] == other {
          least = min(least, before[column - 1] + 1)
        }
        next.append(least)
      }
      before = last
      last = next
    }
    return last[b.count]
  }
}
