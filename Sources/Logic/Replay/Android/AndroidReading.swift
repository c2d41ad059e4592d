// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationEngine
import LocationModel
import ServiceContract

/// The systems whose apps a scenario plays.
enum ScenarioPlatform: String, CaseIterable {
  case ios
  case android
}

extension ScenarioDraft {
  /// Reads the rest of a scenario with `platform: android`.
  mutating func readAndroid() {
    for key in ["era", "eras"] where table.states(key) {
      _ = table.value(key)
      table.noteProblem(
        at: key, "is for platform: ios; an Android scenario has a release, or releases")
    }
    let release = table.word("release", among: AndroidRelease.all.map(\.name))
    var script = AndroidScript(release: release.flatMap(AndroidRelease.named) ?? .usual)
    script.testedReleases = testedReleases()
    takePlaces()
    for (element, table) in appTables() {
      var reader = AndroidAppReader(table, vocabulary)
      if element.members != nil { reader.readApp() }
      note(app: reader.app.name, reader.table)
      if !reader.app.name.isEmpty {
        script.apps.append(reader.app)
        scenario.expectations += reader.claims.map {
          Expectation($0.claim, $0.sentence, of: reader.app.name)
        }
      }
    }
    script.acts = acts(among: AndroidAct.phrases)
    scenario.android = script
    takeExpectations(of: script.apps.map(\.name))
  }

  private mutating func testedReleases() -> [AndroidRelease] {
    let names = AndroidRelease.all.map(\.name)
    var found: [AndroidRelease] = []
    for (index, element) in (list("releases", limit: names.count) ?? []).enumerated() {
      if let release = element.string.flatMap(AndroidRelease.named) {
        found.append(release)
      } else {
        table.noteProblem(
          at: "releases[\(index)]",
          SettingsTable.refusal(of: element.string ?? SettingsTable.words(element), among: names))
      }
    }
    return found
  }
}

/// The reader of one element of `apps` on Android.
struct AndroidAppReader {
  var table: SettingsTable
  private(set) var app = AndroidScriptApp(name: "")
  private(set) var claims: [(claim: Expectation.Claim, sentence: String)] = []
  private let vocabulary: Vocabulary

  init(_ table: SettingsTable, _ vocabulary: Vocabulary) {
    self.table = table
    self.vocabulary = vocabulary
  }

  mutating func readApp() {
    let name = table.string("name") ?? ""
    if AppName.isValid(name) {
      app.name = name
    } else {
      table.noteProblem(
        at: "name", name.isEmpty ? "missing; say name: tracker" : ScenarioDraft.notAName)
    }
    app.permission =
      table.word("permission", among: AndroidPermission.allCases.map(\.rawValue))
      .flatMap(AndroidPermission.init) ?? .always
    app.isApproximate = table.word("location", among: ["precise", "approximate"]) == "approximate"
    for trigger in AndroidTrigger.allCases {
      let key = "on \(trigger.rawValue)"
      guard let value = table.value(key) else { continue }
      app.handlers[trigger] = table.sentences(
        key, value, limit: ScenarioApp.stepLimit, among: AndroidStep.phrases, vocabulary, "an app")
    }
    claims = table.claims(among: Expectation.Claim.ofApps, vocabulary)
    table.finish()
  }
}
