// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite("The lengths are counted as a reader counts them")
struct LengthsTests {
  private func file(_ text: String) -> SourceFile {
    SourceFile(path: "Sources/Logic/Replay/Sample.swift", text: text)
  }

  private func statements(_ count: Int) -> String {
    String(repeating: "  count += 1\n", count: count)
  }

  @Test("400 lines are a file, 401 are too many")
  func files() {
    #expect(Checks.fileLength(of: file(statements(400))).isEmpty)
    let long = Checks.fileLength(of: file(statements(401)))
    #expect(long.map(\.line) == [401])
    #expect(long.first?.message.hasPrefix("401 lines, at most 400: split it") == true)
  }

  @Test(
    "A function of 70 lines passes and one of 71 does not, however its signature is written",
    arguments: [
      "func add() {\n", "init(count: Int) {\n", "init?(count: Int) {\n",
      "subscript(index: Int) -> Int {\n",
      "func add<T>(_ body: () -> T)\n  -> T where T: Sendable {\n",
      "func add(\n  a: Int = { 1 }(),\n  b: Int\n) throws {\n",
    ])
  func functions(signature: String) {
    let lines = signature.utf8.count { $0 == UInt8(ascii: "\n") }
    let fits = "\n" + signature + statements(69 - lines) + "}\n"
    #expect(Checks.functionLengths(in: file(fits)).isEmpty)
    let long = "\n" + signature + statements(70 - lines) + "}\n"
    let findings = Checks.functionLengths(in: file(long))
    #expect(findings.map(\.line) == [2])
    #expect(findings.first?.message.hasPrefix("a function of 71 lines, at most 70") == true)
  }

  @Test("Braces in comments and literals close nothing, and a requirement has no length")
  func braces() {
    let body = "  // }\n  let text = \"}\"\n" + statements(70)
    #expect(Checks.functionLengths(in: file("func a() {\n" + body + "}\n")).count == 1)
    let requirement =
      "protocol P {\n  func a(b: Int) -> Int\n}\nenum E {\n" + statements(90) + "}\n"
    #expect(Checks.functionLengths(in: file(requirement)).isEmpty)
  }

  @Test("A call of an initialiser is no declaration")
  func calls() {
    let text = "struct S {\n  static let a = S.init(b: { 1 })\n" + statements(90) + "}\n"
    #expect(Checks.functionLengths(in: file(text)).isEmpty)
  }
}
