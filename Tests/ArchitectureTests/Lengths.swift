// SPDX-License-Identifier: Apache-2.0

extension Checks {
  static let longestFile = 400
  /// Machines whose state stays private, although that makes their file longer: the limits in lines.
  static let longMachines = [
    "Sources/Logic/LocationEngine/LifeCycle/AppLifecycle.swift": 430,
    "Sources/Logic/LocationEngine/Policies/Milepost/MilepostPolicy.swift": 535,
    "Sources/Logic/LocationEngine/Policies/Milepost/PaceBelief.swift": 460,
    "Sources/Edges/MessageBus/Modem/ModemMachine.swift": 470,
    "Sources/Logic/ServiceCore/Clients/Clients.swift": 410,
    "Sources/Logic/ServiceCore/Outboxes/Outboxes.swift": 495,
    "Sources/Logic/ServiceCore/World/World.swift": 470,
    "Sources/Edges/Sinks/MQTT/MQTTSession.swift": 420,
    "Sources/Apple/LocationClient/Session/SessionMachine.swift": 785,
    "Sources/Apple/LocationClient/Session/LocationSession.swift": 410,
    "Sources/Apple/LocationClient/CoreLocation/CLLocationManager.swift": 410,
    "Tests/ServiceSimulation/Lives/LifeWatch.swift": 410,
  ]
  static let longestFunction = 70

  static func fileLength(of file: SourceFile) -> [Finding] {
    let count = file.lines.count - (file.text.hasSuffix("\n") ? 1 : 0)
    let limit = longMachines[file.path] ?? longestFile
    guard count > limit else { return [] }
    return [
      Finding(
        path: file.path, line: count,
        message: "\(count) lines, at most \(limit): split it by what it is about")
    ]
  }

  /// From the line of `func`, `init` or `subscript` to the one of its closing brace.
  static func functionLengths(in file: SourceFile) -> [Finding] {
    file.code.words.compactMap { word in
      guard declaresFunction(word), let body = body(after: word, in: file.code) else { return nil }
      let newlines = file.code.bytes[word.start..<body.upperBound].count { $0 == newline }
      guard newlines + 1 > longestFunction else { return nil }
      return Finding(
        path: file.path, line: word.line,
        message: "a function of \(newlines + 1) lines, at most \(longestFunction): move loops' "
          + "bodies into functions that have a name")
    }
  }

  private static let newline = UInt8(ascii: "\n")

  private static func declaresFunction(_ word: Code.Word) -> Bool {
    switch word.text {
    case "func", "subscript": word.before != UInt8(ascii: ".")
    // `self.init(` and `.init(` are calls.
    case "init":
      word.before != UInt8(ascii: ".")
        && [UInt8(ascii: "("), UInt8(ascii: "?"), UInt8(ascii: "<")].contains(word.after)
    default: false
    }
  }

  /// The braces of a declaration; `nil` for a requirement of a protocol, which has none.
  private static func body(after word: Code.Word, in code: Code) -> ClosedRange<Int>? {
    guard let open = opening(after: word, in: code) else { return nil }
    var depth = 0
    for position in open..<code.bytes.count {
      if code.bytes[position] == UInt8(ascii: "{") { depth += 1 }
      if code.bytes[position] == UInt8(ascii: "}") { depth -= 1 }
      if depth == 0 { return open...position }
    }
    return nil
  }

  /// The first brace outside parentheses, on a line that the declaration still reaches: a line that
  /// ends outside parentheses is the last one, unless the next begins with one of a signature's words.
  private static func opening(after word: Code.Word, in code: Code) -> Int? {
    var parentheses = 0
    var position = word.start
    while position < code.bytes.count {
      switch code.bytes[position] {
      case UInt8(ascii: "("): parentheses += 1
      case UInt8(ascii: ")"): parentheses -= 1
      case UInt8(ascii: "{") where parentheses == 0: return position
      case UInt8(ascii: "}") where parentheses == 0: return nil
      case newline where parentheses == 0 && !continues(after: position, in: code): return nil
      default: break
      }
      position += 1
    }
    return nil
  }

  private static func continues(after position: Int, in code: Code) -> Bool {
    let rest = code.bytes[(position + 1)...].drop { $0 == UInt8(ascii: " ") || $0 == newline }
    return ["{", "->", "where ", "throws", "async"].contains { rest.starts(with: $0.utf8) }
  }
}
