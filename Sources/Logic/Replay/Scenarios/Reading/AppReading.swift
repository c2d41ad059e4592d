// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel
import ServiceContract

/// The reader of one element of `apps`.
struct AppReader {
  var table: SettingsTable
  private(set) var app = ScenarioApp(name: "")
  private(set) var claims: [(claim: Expectation.Claim, sentence: String)] = []
  private let vocabulary: Vocabulary

  /// Keys with the same meaning as in a manifest, which are read there.
  private static let ofManifests = [
    "name", "modes", "background_modes", "exits_on_suspend", "authorization", "accuracy",
    "notifications",
  ]

  init(_ table: SettingsTable, _ vocabulary: Vocabulary) {
    self.table = table
    self.vocabulary = vocabulary
  }

  mutating func readApp(_ value: JSONValue) {
    if table.states("sink") { return readSink() }
    readManifest(value)
    app.memory =
      table.number("memory_mb", in: 1...1_000_000, unit: "megabytes") ?? ScenarioApp.usualMemory
    for trigger in AppTrigger.allCases { takeHandler(trigger) }
    claims = table.claims(among: Expectation.Claim.ofApps, vocabulary)
    table.finish()
  }

  private mutating func readManifest(_ value: JSONValue) {
    let members = (value.members ?? []).filter { Self.ofManifests.contains($0.key) }
    for key in Self.ofManifests { _ = table.value(key) }
    let kind = JSONValue.Member("kind", .string(AppManifest.Kind.connected.rawValue))
    do throws(SettingsError) {
      let manifest = try AppManifest(
        .object([kind] + members), file: table.file, directory: "/", command: [],
        unstated: .always, needsCommand: false)
      app.name = manifest.name
      app.declaration = manifest.declaration
    } catch {
      for problem in error.problems { table.noteProblem(at: problem.path, problem.message) }
      // So that acts which name it are not reported as well.
      if let name = value["name"]?.string, AppName.isValid(name) { app.name = name }
    }
  }

  /// A sink: its table is that of the service's configuration. What only its server needs is of no matter here.
  private mutating func readSink() {
    let name = table.string("name") ?? ""
    claims = table.claims(among: Expectation.Claim.ofSinks, vocabulary)
    let value = table.value("sink") ?? .null
    table.finish()
    guard let members = value.members else {
      return table.noteProblem(
        at: "sink",
        "\(SettingsTable.words(value)) where a table was expected, as in {kind: overland, url: 'https://…'}"
      )
    }
    if value["url"] == nil, value["kind"]?.string != "file" {
      table.noteProblem(
        at: "sink.url", "missing; say where it sends, as in 'https://timeline.example'")
    }
    let keys = SinkSchedule.keys
    for member in members where !keys.contains(member.key) {
      guard let meant = NearestName.of(member.key, among: keys) else { continue }
      table.noteProblem(at: "sink.\(member.key)", "unknown; did you mean '\(meant)'?")
    }
    var schedule = SettingsTable(value, file: table.file, path: table.path("sink"))
    _ = SinkSchedule(&schedule)
    table.include(problems: schedule.problems)
    do throws(SettingsError) {
      let manifest = try DaemonConfiguration.sink(
        name, members, table.file, table.path("sink"), "/")
      app.declaration = manifest.declaration
      app.sink = manifest
    } catch { table.include(problems: error.problems) }
    if AppName.isValid(name) { app.name = name }
  }

  private mutating func takeHandler(_ trigger: AppTrigger) {
    let key = "on \(trigger.rawValue)"
    guard let value = table.value(key) else { return }
    let steps = table.sentences(
      key, value, limit: ScenarioApp.stepLimit, among: AppStep.phrases, vocabulary, "an app")
    app.handlers.append(.init(trigger, steps))
  }
}

extension SettingsTable {
  /// The claims under `expect`, each with its sentence.
  mutating func claims(
    among phrases: [Phrase<Expectation.Claim>], _ vocabulary: Vocabulary
  ) -> [(claim: Expectation.Claim, sentence: String)] {
    guard let value = value("expect") else { return [] }
    let elements = value.array ?? [value]
    guard elements.count <= Scenario.expectationLimit else {
      noteProblem(
        at: "expect",
        "\(elements.count) elements; at most \(Scenario.expectationLimit) are allowed")
      return []
    }
    var claims: [(claim: Expectation.Claim, sentence: String)] = []
    for (index, element) in elements.enumerated() {
      let path = value.array == nil ? "expect" : "expect[\(index)]"
      let found = sentences(
        path, element, limit: 1, among: phrases, vocabulary, "an expectation",
        example: "at most 30 J")
      if let claim = found.first, let sentence = element.string { claims.append((claim, sentence)) }
    }
    return claims
  }

  /// A sentence, or a list of them; faulty ones are noted and left out.
  mutating func sentences<Meaning>(
    _ key: String, _ value: JSONValue, limit: Int, among phrases: [Phrase<Meaning>],
    _ vocabulary: Vocabulary, _ subject: String, example: String = "work 5 s"
  ) -> [Meaning] {
    let elements = value.array ?? [value]
    guard elements.count <= limit else {
      noteProblem(at: key, "\(elements.count) elements; at most \(limit) are allowed")
      return []
    }
    var meanings: [Meaning] = []
    for (index, element) in elements.enumerated() {
      let path = value.array == nil ? key : "\(key)[\(index)]"
      guard let text = element.string, !text.unicodeScalars.contains("\0") else {
        noteProblem(
          at: path, "\(Self.words(element)) where a sentence was expected, as in \(example)")
        continue
      }
      do throws(InputError) {
        meanings.append(
          try Phrase.read(sentence: text, among: phrases, vocabulary, subject: subject))
      } catch {
        noteProblem(at: path, error.message)
      }
    }
    return meanings
  }

  /// A required number.
  mutating func required(_ key: String, in range: ClosedRange<Double>, unit: String) -> Double? {
    let number = number(key, in: range, unit: unit)
    if !states(key) { noteProblem(at: key, "missing; say a number of \(unit)") }
    return number
  }

  /// A required quantity such as `300 m`.
  mutating func quantity(
    _ key: String, _ quantity: Quantity, in range: ClosedRange<Double>
  ) -> Double? {
    guard let value = value(key) else {
      noteProblem(at: key, "missing; say \(quantity.words)")
      return nil
    }
    let words = (value.string ?? "").split(separator: " ").map(String.init)
    if let (size, count) = quantity.readQuantity(words[...]), count == words.count,
      range.contains(size)
    {
      return size
    }
    let (low, high) = (Decimal.shortest(range.lowerBound), Decimal.shortest(range.upperBound))
    noteProblem(
      at: key,
      "\(Self.words(value)) is not \(quantity.words), from \(low) to \(high) \(quantity.units[0].name)"
    )
    return nil
  }
}
