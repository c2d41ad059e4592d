// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The rules of the house, each a function from a file to its findings.
enum Checks {
  // What a file imports --------------------------------------------------------------------------

  /// The modules that edges and programs may use besides the manifest's targets.
  static let systemModules: Set<String> = [
    "Foundation", "FoundationEssentials", "Glibc", "Dispatch", "Synchronization",
  ]

  /// The one exception of the inner rings: the mathematics that the others call through wrappers.
  static let mathematics = "Sources/Values/Geodesy/Mathematics.swift"

  static func imports(of file: SourceFile) -> [(module: String, line: Int)] {
    let kinds: Set = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
    let words = file.code.words
    return words.indices.compactMap { index in
      guard words[index].text == "import" else { return nil }
      let rest = words.dropFirst(index + 1).prefix { $0.line == words[index].line }
      guard let module = rest.first(where: { !kinds.contains($0.text) }) else { return nil }
      return (module.text, words[index].line)
    }
  }

  static func imports(of file: SourceFile, by manifest: Manifest) -> [Finding] {
    var allowed = manifest.allowed[file.target] ?? []
    let isPure = manifest.isPure(file.target)
    if file.path == mathematics { allowed.insert("Glibc") }
    if !isPure { allowed.formUnion(systemModules) }
    return imports(of: file).filter { !allowed.contains($0.module) }.map { module, line in
      let advice =
        isPure && systemModules.contains(module)
        ? "rings 0 and 1 have no \(module); take the value as an argument, or use "
          + "Geodesy/Mathematics.swift, LocationModel's CivilTime and JSONText's Decimal"
        : "\(file.target) may not import \(module); Package.swift states the arrows, and an arrow "
          + "points inwards"
      return Finding(path: file.path, line: line, message: advice)
    }
  }

  // What a file calls ----------------------------------------------------------------------------

  /// A word, whether it must be a call, and what to use instead.
  struct Banned {
    let word: String
    let isCall: Bool
    let instead: String
  }

  static let bannedInside = [
    Banned(
      word: "Date", isCall: true, instead: "take a UTCInstant or EngineInstant as an argument"),
    Banned(word: "ContinuousClock", isCall: false, instead: "take `now` as an argument"),
    Banned(word: "SuspendingClock", isCall: false, instead: "take `now` as an argument"),
    Banned(word: "sleep", isCall: true, instead: "return a deadline; the runtime waits"),
    Banned(word: "print", isCall: true, instead: "return text or bytes; the program writes them"),
    Banned(word: "debugPrint", isCall: true, instead: "return text; the program writes it"),
    Banned(word: "readLine", isCall: true, instead: "take bytes as an argument; TraceFiles reads"),
    Banned(
      word: "SystemRandomNumberGenerator", isCall: false, instead: "take a seeded generator"),
    Banned(word: "public", isCall: false, instead: "use `package`; nobody outside imports this"),
  ]

  static let bannedInTests = [
    Banned(word: "sleep", isCall: true, instead: "jump: `now` is an argument everywhere"),
    Banned(word: "usleep", isCall: true, instead: "jump: `now` is an argument everywhere"),
    Banned(
      word: "ContinuousClock", isCall: false, instead: "jump: `now` is an argument everywhere"),
  ]

  static func calls(in file: SourceFile, banned: [Banned]) -> [Finding] {
    let words = file.code.words
    return words.indices.flatMap { index in
      let word = words[index]
      // Inlinable code needs a public import of its C header, which makes nothing public.
      let isImport = index + 1 < words.count && words[index + 1].text == "import"
      return banned.filter {
        $0.word == word.text && !isImport && (!$0.isCall || word.after == UInt8(ascii: "("))
      }.map {
        Finding(
          path: file.path, line: word.line,
          message: "`\($0.word)\($0.isCall ? "(" : "")` has no place here: \($0.instead)")
      }
    }
  }

  // What a file is called and says ---------------------------------------------------------------

  static func names(in file: SourceFile) -> [Finding] {
    let kinds: Set = ["struct", "class", "enum", "actor", "protocol", "typealias", "extension"]
    let words = file.code.words
    var names = zip(words, words.dropFirst()).filter { word, _ in kinds.contains(word.text) }.map {
      ($1.text, $1.line)
    }
    let fileName = file.path.split(separator: "/").last.map { String($0.dropLast(6)) } ?? ""
    names.append((fileName, 1))
    // Core Location's name, which an app brings with it.
    names.removeAll { $0.0 == "CLLocationManager" }
    let empty = ["Manager", "Helper", "Utils", "Util", "Utilities", "Common"]
    return names.compactMap { name, line in
      guard let word = empty.first(where: { name.hasSuffix($0) || name.hasSuffix($0 + "s") })
      else { return nil }
      return Finding(
        path: file.path, line: line,
        message: "\(name): `\(word)` promises nothing; name it by what it is, as ReceiverPlan is")
    }
  }

  static func header(of file: SourceFile) -> [Finding] {
    let line = "// SPDX-License-Identifier: Apache-2.0"
    guard file.lines.first != line[...] else { return [] }
    return [Finding(path: file.path, line: 1, message: "the first line must be `\(line)`")]
  }

  /// Works on any text, since a script can hold them too.
  static func leftovers(in text: String, path: String) -> [Finding] {
    let words = ["TO" + "DO", "FIX" + "ME", "XX" + "X"]
    guard words.contains(where: { has($0, text) }) else { return [] }
    return numbered(text).compactMap { number, line in
      guard let word = words.first(where: { isWord($0, in: line) }) else { return nil }
      return Finding(
        path: path, line: number,
        message: "\(word) is left over; do it, or open an issue and say why in a sentence")
    }
  }

  static func machinePaths(in text: String, path: String) -> [Finding] {
    let roots = ["home", "Users", "work", "root", "tmp"].map { "/" + $0 + "/" }
    guard roots.contains(where: { has($0, text) }) else { return [] }
    return numbered(text).compactMap { number, line in
      let words = line.split { " \t\"'`(=<,;".contains($0) }
      guard let root = roots.first(where: { root in words.contains { $0.hasPrefix(root) } })
      else { return nil }
      return Finding(
        path: path, line: number,
        message: "\(root) is a path of one machine; start from #filePath, $0 or mktemp")
    }
  }

  /// Whether a text contains a word, found quickly: few of a thousand files do.
  private static func has(_ word: String, _ text: String) -> Bool { strstr(text, word) != nil }

  private static func numbered(_ text: String) -> [(Int, Substring)] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return zip(1..., lines).map { ($0, $1) }
  }

  private static func isWord(_ word: String, in line: Substring) -> Bool {
    line.utf8.split { !Code.isPartOfWord($0) }.contains { $0.elementsEqual(word.utf8) }
  }
}
