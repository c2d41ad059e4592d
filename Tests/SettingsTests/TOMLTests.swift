// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONText
import SeededRandom
import SettingsFiles
import Testing

@Suite("TOML is read as it is written down, and no file ends the process")
struct TOMLTests {
  /// The tree, or the message of the error.
  private static func read(_ text: String) -> Result<JSONValue, Complaint> {
    do {
      return .success(try SettingsFile.parse(Array(text.utf8), name: "a.toml"))
    } catch let error as Complaint {
      return .failure(error)
    } catch {
      Issue.record("another error: \(error)")
      return .success(.null)
    }
  }

  @Test(
    "What aborted the process inside a library is an error with its place",
    arguments: [
      ("[é]", "1:2: not TOML: a key with other letters than a to z stands in quotes"),
      ("[.a]", "1:2: not TOML: a key was expected"),
      ("[<env>]", "1:2: not TOML: a key was expected"),
      (
        "x = 2026-01-01T-9:00",
        "1:5: not TOML: '2026-01-01T-9:00' is no number, date, true or false; a text stands in quotes"
      ),
    ])
  func aborts(text: String, message: String) {
    #expect(throws: Complaint.self) { try Self.read(text).get() }
    if case .failure(let error) = Self.read(text) { #expect(error.message == "a.toml:" + message) }
  }

  @Test(
    "An error says what was expected, and where",
    arguments: [
      ("a = 1\na = 2", "2:1: not TOML: the key 'a' stands there twice; keep one"),
      ("[a]\n[b]\n[a]", "3:2: not TOML: the key 'a' stands there twice; keep one"),
      ("a.b = 1\n[a]", "2:2: not TOML: the key 'a' stands there twice; keep one"),
      ("[a]\n[[a]]", "2:3: not TOML: the key 'a' stands there twice; keep one"),
      ("[a.b]\n[a]\nb.c = 1", "3:1: not TOML: the table 'b' is complete already"),
      ("a = {b = 1}\na.c = 2", "2:1: not TOML: the key 'a' stands there twice; keep one"),
      ("a 1", "1:3: not TOML: '=' was expected behind the key"),
      ("a = ", "1:5: not TOML: a value was expected"),
      ("a = 1 2", "1:7: not TOML: the end of the line was expected"),
      ("a = [1, 2", "1:10: not TOML: ',' or ']' was expected"),
      ("a = {b = 1,}", "1:12: not TOML: a key was expected"),
      ("[a", "1:3: not TOML: ']' was expected behind the table's name"),
      ("[[a]", "1:5: not TOML: ']]' was expected behind the table's name"),
      ("a = \"x", "1:7: not TOML: a text without its closing quote"),
      (
        "a = \"C:\\Users\"",
        "1:8: not TOML: not a character: \\U has 8 digits"
      ),
      (
        "a = \"\\d\"",
        "1:6: not TOML: an escape that TOML does not know; a backslash is written \\\\, or in '…'"
      ),
      (
        "a = 010", "1:5: not TOML: '010' is no number, date, true or false; a text stands in quotes"
      ),
      ("a = 9223372036854775808", "1:5: not TOML: the number is too large"),
      ("a = -inf", "1:5: not TOML: not a finite number; no setting means inf or nan"),
      ("a = 1 # \u{1}", "1:9: not TOML: a control character in a comment"),
    ])
  func errors(text: String, message: String) {
    guard case .failure(let error) = Self.read(text) else {
      Issue.record("read: \(text)")
      return
    }
    #expect(error.message == "a.toml:" + message)
  }

  /// All features of TOML 1.0, from the examples of its specification (toml.io/en/v1.0.0).
  private static let documents = [
    #"""
    # This is a full-line comment
    key = "value"  # This is a comment at the end of a line
    bare_key = 'v' # x
    bare-key = true
    1234 = false
    "127.0.0.1" = "value"
    'quoted "value"' = "value"
    physical.color = "orange"
    physical . shape = "round"
    site."google.com" = true
    fruit.apple.smooth = true
    fruit.orange = 2
    3.14159 = "pi"
    """#,
    #"""
    str = "I'm a string. \"You can quote me\". Name\tJos\u00E9\nLocation\tSF. \U0001F600"
    str1 = """
    Roses are red
    Violets are blue"""
    str2 = """\
           The quick brown \
           fox jumps over \

             the lazy dog.\
           """
    str4 = """Here are two quotation marks: "". Simple enough."""
    str5 = """"This," she said, "is just a pointless statement.""""
    winpath = 'C:\Users\nodejs\templates'
    regex2 = '''I [dw]on't need \d{2} apples'''
    lines = '''
    The first newline is
    trimmed in raw strings.
    '''
    quot15 = '''Here are fifteen quotation marks: """""""""""""""'''
    """#,
    #"""
    int1 = +99
    int4 = -17
    int5 = 1_000
    int8 = 1_2_3_4_5
    hex1 = 0xDEADBEEF
    hex3 = 0xdead_beef
    oct1 = 0o01234567
    bin1 = 0b11010110
    flt1 = +1.0
    flt3 = -0.01
    flt4 = 5e+22
    flt6 = -2E-2
    flt7 = 6.626e-34
    flt8 = 224_617.445_991_228
    least = -9223372036854775808
    most = 9223372036854775807
    """#,
    #"""
    odt1 = 1979-05-27T07:32:00Z
    odt3 = 1979-05-27T00:32:00.999999-07:00
    odt4 = 1979-05-27 07:32:00Z
    ldt1 = 1979-05-27T07:32:00
    ld1 = 1979-05-27
    lt1 = 07:32:00
    lt2 = 00:32:00.999999
    leap = 2024-02-29
    """#,
    #"""
    integers = [ 1, 2, 3 ]
    nested = [ [ 1, 2 ], ["a", "b", "c"] ]
    mixed = [ 0.1, 0.2, 1, "all", {x = 1, y.z = []} ]
    more = [
      1,
      2, # this is ok
    ]
    point = { x = 1, y = 2 }
    animal = { type.name = "pug" }
    empty = {}
    """#,
    #"""
    [dog."tater.man"]
    type.name = "pug"
    [ j . "ʞ" . 'l' ]
    [x.y.z.w]
    [x]
    a = 1
    [fruit]
    apple.color = "red"
    apple.taste.sweet = true
    [fruit.apple.texture]
    smooth = true
    """#,
    #"""
    [[products]]
    name = "Hammer"
    sku = 738594937

    [[products]]  # empty table within the array

    [[products]]
    name = "Nail"
    [products.size]
    mm = 5
    [[fruits]]
    name = "apple"
    [[fruits.varieties]]
    name = "red delicious"
    [[fruits.varieties]]
    name = "granny smith"
    """#,
  ]

  @Test("Every example of the specification is read")
  func examples() throws {
    for document in Self.documents { _ = try Self.read(document).get() }
    let texts = try Self.read(Self.documents[1]).get()
    #expect(
      texts["str"]?.string
        == "I'm a string. \"You can quote me\". Name\tJosé\nLocation\tSF. 😀")
    #expect(texts["str2"]?.string == "The quick brown fox jumps over the lazy dog.")
    #expect(texts["str5"]?.string == "\"This,\" she said, \"is just a pointless statement.\"")
    #expect(texts["lines"]?.string == "The first newline is\ntrimmed in raw strings.\n")
    let dates = try Self.read(Self.documents[3]).get()
    #expect(dates["odt4"]?.string == "1979-05-27T07:32:00Z")
    #expect(try Self.read(Self.documents[2]).get()["hex1"]?.number == 3_735_928_559)
    // Two letters that look alike, é and e with an accent, are two keys.
    #expect(try Self.read("\"\u{E9}\" = 1\n\"e\u{301}\" = 2").get().members?.count == 2)
  }

  @Test("Line ends of Windows are line ends")
  func windows() throws {
    let tree = try Self.read("a = 1\r\n[b]\r\nc = \"\"\"\r\nx\r\ny\"\"\"\r\n").get()
    #expect(tree["a"] == .number(1) && tree["b"]?["c"]?.string == "x\ny")
    #expect(throws: Complaint.self) { try Self.read("a = 1\rb = 2").get() }
  }

  /// A document with some bytes changed, put in, taken out, or with a piece of another one.
  private static func mutated(_ random: inout SplitMix64) -> String {
    var bytes = Array((documents.randomElement(using: &random) ?? "").utf8)
    let signs = Array("[]{}=.,\"'#\\\n\t -+_:0129eTZxé<".utf8)
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      let at = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes[at] = signs.randomElement(using: &random) ?? 0
      case 1: bytes.insert(signs.randomElement(using: &random) ?? 0, at: at)
      case 2:
        bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 1...4, using: &random)))
      default:
        let other = Array((documents.randomElement(using: &random) ?? "").utf8)
        let from = Int.random(in: 0..<other.count, using: &random)
        bytes.insert(contentsOf: other[from...].prefix(12), at: at)
      }
      if bytes.isEmpty { bytes = [0x61] }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("Changed documents are read or refused, and never more; `FUZZ` sets how many")
  func fuzz() {
    let count = ProcessInfo.processInfo.environment["FUZZ"].flatMap { Int($0) } ?? 2_000
    var random = SplitMix64(seed: 20)
    var refused = 0
    for index in 0..<count {
      // Every fourth is bytes of no document.
      let text =
        index % 4 == 0
        ? String(
          decoding: (0..<40).map { _ in UInt8.random(in: 0...255, using: &random) }, as: UTF8.self)
        : Self.mutated(&random)
      if case .failure(let error) = Self.read(text) {
        refused += 1
        if !error.message.hasPrefix("a.toml:") { Issue.record("\(error.message)") }
      }
    }
    #expect(refused > count / 4 && refused < count)
  }

  /// Reads one document in base64 a line; writes its tree as JSON, or `null` if it is refused.
  private static let oracle = """
    import sys, json, base64, tomllib, datetime, math
    def plain(v):
        if isinstance(v, dict): return {k: plain(x) for k, x in v.items()}
        if isinstance(v, list): return [plain(x) for x in v]
        if isinstance(v, (datetime.date, datetime.time)): return {"$date": 1}
        if isinstance(v, float) and not math.isfinite(v): raise ValueError
        if isinstance(v, int) and not -2**63 <= v < 2**63: raise ValueError
        return v
    for line in open(sys.argv[1]):
        try: print(json.dumps(plain(tomllib.loads(base64.b64decode(line).decode()))))
        except (ValueError, RecursionError): print("null")
    """

  private static let hasOracle = python(["-c", "import tomllib"]) != nil

  /// Python's output; `nil` if it fails.
  private static func python(_ arguments: [String]) -> String? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3"] + arguments
    let output = Pipe()
    (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
    guard (try? process.run()) != nil else { return nil }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? String(decoding: data, as: UTF8.self) : nil
  }

  @Test(
    "Python's tomllib reads the same of changed documents, and refuses the same",
    .enabled(if: hasOracle, "there is no python3 with tomllib"))
  func agreement() throws {
    var random = SplitMix64(seed: 21)
    // Python knows no year 0.
    let texts = (0..<2_000).map { _ in Self.mutated(&random) }.filter { !$0.contains("0000-") }
    let file = FileManager.default.temporaryDirectory.appending(path: "toml-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try texts.map { Data($0.utf8).base64EncodedString() + "\n" }.joined()
      .write(to: file, atomically: true, encoding: .utf8)
    let output = try #require(Self.python(["-c", Self.oracle, file.path]))
    let lines = output.split(separator: "\n")
    #expect(lines.count == texts.count)
    for (text, line) in zip(texts, lines) {
      let theirs = line == "null" ? nil : try JSONValue.parse(String(line))
      let ours = try? Self.read(text).get()
      #expect(Self.isSame(ours, theirs), "\(text)\n\(String(describing: ours))\n\(line)")
    }
  }

  private static func isSame(_ ours: JSONValue?, _ theirs: JSONValue?) -> Bool {
    guard let ours, let theirs else { return ours == nil && theirs == nil }
    if theirs["$date"] != nil { return ours.string != nil }
    if let members = theirs.members {
      return ours.members?.count == members.count
        && members.allSatisfy { member in
          let mine = ours.members?.first { $0.key.utf8.elementsEqual(member.key.utf8) }
          return isSame(mine?.value, member.value)
        }
    }
    if let elements = theirs.array {
      return ours.array?.count == elements.count
        && zip(ours.array ?? [], elements).allSatisfy { isSame($0, $1) }
    }
    return ours == theirs
  }
}
