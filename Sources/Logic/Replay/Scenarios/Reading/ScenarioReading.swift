// SPDX-License-Identifier: Apache-2.0

import Geodesy
package import JSONText
import LocationModel
package import ServiceContract

extension Scenario {
  /// Reads a scenario file's tree. Throws `SettingsError` with all of its faults, in the order in which the
  /// documentation has the keys; `file` is its name in messages.
  package init(_ value: JSONValue, file: String) throws(SettingsError) {
    var draft = ScenarioDraft(SettingsTable(value, file: file))
    if value.members != nil { draft.readScenario() }
    guard draft.table.problems.isEmpty else {
      throw SettingsError(problems: draft.table.problems)
    }
    self = draft.scenario
  }
}

/// A scenario while it is read.
struct ScenarioDraft {
  var table: SettingsTable
  var scenario = Scenario(apps: [], acts: [])
  private(set) var vocabulary = Vocabulary()

  init(_ table: SettingsTable) { self.table = table }

  mutating func readScenario() {
    scenario.title = table.string("scenario") ?? ""
    scenario.trace = table.string("trace")
    let platform = table.word("platform", among: ScenarioPlatform.allCases.map(\.rawValue))
    switch platform.flatMap(ScenarioPlatform.init) {
    case .android: readAndroid()
    case .ios, nil:
      takeEra()
      takePlaces()
      takeApps()
      scenario.acts = acts(among: Happening.phrases)
      takeExpectations(of: scenario.apps.map(\.name))
    }
    table.finish()
  }

  // MARK: Era

  private mutating func takeEra() {
    scenario.era = table.era("era")
    for (index, element) in (list("eras", limit: Era.all.count) ?? []).enumerated() {
      let names = Era.all.map(\.name)
      if let era = element.string.flatMap(Era.named) {
        scenario.testedEras.append(era)
      } else {
        table.noteProblem(
          at: "eras[\(index)]",
          SettingsTable.refusal(
            of: element.string ?? SettingsTable.words(element), among: names))
      }
    }
  }

  // MARK: Expectations

  /// Those of the device; with one app its own too.
  mutating func takeExpectations(of apps: [String]) {
    let only = apps.count == 1 ? apps.first : nil
    let isSink = scenario.apps.count == 1 && scenario.apps[0].sink != nil
    let own = isSink ? Expectation.Claim.ofSinks : Expectation.Claim.ofApps
    let phrases = (only == nil ? [] : own) + Expectation.Claim.ofDevices
    for (claim, sentence) in table.claims(among: phrases, vocabulary) {
      let isOfDevice = if case .energy = claim { true } else { false }
      scenario.expectations.append(
        Expectation(claim, sentence, of: isOfDevice ? nil : only))
    }
  }

  // MARK: Places

  mutating func takePlaces() {
    guard let value = table.value("places") else { return }
    guard let members = value.members else {
      return table.noteProblem(
        at: "places",
        "\(SettingsTable.words(value)) where names and circles were expected, as in "
          + "home: {lat: 48.1, lon: 11.5, radius: 300 m}")
    }
    for member in members {
      let path = "places.\(SettingsTable.shortened(member.key))"
      guard AppName.isValid(member.key) else {
        table.noteProblem(at: path, Self.notAName)
        continue
      }
      if vocabulary.places.contains(where: { $0.name == member.key }) {
        table.noteProblem(at: path, "given twice; keep one")
      } else {
        // A faulty one too: sentences may name it.
        let place = place(member.value, named: member.key, at: path) ?? .nowhere
        vocabulary.places.append(
          Place(name: member.key, centre: place.centre, radius: place.radius))
      }
    }
  }

  static let notAName = "not a name: \(AppName.words)"

  private mutating func place(_ value: JSONValue, named name: String, at path: String) -> Place? {
    var circle = SettingsTable(value, file: table.file, path: path)
    var found: Place?
    if value.members != nil {
      let latitude = circle.required("lat", in: -90...90, unit: "degrees north")
      let longitude = circle.required("lon", in: -180...180, unit: "degrees east")
      let radius = circle.quantity("radius", .distance, in: 1...1_000_000)
      circle.finish()
      if let latitude, let longitude, let radius,
        let centre = Coordinate(latitude: latitude, longitude: longitude)
      {
        found = Place(name: name, centre: centre, radius: radius)
      }
    }
    table.include(problems: circle.problems)
    return found
  }

  // MARK: Apps

  /// The elements of `apps`, each with the table that reads it.
  mutating func appTables() -> [(element: JSONValue, table: SettingsTable)] {
    guard let elements = list("apps", limit: Scenario.appLimit) else {
      if !table.states("apps") {
        table.noteProblem(at: "apps", "missing; say at least one, as in apps: [{name: walker}]")
      }
      return []
    }
    if elements.isEmpty {
      table.noteProblem(at: "apps", "empty; say at least one, as in - name: walker")
    }
    return elements.enumerated().map { index, element in
      (element, SettingsTable(element, file: table.file, path: table.path("apps[\(index)]")))
    }
  }

  /// Notes an app and the problems of its table. A faulty one is known too: acts may name it.
  mutating func note(app name: String, _ read: SettingsTable) {
    var read = read
    if vocabulary.apps.contains(name) {
      read.noteProblem(at: "name", "there is an app '\(name)' already")
    }
    table.include(problems: read.problems)
    if !name.isEmpty { vocabulary.apps.append(name) }
  }

