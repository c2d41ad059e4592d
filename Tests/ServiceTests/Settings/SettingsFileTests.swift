// SPDX-License-Identifier: Apache-2.0

import JSONText
import SettingsFiles
import Testing

@Suite("Files of settings become trees")
struct SettingsFileTests {
  @Test("Each form gives the same kinds of values")
  func values() throws {
    let yaml = "whole: 7\nhalf: 0.5\nyes: true\nwords: [a, b]\ninner:\n  key: value\n"
    let json = """
      {"whole": 7, "half": 0.5, "yes": true, "words": ["a", "b"], "inner": {"key": "value"}}
      """
    let list = """
      <plist version="1.0"><dict><key>whole</key><integer>7</integer><key>half</key><real>0.5</real>
      <key>yes</key><true/><key>words</key><array><string>a</string><string>b</string></array>
      <key>inner</key><dict><key>key</key><string>value</string></dict></dict></plist>
      """
    for (name, text) in [("a.yaml", yaml), ("a.yaml", json), ("a.json", json), ("a.plist", list)] {
      let tree = try SettingsFile.document(Array(text.utf8), name: name, orInfoPlist: true).value
      #expect(tree["whole"] == .number(7), "\(name)")
      #expect(tree["half"] == .number(0.5), "\(name)")
      #expect(tree["yes"] == .bool(true), "\(name)")
      #expect(tree["words"] == .array([.string("a"), .string("b")]), "\(name)")
      #expect(tree["inner"]?["key"] == .string("value"), "\(name)")
    }
  }

  @Test("One and zero of a property list are numbers, true and false are not")
  func truth() throws {
    let text = """
      <plist><dict><key>one</key><integer>1</integer><key>zero</key><integer>0</integer>
      <key>no</key><false/></dict></plist>
      """
    let tree = try SettingsFile.document(Array(text.utf8), name: "a.plist", orInfoPlist: true).value
    #expect(tree["one"] == .number(1))
    #expect(tree["zero"] == .number(0))
    #expect(tree["no"] == .bool(false))
    let binary = try SettingsFile.document(Forms.infoPlist, name: "Info.plist", orInfoPlist: true)
      .value
    #expect(binary["UIApplicationExitsOnSuspend"] == .bool(true))
  }

