// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import LocationModel

extension AppManifest {
  /// The greatest number of a command's arguments, and of an environment's variables.
  package static let listLimit = 256
  /// Reads a manifest in our own form (YAML, JSON) or an iOS Info.plist, recognised by its keys.
  ///
  /// `file` is its name in messages; a `.plist` is an Info.plist, whatever its keys. `directory` is
  /// its folder, an absolute path. `command` replaces the file's, and is how an Info.plist gets one. `unstated` is the
  /// authorization of a manifest that states none. `sinkProblems` returns the faults of a sink's table, in this file
  /// and from this directory. Throws `SettingsError` with all faults.
  package init(
    _ value: JSONValue, file: String, directory: String, command: [String]? = nil,
    unstated: Authorization = .notDetermined, needsCommand: Bool = true,
    sinkProblems: (SinkSettings, _ file: String, _ directory: String) -> [SettingsProblem] = {
      _, _, _ in []
    }
  ) throws(SettingsError) {
    var draft = ManifestDraft(
      table: SettingsTable(value, file: file), directory: directory, command: command,
      authorization: unstated, needsCommand: needsCommand)
    if value.members != nil {
      if InfoPlist.isOne(value, file: file) {
        draft.readInfoPlist()
      } else {
        draft.readOwnForm()
      }
      if let sink = draft.manifest.sink {
        draft.table.include(problems: sinkProblems(sink, file, draft.manifest.directory))
      }
    }
    guard draft.table.problems.isEmpty else {
      throw SettingsError(problems: draft.table.problems)
    }
    self = draft.manifest
  }
}

/// A manifest while being read; valid if there is no fault.
struct ManifestDraft {
  var table: SettingsTable
  private(set) var manifest: AppManifest
  /// The command from outside, which overrides the file's.
  private let command: [String]?
  /// Whether an empty command is wrong.
  private let needsCommand: Bool

  init(
    table: SettingsTable, directory: String, command: [String]?, authorization: Authorization,
    needsCommand: Bool
  ) {
    self.table = table
    self.command = command
    self.needsCommand = needsCommand
    var declaration = AppDeclaration()
    declaration.authorization = authorization
    manifest = AppManifest(
      name: "", kind: .connected, command: [], directory: directory, declaration: declaration,
      service: nil)
  }

  mutating func readOwnForm() {
    takeName(table.string("name"), key: "name", missing: "say what the app is called")
    if let kind = table.choice("kind", among: AppManifest.Kind.allCases) {
      manifest.kind = kind
    } else if !table.states("kind") {
      table.noteProblem(
        at: "kind",
        "missing; say handler (the command is run once for each event), connected (it holds a "
          + "connection) or sink (its events go where its key sink says)")
    }
    takeSink(key: "sink", example: "sink: {kind: file, folder: deliveries}")
    takeCommand(
      key: "command", missing: "say the program and its arguments, as in command: [./walker]")
    takeEnvironment(key: "environment")
    takeDirectory(key: "directory")
    takeModes(table.strings("modes", or: "background_modes", limit: 32))
    manifest.declaration.exitsOnSuspend = table.bool("exits_on_suspend") ?? false
    takeWishes(prefix: "")
    table.finish()
    checkTogether(serviceKey: "service", modesKey: "modes: [location]")
  }

  mutating func readInfoPlist() {
    takeName(
      table.string("CFBundleIdentifier"), key: "CFBundleIdentifier",
      missing: "it becomes the app's name, as in org.example.walker")
    manifest.kind = table.choice("MilepostKind", among: AppManifest.Kind.allCases) ?? .connected
    takeSink(key: "MilepostSink", example: "a dictionary with kind and folder")
    takeCommand(
      key: "MilepostCommand",
      missing: "an Info.plist does not say what to run here; add the command: milepost apps add "
        + "\(table.file) -- command...")
    takeEnvironment(key: "MilepostEnvironment")
    takeDirectory(key: "MilepostDirectory")
    // Modes unknown here (`processing`, `nearby-interaction`) concern only the phone.
    for mode in table.strings("UIBackgroundModes", limit: 64) ?? [] {
      manifest.declaration.modes.formUnion(BackgroundModes(named: mode) ?? [])
    }
    manifest.declaration.exitsOnSuspend = table.bool("UIApplicationExitsOnSuspend") ?? false
    takeWishes(prefix: "Milepost")
    table.finish { !$0.hasPrefix("Milepost") }
    checkTogether(serviceKey: "MilepostService", modesKey: "location among UIBackgroundModes")
  }