  private mutating func takeApps() {
    for (element, table) in appTables() {
      var reader = AppReader(table, vocabulary)
      if element.members != nil { reader.readApp(element) }
      note(app: reader.app.name, reader.table)
      if !reader.app.name.isEmpty {
        scenario.apps.append(reader.app)
        scenario.expectations += reader.claims.map {
          Expectation($0.claim, $0.sentence, of: reader.app.name)
        }
      }
    }
  }

  mutating func list(_ key: String, limit: Int) -> [JSONValue]? {
    guard let value = table.value(key) else { return nil }
    guard let elements = value.array else {
      table.noteProblem(at: key, "\(SettingsTable.words(value)) where a list was expected")
      return nil
    }
    guard elements.count <= limit else {
      table.noteProblem(at: key, "\(elements.count) elements; at most \(limit) are allowed")
      return nil
    }
    return elements
  }

  // MARK: Acts

  mutating func acts<What>(among phrases: [Phrase<What>]) -> [TimedAct<What>] {
    var found: [TimedAct<What>] = []
    var order = ActOrder()
    for (index, element) in (list("then", limit: Scenario.actLimit) ?? []).enumerated() {
      var line = SettingsTable(element, file: table.file, path: table.path("then[\(index)]"))
      if element.members != nil {
        let when = moment(of: &line)
        let acts = happenings(of: &line, among: phrases)
        line.finish()
        if let when {
          if let trouble = order.trouble(with: when) { line.noteProblem(at: "at", trouble) }
          for (number, what) in acts.enumerated() {
            found.append(TimedAct(what, number == 0 ? when : .later(0)))
          }
        }
      }
      table.include(problems: line.problems)
    }
    return found
  }

  private mutating func happenings<What>(
    of line: inout SettingsTable, among phrases: [Phrase<What>]
  ) -> [What] {
    guard let value = line.value("do") else {
      line.noteProblem(at: "do", "missing; say what happens, as in do: home")
      return []
    }
    return line.sentences("do", value, limit: 16, among: phrases, vocabulary, "a user")
  }

  private mutating func moment(of line: inout SettingsTable) -> ActMoment? {
    let keys = ["at", "on leaving", "on reaching"]
    let stated = keys.filter { line.states($0) }
    guard stated.count == 1 else {
      // Known from here on, so that they are not reported twice.
      for key in keys { _ = line.value(key) }
      line.noteProblem(
        at: "at",
        stated.isEmpty
          ? "missing; say at: 60 s, at: +10 min, at: 2024-05-01T08:00:00Z, on leaving: PLACE or "
            + "on reaching: PLACE"
          : "\(stated.joined(separator: " and ")); one line has one of them")
      return nil
    }
    if stated[0] == "at" { return instant(of: &line) }
    guard let place = place(of: &line, stated[0]) else { return nil }
    return stated[0] == "on leaving" ? .leaving(place) : .reaching(place)
  }

  private mutating func place(of line: inout SettingsTable, _ key: String) -> Place? {
    guard let value = line.value(key) else { return nil }
    if value.members != nil { return place(value, named: "the circle", at: line.path(key)) }
    let text = value.string ?? ""
    if let place = vocabulary.places.first(where: { $0.name == text }) { return place }
    let names = vocabulary.places.map(\.name)
    line.noteProblem(
      at: key,
      names.isEmpty
        ? "\(SettingsTable.words(value)) is no place; write {lat: 48.1, lon: 11.5, radius: 300 m}, or "
          + "name one under places"
        : SettingsTable.refusal(of: value.string ?? SettingsTable.words(value), among: names))
    return nil
  }

  private mutating func instant(of line: inout SettingsTable) -> ActMoment? {
    guard let value = line.value("at") else { return nil }
    let text = value.string ?? ""
    if let (utc, _) = RFC3339.parse(text) { return .utc(utc) }
    let isLater = text.hasPrefix("+")
    let words = (isLater ? text.dropFirst() : text[...]).split(separator: " ").map(String.init)
    if let (seconds, count) = Quantity.time.readQuantity(words[...]), count == words.count {
      return isLater ? .later(seconds) : .elapsed(seconds)
    }
    let isBare = value.number != nil
    line.noteProblem(
      at: "at",
      SettingsTable.words(value)
        + (isBare ? " has no unit" : " is not a time of at most ten years")
        + "; write 60 s (from the trace's begin), +10 min (after the line before) or "
        + "2024-05-01T08:00:00Z")
    return nil
  }
}

/// The earliest that the next line can come, on either axis. A line whose own time is before that would come at once,
/// which is never meant.
private struct ActOrder {
  private var least = 0.0
  private var leastUTC: UTCInstant?

  /// The message about a line whose time is too early; `nil` if it is not.
  mutating func trouble(with next: ActMoment) -> String? {
    switch next {
    case .elapsed(let seconds):
      defer { least = max(least, seconds) }
      return seconds < least ? Self.tooEarly(Decimal.shortest(seconds) + " s") : nil
    case .later(let more):
      least += more
      leastUTC = leastUTC?.advanced(bySeconds: more)
      return nil
    case .utc(let utc):
      let before = leastUTC ?? utc
      leastUTC = max(before, utc)
      return utc < before ? Self.tooEarly(utc.rfc3339) : nil
    case .leaving, .reaching: return nil
    }
  }

  private static func tooEarly(_ time: String) -> String {
    "\(time) stands behind a line that comes later; put the lines in their order"
  }
}