  @Test("Dates are text, quoted words stay text, an empty file has no members")
  func texts() throws {
    let yaml = try SettingsFile.document(
      Array("day: 2026-05-04\nword: \"yes\"\nnone: ~\n".utf8), name: "a.yml", orInfoPlist: true
    ).value
    #expect(yaml["day"] == .string("2026-05-04"))
    #expect(yaml["word"] == .string("yes"))
    #expect(yaml["none"] == .null)
    #expect(try SettingsFile.document([], name: "a.yaml", orInfoPlist: true).value == .object([]))
    #expect(
      try SettingsFile.document(
        [0xEF, 0xBB, 0xBF] + "a: 1".utf8, name: "a.yaml", orInfoPlist: true
      ).value["a"] != nil)
  }

  @Test(
    "An error says file, line and column, and what is wrong",
    arguments: [
      ("a.toml", "a = 1\n", "a.toml: TOML is no longer read; write it as YAML"),
      ("a.yaml", "# From before.\n\nname = \"x\"\n", "a.yaml: TOML is no longer read"),
      ("a.yaml", "[sinks.van]\nkind = \"file\"\n", "a.yaml: TOML is no longer read"),
      ("a.yaml", "a: [1,\nb: 2\n", "a.yaml:3:1: not YAML: "),
      ("a.yaml", "a: 1\na: 2\n", "a.yaml:1:1: the key 'a' stands there twice; keep one"),
      ("a.yaml", "a: .nan", "a.yaml:1:4: not a finite number; no setting means .inf or .nan"),
      ("a.yaml", "a: *b", "a.yaml:1:4: not YAML: found undefined alias"),
      ("a.json", "{\"a\": 1,\n \"b\" 2}", "a.json:2:6: not JSON: ':' was expected"),
      ("a.json", "", "a.json:1:1: not JSON: a value was expected"),
      ("a.plist", "", "a.plist: the file is empty"),
      ("a.plist", "<plist><dict><key>a</key></dict></plist>", "a.plist: not a property list: "),
      (
        "a.conf", "a: 1",
        "a.conf: its name does not say its form; name it .yaml, .yml, .json, or .plist if it is an "
          + "app's Info.plist"
      ),
    ])
  func errors(name: String, text: String, message: String) {
    #expect(Self.message(Array(text.utf8), name).hasPrefix(message))
  }

  /// The examples of YAML 1.2.2, 10.3.2 (core schema) and its tables, and what YAML 1.1 reads otherwise.
  @Test(
    "A plain word means what YAML 1.2 says",
    arguments: [
      ("0", .number(0)), ("0o7", .number(7)), ("0x3A", .number(58)), ("-19", .number(-19)),
      ("0.", .number(0)), ("-0.0", .number(-0.0)), (".5", .number(0.5)),
      ("+12e03", .number(12_000)),
      ("-2E+05", .number(-200_000)), ("010", .number(10)), ("1_000", .string("1_000")),
      ("12:30", .string("12:30")), ("1.2.3", .string("1.2.3")),
      ("127.0.0.1:8080", .string("127.0.0.1:8080")),
      ("0x", .string("0x")), ("0x-1", .string("0x-1")), ("e5", .string("e5")),
      ("true", .bool(true)), ("FALSE", .bool(false)), ("null", .null), ("~", .null), ("", .null),
      ("off", .string("off")), ("no", .string("no")), ("Yes", .string("Yes")), ("y", .string("y")),
      ("nan", .string("nan")), ("infinity", .string("infinity")),
      ("2026-05-04", .string("2026-05-04")),
    ] as [(String, JSONValue)])
  func plainWords(word: String, value: JSONValue) throws {
    #expect(
      try SettingsFile.document(Array("a: \(word)".utf8), name: "a.yaml", orInfoPlist: true).value[
        "a"] == value)
  }

  @Test("A property list is an app's Info.plist only")
  func onlyInfoPlist() {
    let error = #expect(throws: Complaint.self) {
      _ = try SettingsFile.document(Forms.infoPlist, name: "milepostd.plist")
    }
    #expect(
      error?.message
        == "milepostd.plist: a property list is read as an app's Info.plist only; write YAML")
    let unknown = #expect(throws: Complaint.self) {
      _ = try SettingsFile.document([], name: "milepostd")
    }
    #expect(
      unknown?.message
        == "milepostd: its name does not say its form; name it .yaml, .yml or .json")
  }

  @Test("Bytes that are no text, and files that are too long, are refused")
  func bytes() {
    #expect(Self.message([0x61, 0xFF], "a.yaml") == "a.yaml: not UTF-8 text; save it as UTF-8")
    let long = [UInt8](repeating: 0x20, count: 1_048_577)
    #expect(
      Self.message(long, "a.json")
        == "a.json: 1048577 bytes; a file of settings has at most 1048576")
  }

  @Test(
    "What is nested without end, or unfolds without end, is refused and costs little",
    arguments: hostile.indices)
  func depth(index: Int) {
    // By number, since a test's arguments are printed.
    let (name, text) = Self.hostile[index]
    let message = Self.message(Array(text.utf8), name)
    #expect(message != "" && message.count < 300)
  }

  @Test("A binary property list that is cut or changed at any byte is refused or read, no more")
  func damage() {
    let bytes = Forms.infoPlist
    for length in bytes.indices { _ = Self.message(Array(bytes.prefix(length)), "a.plist") }
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= 0xA5
      _ = Self.message(changed, "a.plist")
    }
  }

  @Test(
    "A binary property list with a set in it is refused before Foundation, which would end the process"
  )
  func set() {
    // A set (0xC1) of one object, which is `true`; the offsets of both; sizes 1 and 1, two objects, the first on top.
    let objects: [UInt8] = [0xC1, 1, 0x09, 8, 10]
    let trailer: [UInt8] =
      [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 2] + [0, 0, 0, 0, 0, 0, 0, 0]
      + [0, 0, 0, 0, 0, 0, 0, 11]
    #expect(
      Self.message(Array("bplist00".utf8) + objects + trailer, "a.plist")
        == "a.plist: a set, or another object that property list files do not have: save it as XML")
  }

  private static let hostile: [(name: String, text: String)] = {
    let brackets = String(repeating: "[", count: 100_000)
    let dots = Array(repeating: "a", count: 200_000).joined(separator: ".")
    let steps = (0..<900).map { String(repeating: " ", count: $0) + "a:\n" }.joined()
    let opening = String(repeating: "<array>", count: 50_000)
    let closing = String(repeating: "</array>", count: 50_000)
    return [
      ("a.yaml", "a: \(brackets)"), ("a.yaml", "[\(dots)]"),
      ("a.yaml", brackets), ("a.yaml", steps), ("a.yaml", bomb), ("a.json", brackets),
      ("a.plist", "<plist>\(opening)\(closing)</plist>"),
    ]
  }()

  /// Nine aliases a level, nine levels.
  private static let bomb: String = {
    var text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
    for level in 1...9 {
      let parts = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
      text += "a\(level): &a\(level) [\(parts)]\n"
    }
    return text
  }()

  private static func message(_ bytes: [UInt8], _ name: String) -> String {
    do {
      _ = try SettingsFile.document(bytes, name: name, orInfoPlist: true).value
      return ""
    } catch let error as Complaint {
      return error.message
    } catch {
      return "another error: \(error)"
    }
  }
}