  private mutating func takeName(_ text: String?, key: String, missing: String) {
    guard let text else {
      if !table.states(key) { table.noteProblem(at: key, "missing; \(missing)") }
      return
    }
    guard !text.contains("$(") else {
      return table.noteProblem(
        at: key,
        "'\(SettingsTable.shortened(text))' is a placeholder of Xcode; take the Info.plist of the built "
          + "app, or write the identifier out")
    }
    guard AppName.isValid(text) else {
      return table.noteProblem(
        at: key,
        "'\(SettingsTable.shortened(text))' is not a name: \(AppName.words)")
    }
    manifest.name = text
  }

  private mutating func takeSink(key: String, example: String) {
    let value = table.value(key)
    switch (manifest.kind, value) {
    case (.sink, nil):
      table.noteProblem(at: key, "missing; say where its events go, as in \(example)")
    case (.sink, let value?) where value.members == nil:
      table.noteProblem(
        at: key, "\(SettingsTable.words(value)) where a table was expected, as in \(example)")
    case (.sink, let value?): manifest.sink = SinkSettings(value)
    case (_, nil): break
    case (_, _?):
      table.noteProblem(
        at: key, "only an app of the kind sink has one; this is a \(manifest.kind.rawValue)")
    }
  }

  private mutating func takeCommand(key: String, missing: String) {
    if manifest.kind == .sink {
      if table.value(key)?.array?.isEmpty == false || command != nil {
        table.noteProblem(at: key, "a sink runs none; leave it out")
      }
      return
    }
    let stated = table.strings(key, limit: AppManifest.listLimit)
    if command == nil, stated == nil, !table.states(key) {
      return table.noteProblem(at: key, "missing; \(missing)")
    }
    guard let words = command ?? stated else { return }
    if words.isEmpty, !needsCommand { return }
    guard words.count <= AppManifest.listLimit else {
      return table.noteProblem(
        at: key, "\(words.count) elements; at most \(AppManifest.listLimit) are allowed")
    }
    guard let program = words.first, !program.isEmpty,
      words.allSatisfy({ !$0.unicodeScalars.contains("\0") })
    else {
      return table.noteProblem(at: key, "without a program; \(missing)")
    }
    manifest.command = words
  }

  private mutating func takeEnvironment(key: String) {
    guard let value = table.value(key) else { return }
    guard let members = value.members else {
      return table.noteProblem(
        at: key, "\(SettingsTable.words(value)) where a table of names and texts was expected")
    }
    guard members.count <= AppManifest.listLimit else {
      return table.noteProblem(
        at: key, "\(members.count) variables; at most \(AppManifest.listLimit) are allowed")
    }
    for member in members {
      let place = "\(key).\(SettingsTable.shortened(member.key))"
      guard Self.isVariable(member.key) else {
        table.noteProblem(
          at: place, "not a variable's name: letters, digits and '_', not beginning with a digit")
        continue
      }
      guard !member.key.hasPrefix("MILEPOST_") else {
        table.noteProblem(at: place, "names that begin with MILEPOST_ are the service's own")
        continue
      }
      guard let text = member.value.string, !text.unicodeScalars.contains("\0") else {
        table.noteProblem(
          at: place, "\(SettingsTable.words(member.value)) where a text in quotes was expected")
        continue
      }
      if manifest.environment.updateValue(text, forKey: member.key) != nil {
        table.noteProblem(at: place, "given twice; keep one")
      }
    }
  }

