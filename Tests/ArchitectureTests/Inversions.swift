// SPDX-License-Identifier: Apache-2.0

extension Checks {
  private static let inverting: Set<Substring> = ["What", "Whatever", "Who", "Whoever", "Of"]

  /// The lines of comments on which a sentence begins with a relative clause instead of its subject.
  static func inversions(in file: SourceFile) -> [Finding] {
    var isInSentence = false
    var findings: [Finding] = []
    for (number, line) in zip(1..., file.lines) {
      let text = line.drop { $0 == " " }
      guard text.hasPrefix("//") else {
        isInSentence = false
        continue
      }
      for word in text.drop(while: { $0 == "/" }).split(separator: " ") {
        if !isInSentence, inverting.contains(word) {
          findings.append(
            Finding(path: file.path, line: number, message: "a sentence that begins with \(word)"))
        }
        isInSentence = !word.hasSuffix(".")
      }
    }
    return findings
  }
}
