// SPDX-License-Identifier: Apache-2.0

import Testing

/// What is declared in one place and asked for in another, without which the compiler is content.
@Suite("What is declared is not forgotten elsewhere")
struct ForgottenTests {
  /// The files below any of these paths, without those below `except`.
  private func files(in paths: [String], except: [String] = []) throws -> [SourceFile] {
    let files = try Repository.sources.get().filter { file in
      paths.contains { file.path.hasPrefix($0) } && !except.contains { file.path.hasPrefix($0) }
    }
    try #require(!files.isEmpty)
    return files
  }

  /// The members that a file names: `.width`; only those that are set if `isSet`.
  private func members(of file: SourceFile, isSet: Bool = false) -> [String] {
    let bytes = file.code.bytes
    return file.code.words.filter { word in
      guard word.before == UInt8(ascii: ".") else { return false }
      return !isSet || bytes[(word.start + word.text.utf8.count)...].starts(with: " = ".utf8)
    }.map(\.text)
  }

  @Test("Each rule of an era is asked by somebody")
  func rules() throws {
    let model = "Sources/Values/LocationModel/"
    let rules = try Declared.properties(of: "Era", in: model + "Era.swift")
    #expect(rules.count > 20)
    let askers = try files(
      in: ["Sources/"], except: [model + "Era.swift", model + "EraRule.swift"])
    let asked = Set(askers.flatMap { members(of: $0) })
    #expect(rules.filter { !asked.contains($0) } == [], "rules that nobody asks")
  }

  private static let contract = "Sources/Logic/ServiceContract/"
  private static let core = "Sources/Logic/ServiceCore/"
  private static let meaning = core + "ServiceSettings+Configuration.swift"

