// SPDX-License-Identifier: Apache-2.0

/// `acc=40.5 speed=0 course=0` in a point's `cmt`, as converted Android logs carry it.
///
/// Android's `Location` reports a speed and a bearing it does not have as 0.0; here both being exactly
/// zero is read as "unknown".
enum CommentConvention {
  static func readComment(_ text: borrowing Span<UInt8>, into draft: inout FixDraft) {
    var speed: Double?
    var course: Double?
    var position = 0
    while position < text.count {
      while position < text.count, text[position] <= 0x20 { position += 1 }
      let start = position
      var equals: Int?
      while position < text.count, text[position] > 0x20 {
        if text[position] == UInt8(ascii: "="), equals == nil { equals = position }
        position += 1
      }
      guard let equals, let value = NumberText.value(text.extracting((equals + 1)..<position))
      else { continue }
      switch (equals - start, text[start]) {
      case (3, UInt8(ascii: "a")) where text[start + 1] == UInt8(ascii: "c"):
        draft.accuracy = draft.accuracy ?? value
      case (5, UInt8(ascii: "s")) where text[start + 1] == UInt8(ascii: "p"): speed = value
      case (6, UInt8(ascii: "c")) where text[start + 1] == UInt8(ascii: "o"): course = value
      default: break
      }
    }
    if speed == 0, course == nil || course == 0 { return }
    draft.speed = draft.speed ?? speed
    draft.course = draft.course ?? course
  }
}
