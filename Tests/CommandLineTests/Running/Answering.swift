// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Comparisons as documents, and the answers in them.
enum Answering {
  typealias Object = [String: Any]

  static let purposes = ["track", "arrival", "fence", "area"]

  static func document(_ path: String, _ options: [String] = []) throws -> Object {
    let answer = try Program.run(["compare", "--json"] + options + [path])
    #expect(answer.code == 0, "\(answer.errors)")
    return try #require(try answer.documents().first)
  }

  static func answers(_ document: Object) -> [String: Object] {
    (document["answers"] as? [String: Object] ?? [:]).filter { $0.value["mode"] != nil }
  }

  static func untested(_ document: Object) -> [String: String] {
    (document["answers"] as? [String: Object] ?? [:]).compactMapValues {
      $0["untested"] as? String
    }
  }

  static func row(of answer: Object, in document: Object) throws -> Object {
    let runs = try #require(document["runs"] as? [Object])
    return try #require(
      runs.first { run in
        ["mode", "scenario", "policy"].allSatisfy {
          run[$0] as? String == answer[$0] as? String
        } && run["auto_pause"] as? Bool == answer["auto_pause"] as? Bool
      })
  }

  /// Every trace of the repository, and of the corpus if there is one.
  static let everyTrace: [String] = {
    let corpus = ProcessInfo.processInfo.environment["MILEPOST_CORPUS"]
    let folders = [Package.root.appendingPathComponent("Traces").path] + [corpus].compactMap(\.self)
    let endings = [".gpx", ".nmea", ".json", ".log"]
    return folders.flatMap { folder in
      ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
        .filter { name in endings.contains(where: name.hasSuffix) }.map { "\(folder)/\($0)" }
    }
  }()
}
