// SPDX-License-Identifier: Apache-2.0

package import LocationModel
import ServiceContract

/// One line of a timeline.
package struct TimelineLine: Sendable, Equatable {
  /// Seconds from the begin.
  package let at: Double
  package let time: UTCInstant
  /// The app in `Timeline.lives`; `nil` is the device.
  package let life: Int?
  /// The final state.
  package let state: AppState?
  package let text: String
  /// The number of occurrences, and the time of the last one.
  package var count = 1
  package var until: UTCInstant
}

// Theory
// ======
//
// A machine repeats itself, and a reader wants it once. A block of up to four lines of one app that comes at least
// three times in a row is folded into its first one, with a count:
//
//   a location; uploads 20 kB              a location; uploads 20 kB
//   a location; uploads 20 kB        ─►      (812 times until 08:14:02)
//   a location; uploads 20 kB …

/// Makes lines of parts, and folds repeated ones.
enum TimelineFolding {
  fileprivate struct Draft {
    private(set) var line: TimelineLine
    /// The key of equal lines; `nil` if none is equal.
    private(set) var key: String?
    /// The index among all.
    let place: Int
    /// The text before its last part, that part, and the number of times that it came in a row.
    private var front = ""
    private var last = ""
    private var repeats = 1

    init(_ part: Timeline.Part, place: Int) {
      line = TimelineLine(
        at: part.at, time: part.time, life: part.life, state: part.state, text: part.text,
        until: part.time)
      key = part.key.isEmpty ? nil : part.key + "|" + (part.state?.rawValue ?? "")
      last = part.text
      self.place = place
    }

    mutating func addPart(_ part: Timeline.Part) {
      if part.text == last {
        repeats += 1
      } else {
        (front, last, repeats) = (line.text + "; ", part.text, 1)
      }
      let shown =
        repeats >= TimelineFolding.leastRepeats
        ? "\(last) \(Figures.count(repeats)) ×"
        : Array(repeating: last, count: repeats).joined(separator: "; ")
      line = TimelineLine(
        at: line.at, time: line.time, life: line.life, state: part.state, text: front + shown,
        until: line.until)
      key =
        part.key.isEmpty ? nil : key.map { $0 + ";" + part.key + (part.state?.rawValue ?? "") }
    }

    /// Folds `count` occurrences into this one, the last of which was then.
    mutating func fold(_ count: Int, until: UTCInstant) {
      line.count = count
      line.until = until
    }
  }

  static let longestBlock = 4
  static let leastRepeats = 3

  static func lines(_ parts: [Timeline.Part]) -> [TimelineLine] {
    var drafts: [Draft] = []
    // The latest line of each app, while its instant lasts.
    var latest: [Int: Int] = [:]
    for part in parts {
      if let life = part.life, !part.isAlone, let index = latest[life],
        drafts[index].line.at == part.at
      {
        drafts[index].addPart(part)
      } else {
        if let life = part.life { latest[life] = part.isAlone ? nil : drafts.count }
        drafts.append(Draft(part, place: drafts.count))
      }
    }
    var kept: [Draft] = []
    for life in Set(drafts.map(\.line.life)) {
      kept += folded(drafts.filter { $0.line.life == life })
    }
    return kept.sorted { $0.place < $1.place }.map(\.line)
  }

  private static func folded(_ drafts: [Draft]) -> [Draft] {
    var kept: [Draft] = []
    var index = 0
    while index < drafts.count {
      guard let (length, repeats) = block(in: drafts, at: index) else {
        kept.append(drafts[index])
        index += 1
        continue
      }
      for offset in 0..<length {
        var draft = drafts[index + offset]
        draft.fold(repeats, until: drafts[index + length * (repeats - 1) + offset].line.time)
        kept.append(draft)
      }
      index += length * repeats
    }
    return kept
  }

  /// The shortest block that repeats from here on, and its number of repeats.
  private static func block(in drafts: [Draft], at start: Int) -> (length: Int, repeats: Int)? {
    for length in 1...longestBlock where start + length * leastRepeats <= drafts.count {
      guard drafts[start..<start + length].allSatisfy({ $0.key != nil }) else { return nil }
      var end = start + length
      while end < drafts.count, drafts[end].key != nil, drafts[end].key == drafts[end - length].key
      {
        end += 1
      }
      let repeats = (end - start) / length
      if repeats >= leastRepeats { return (length, repeats) }
    }
    return nil
  }
}