  @Test("Each option of the configuration means something to the service, or to an edge")
  func options() throws {
    let options = try Declared.properties(
      of: "DaemonConfiguration", in: Self.contract + "Settings/DaemonConfiguration.swift")
    #expect(options.count > 30)
    let stated = try files(in: [Self.contract + "Settings/ConfigurationOption"]).map(\.text)
      .joined()
    let used = Set(
      try files(in: [Self.meaning, "Sources/Wiring/DaemonRuntime/", "Sources/Programs/milepostd/"])
        .flatMap { $0.code.words.map(\.text) })
    #expect(options.filter { !used.contains($0) } == [], "options that nobody reads")
    // Whether there is a file is nothing that stands in it.
    #expect(
      options.filter { $0 != "isAbsent" && !stated.contains("\\.\($0)") } == [],
      "properties that are no ConfigurationOption")
  }

  @Test(
    "Each setting of the service is set from a configuration or by a shell, and decides something")
  func settings() throws {
    let settings = try Declared.properties(
      of: "ServiceSettings", in: Self.contract + "ServiceSettings.swift")
    #expect(settings.count > 20)
    let read = Set(
      try files(in: [Self.core], except: [Self.meaning]).flatMap { members(of: $0) })
    #expect(settings.filter { !read.contains($0) } == [], "settings that decide nothing")
    let shells = try files(in: ["Sources/"], except: [Self.contract])
    let isSet = Set(shells.flatMap { members(of: $0, isSet: true) })
    // Others are arguments of the initializer, which the compiler asks for.
    let meaning = try Repository.text(of: Self.meaning)
    #expect(
      settings.filter { !isSet.contains($0) && !meaning.contains("\($0): ") } == [],
      "settings that nobody sets")
  }

  @Test("Each message has its form")
  func forms() throws {
    let room = "Sources/Logic/ControlProtocol/"
    let text = try files(in: [room], except: [room + "ClientMessage+Sorted.swift"]).map(\.text)
      .joined()
    // `?WATCH` is put together; a document and sentences are written as they are.
    let others: Set = ["gpsd(.watch", "gpsd(.watchSentences", "sentences", "document"]
    var messages = try Declared.cases(of: "ServerMessage", in: room + "ServerMessage.swift")
    for type in ["App", "Background", "GPSD", "User"] {
      let group = type == "GPSD" ? "gpsd" : type.lowercased()
      messages += try Declared.cases(of: type, in: room + "ClientMessage.swift")
        .map { "\(group)(.\($0)" }
    }
    #expect(messages.count > 80)
    let without = messages.filter { message in
      let name = message.split(separator: ".").last ?? ""
      return !text.contains("case .\(message)(") && !text.contains("\", .\(name))")
    }
    #expect(without.filter { !others.contains($0) } == [], "messages without a form")
  }

  @Test("Each input and each effect is one that a test records and reads back")
  func recorded() throws {
    let test = try Repository.text(of: "Tests/ServiceTests/Recording/CodingTests.swift")
    for type in ["ServiceInput", "ServiceEffect"] {
      let cases = try Declared.cases(of: type, in: Self.contract + type + ".swift")
      #expect(cases.count > 10)
      let without = try cases.filter { !test.contains(try Regex("[ \\[]\\.\($0)\\b")) }
      #expect(without == [], "cases of \(type) that CodingTests has not")
    }
  }

  @Test(
    "Each kind stands where people, or another implementation, look for it",
    arguments: [
      (
        "\\n  static let \\w+ = SinkKind\\(\"(\\w+)\"", "Sources/Edges/Sinks",
        "Milepost.docc/Uplinks.md", "`NAME`"
      ),
      (
        "(?:PolicyKind|kind)\\(\\s*\"([\\w-]+)\"", "Sources/Logic/LocationEngine/Policies",
        "Milepost.docc/How-the-filter-decides.md", "| `NAME` |"
      ),
      (
        "model: \"(\\w+)\"", "Sources/Logic/RadioPower/Machines", "Tools/recompute-energy",
        "\"NAME\": ("
      ),
    ])
  func kinds(declaration: String, folder: String, page: String, row: String) throws {
    let path = page.hasPrefix("Tools") ? page : "Sources/Programs/milepost/" + page
    let text = try Repository.text(of: path)
    let names = try Repository.swiftFiles(in: folder).flatMap { file in
      file.text.matches(of: try Regex(declaration)).compactMap { $0.output[1].substring }
    }
    #expect(names.count >= 5)
    let without = names.filter { !text.contains(row.replacing("NAME", with: $0)) }
    #expect(without == [], "\(page) says nothing of them")
  }
}

/// What a type declares, read from its text: the members that stand at its own indentation.
private enum Declared {
  private static func lines(of type: String, in path: String) throws -> [Substring] {
    let lines = try Repository.text(of: path).split(separator: "\n")
    let head = try Regex("^ *(?:package |indirect )*(?:struct|enum) \(type)\\b")
    let first = try #require(lines.firstIndex { $0.contains(head) }, "\(path): \(type)")
    let indentation = lines[first].prefix { $0 == " " }
    let body = lines[(first + 1)...].prefix { $0 != indentation + "}" }
    return body.filter { $0.hasPrefix(indentation + "  ") }
      .map { $0.dropFirst(indentation.count + 2) }
  }

  /// Its stored properties.
  static func properties(of type: String, in path: String) throws -> [String] {
    try lines(of: type, in: path).filter { !$0.hasSuffix("{") }
      .compactMap { $0.prefixMatch(of: /(?:@\w+ )?package var (\w+)/).map { String($0.1) } }
  }

  /// The names of its cases, of which a line may have several.
  static func cases(of type: String, in path: String) throws -> [String] {
    try lines(of: type, in: path).flatMap { line -> [String] in
      guard let head = line.prefixMatch(of: /(?:indirect )?case\s/) else { return [] }
      var depth = 0
      let names = line[head.range.upperBound...].filter { letter in
        if letter == "(" || letter == "[" { depth += 1 }
        defer { if letter == ")" || letter == "]" { depth -= 1 } }
        return depth == 0
      }
      return names.split(separator: ",").map { name in
        String(name.drop { $0 == " " }.prefix { $0.isLetter || $0.isNumber })
      }
    }
  }
}