  private static func isVariable(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first),
      name.utf8.count <= 255
    else { return false }
    return name.unicodeScalars.allSatisfy {
      $0.isASCII && ($0 == "_" || $0.properties.isAlphabetic || ("0"..."9").contains($0))
    }
  }

  private mutating func takeDirectory(key: String) {
    manifest.directory = table.absolutePath(key, from: manifest.directory) ?? manifest.directory
  }

  private mutating func takeModes(_ modes: [String]?) {
    for (index, mode) in (modes ?? []).enumerated() {
      guard let known = BackgroundModes(named: mode) else {
        table.noteProblem(
          at: "modes[\(index)]",
          SettingsTable.refusal(of: mode, among: BackgroundModes.names.map(\.name)))
        continue
      }
      manifest.declaration.modes.formUnion(known)
    }
  }

  /// Reads the keys that both forms have in the same words: `desired_accuracy_m`, `MilepostDesiredAccuracyM`.
  private mutating func takeWishes(prefix: String) {
    let key = { (own: String) in prefix.isEmpty ? own : Self.camel(own, prefix) }
    manifest.service = table.choice(key("service"), among: Service.allCases)
    takeAccuracy(key: key("desired_accuracy_m"))
    manifest.places = ManifestPlaces(
      &table, regionsKey: key("regions"), visitsKey: key("visits"))
    manifest.request.distanceFilter = table.number(
      key("distance_filter_m"), in: 0...1_000_000, unit: "metres")
    manifest.request.pausesAutomatically = table.bool(key("pauses")) ?? false
    manifest.request.allowsBackgroundUpdates = table.bool(key("allows_background_updates")) ?? true
    manifest.declaration.mayNotify = table.bool(key("notifications")) ?? false
    let levels = Authorization.allCases
    if let level = table.choice(key("authorization"), among: levels) {
      manifest.declaration.authorization = level
    }
    manifest.declaration.accuracy =
      table.choice(key("accuracy"), among: LocationAccuracy.allCases) ?? .full
    manifest.launch = table.choice(key("launch"), among: AppManifest.Launch.allCases) ?? .atStart
    manifest.timeout =
      table.number(key("timeout_s"), in: 1...86_400, unit: "seconds") ?? AppManifest.usualTimeout
  }

  private mutating func takeAccuracy(key: String) {
    guard let value = table.value(key) else { return }
    let word = value.string
    if let best = AppManifest.accuracies.first(where: { $0.word == word }) {
      manifest.request.desiredAccuracy = best.metres
    } else if let metres = value.number, (0...100_000).contains(metres) {
      manifest.request.desiredAccuracy = metres
    } else {
      table.noteProblem(
        at: key,
        "\(SettingsTable.words(value)) is not best, best_for_navigation or a number of metres from 0 to "
          + "100000")
    }
  }

  /// Checks combinations of keys.
  private mutating func checkTogether(serviceKey: String, modesKey: String) {
    if manifest.kind != .connected, manifest.service == nil, manifest.places.isEmpty,
      !table.states(serviceKey)
    {
      table.noteProblem(
        at: serviceKey,
        "missing; a \(manifest.kind.rawValue) cannot ask for one itself: standard, significant or continuous (or "
          + "regions, or visits)"
      )
    }
    if manifest.service == .continuous, !manifest.declaration.declaresLocationMode {
      table.noteProblem(
        at: serviceKey, "continuous updates need the declared mode; add \(modesKey)")
    }
  }

  /// `MilepostDistanceFilterM` of `distance_filter_m`.
  private static func camel(_ key: String, _ prefix: String) -> String {
    key.split(separator: "_").reduce(prefix) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
  }
}

/// The test that separates an iOS Info.plist from a manifest of our own.
package enum InfoPlist {
  /// The background modes that an Info.plist declares and that change nothing here, such as `processing`; none
  /// for another form.
  package static func unknownModes(_ value: JSONValue, file: String) -> [String] {
    guard isOne(value, file: file) else { return [] }
    return (value["UIBackgroundModes"]?.array ?? []).compactMap(\.string)
      .filter { BackgroundModes(named: $0) == nil }
  }

  /// Whether the keys or the file's name mean that this is one.
  static func isOne(_ value: JSONValue, file: String) -> Bool {
    let keys = (value.members ?? []).map(\.key)
    if keys.contains(where: { $0.hasPrefix("CFBundle") || $0.hasPrefix("UI") }) { return true }
    if keys.contains(where: { $0.hasPrefix("LS") || $0.hasPrefix("NSLocation") }) { return true }
    return file.lowercased().hasSuffix(".plist")
  }
}
