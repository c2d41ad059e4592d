// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSONText
import Replay
import ServiceContract
import SettingsFiles

/// The scenario that `--scenario` names: a built-in one, or a file.
enum ScenarioChoice: ExpressibleByArgument, Equatable {
  case builtIn(RunPlan.Scenario)
  /// A path.
  case file(String)

  /// A name with a point or a slash is a file's.
  init?(argument: String) {
    if let scenario = RunPlan.Scenario(rawValue: argument) {
      self = .builtIn(scenario)
    } else if argument.contains(where: { $0 == "." || $0 == "/" }) {
      self = .file(argument)
    } else {
      return nil
    }
  }

  static var allValueStrings: [String] { RunPlan.Scenario.allCases.map(\.rawValue) }

  static var defaultCompletionKind: CompletionKind { .file() }

  var defaultValueDescription: String { builtIn?.rawValue ?? path ?? "" }

  var builtIn: RunPlan.Scenario? { if case .builtIn(let scenario) = self { scenario } else { nil } }

  /// The path of a file.
  var path: String? { if case .file(let path) = self { path } else { nil } }

  /// The scenario of a file; `nil` for a built-in one. Only a caller that `playsAndroid` gets one of Android.
  func scenario(playsAndroid: Bool = false) throws -> Scenario? {
    guard let path else { return nil }
    let document = try SettingsFile.document(SettingsFile.readBytes(of: path), name: path)
    do throws(SettingsError) {
      let scenario = try Scenario(document.value, file: path)
      if playsAndroid || scenario.android == nil { return scenario }
    } catch {
      throw Complaint(error.located(by: document.lines).message)
    }
    throw Complaint(
      "\(path): a scenario of Android, which a model plays and no program: milepost replay --scenario \(path) "
        + "TRACE tells its account, milepost test \(path) TRACE what is expected of it")
  }
}
