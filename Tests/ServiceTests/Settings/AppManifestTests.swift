// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel
import SettingsFiles
import Testing

@testable import ServiceContract

@Suite("Manifests")
struct AppManifestTests {
  @Test("The same manifest gives the same value in every form")
  func forms() throws {
    var declaration = AppDeclaration()
    declaration.declaresLocationMode = true
    var request = StandardRequest()
    request.desiredAccuracy = 100
    request.distanceFilter = 12.5
    request.pausesAutomatically = true
    let expected = AppManifest(
      name: "walker", kind: .handler, command: ["./walker", "--fast"],
      environment: ["LANG": "C", "LEVEL": "3"], directory: "/opt/apps/run",
      declaration: declaration, service: .standard, request: request, launch: .manual)
    for (file, bytes) in Forms.all {
      let tree = try SettingsFile.document(bytes, name: file, orInfoPlist: true).value
      #expect(try AppManifest(tree, file: file, directory: "/opt/apps") == expected, "\(file)")
    }
  }

  @Test("An Info.plist gives name, modes and opting out; the command comes from outside")
  func infoPlist() throws {
    let tree = try SettingsFile.document(Forms.infoPlist, name: "Info.plist", orInfoPlist: true)
      .value
    let manifest = try AppManifest(
      tree, file: "Info.plist", directory: "/opt/apps", command: ["./walker", "-v"])
    #expect(manifest.name == "org.example.Walker-1")
    #expect(manifest.kind == .connected)
    #expect(manifest.command == ["./walker", "-v"])
    #expect(manifest.directory == "/opt/apps")
    #expect(manifest.declaration.modes == [.audio, .location])
    #expect(manifest.declaration.exitsOnSuspend)
    #expect(manifest.declaration.authorization == .notDetermined)
    #expect(manifest.service == nil)
    #expect(
      Self.errors(tree, file: "Info.plist") == [
        "Info.plist: MilepostCommand: missing; an Info.plist does not say what to run here; add the "
          + "command: milepost apps add Info.plist -- command..."
      ])
  }

  @Test("Milepost's own keys in an Info.plist are read, and a typo in one is found")
  func ownKeys() throws {
    var members: [JSONValue.Member] = [
      .init("CFBundleIdentifier", .string("org.example.w")),
      .init("UIBackgroundModes", .array([.string("fetch")])),
      .init("NSLocationWhenInUseUsageDescription", .string("Why")),
      .init("MilepostCommand", .array([.string("w")])),
      .init("MilepostKind", .string("handler")),
      .init("MilepostService", .string("significant")),
      .init("MilepostDistanceFilterM", .number(5)),
      .init("MilepostAuthorization", .string("when_in_use")),
    ]
    let manifest = try AppManifest(.object(members), file: "Info.plist", directory: "/opt")
    #expect(manifest.kind == .handler)
    #expect(manifest.service == .significant)
    #expect(manifest.request.distanceFilter == 5)
    #expect(manifest.declaration.authorization == .whenInUse)
    #expect(manifest.declaration.modes == .fetch)
    members.append(.init("MilepostLanch", .string("manual")))
    #expect(
      Self.errors(.object(members), file: "Info.plist")
        == ["Info.plist: MilepostLanch: no such key; did you mean 'MilepostLaunch'?"])
  }

  @Test("A source Info.plist with Xcode's placeholders is told apart from a built one")
  func placeholder() {
    let tree = JSONValue.object([
      .init("CFBundleIdentifier", .string("$(PRODUCT_BUNDLE_IDENTIFIER)"))
    ])
    #expect(
      Self.errors(tree, file: "Info.plist", command: ["w"]) == [
        "Info.plist: CFBundleIdentifier: '$(PRODUCT_BUNDLE_IDENTIFIER)' is a placeholder of Xcode; take "
          + "the Info.plist of the built app, or write the identifier out"
      ])
  }

  @Test("All problems are told at once, each with its place, value and what is allowed")
  func problems() throws {
    let text = """
      name: .hidden
      kind: handlr
      comand: [x]
      modes: [locaton]
      exits_on_suspend: maybe
      distance_filter_m: -5
      desired_accuracy_m: good
      authorization: 3
      launch: at-start
      directory: "~/x"
      environment: {9A: b, MILEPOST_X: y, A: 1}
      """
    let tree = try SettingsFile.document(Array(text.utf8), name: "w.yaml").value
    #expect(
      Self.errors(tree, file: "w.yaml") == [
        "w.yaml: name: '.hidden' is not a name: 1 to 64 of a-z, A-Z, 0-9, '.', '_' and '-', not "
          + "beginning with '.'",
        "w.yaml: kind: 'handlr' is not one of handler, connected, sink; did you mean 'handler'?",
        "w.yaml: command: missing; say the program and its arguments, as in command: [./walker]",
        "w.yaml: environment.9A: not a variable's name: letters, digits and '_', not beginning with a "
          + "digit",
        "w.yaml: environment.MILEPOST_X: names that begin with MILEPOST_ are the service's own",
        "w.yaml: environment.A: 1 where a text in quotes was expected",
        "w.yaml: directory: '~/x' is not a path; write it out, from / or from where this file lies",
        "w.yaml: modes[0]: 'locaton' is not one of audio, location, voip, fetch, remote-notification, "
          + "newsstand-content, external-accessory, bluetooth-central, bluetooth-peripheral, location-push; did you "
          + "mean 'location'?",
        "w.yaml: exits_on_suspend: 'maybe' where true or false was expected",
        "w.yaml: desired_accuracy_m: 'good' is not best, best_for_navigation or a number of metres from "
          + "0 to 100000",
        "w.yaml: distance_filter_m: -5 is not a number of metres from 0 to 1000000",
        "w.yaml: authorization: 3 where a text in quotes was expected",
        "w.yaml: launch: 'at-start' is not one of at_start, manual; did you mean 'at_start'?",
        "w.yaml: comand: no such key; did you mean 'command'?",
      ])
  }

  @Test("What single keys cannot say is checked too")
  func together() {
    let handler = JSONValue.object([
      .init("name", .string("w")), .init("kind", .string("handler")), .init("service", .null),
      .init("command", .array([.string("w")])),
    ])
    #expect(
      Self.errors(handler, file: "w.json") == [
        "w.json: service: missing; a handler cannot ask for one itself: standard, significant or continuous (or "
          + "regions, or visits)"
      ])
    let continuous = JSONValue.object([
      .init("name", .string("w")), .init("kind", .string("connected")),
      .init("service", .string("continuous")), .init("command", .array([.string("w")])),
    ])
    #expect(
      Self.errors(continuous, file: "w.json") == [
        "w.json: service: continuous updates need the declared mode; add modes: [location]"
      ])
  }

  @Test("A sink has a table in place of a command, and comes back the same from its JSON")
  func sink() throws {
    let text = """
      name: w
      kind: sink
      service: significant
      sink:
        kind: file
        folder: x
        depth: 2.5
      """
    let tree = try SettingsFile.document(Array(text.utf8), name: "w.yaml").value
    let manifest = try AppManifest(tree, file: "w.yaml", directory: "/opt")
    #expect(manifest.command.isEmpty)
    #expect(manifest.sink?.words == "file, folder = x, depth = 2.5")
    #expect(try AppManifest(json: manifest.json) == manifest)
    func errors(_ lines: String) throws -> [String] {
      let tree = try SettingsFile.document(Array("name: w\n\(lines)\n".utf8), name: "w.yaml").value
      return Self.errors(tree, file: "w.yaml")
    }
    #expect(
      try errors("kind: sink\ncommand: [w]") == [
        "w.yaml: sink: missing; say where its events go, as in sink: {kind: file, folder: "
          + "deliveries}",
        "w.yaml: command: a sink runs none; leave it out",
        "w.yaml: service: missing; a sink cannot ask for one itself: standard, significant or continuous (or "
          + "regions, or visits)",
      ])
    #expect(
      try errors("kind: sink\nservice: significant\nsink: file") == [
        "w.yaml: sink: 'file' where a table was expected, as in sink: {kind: file, folder: "
          + "deliveries}"
      ])
    #expect(
      try errors("kind: connected\ncommand: [w]\nsink:\n  kind: file") == [
        "w.yaml: sink: only an app of the kind sink has one; this is a connected"
      ])
  }

  @Test(
    "What is no manifest at all says so",
    arguments: [
      (JSONValue.array([]), "a.json: an array where keys and values were expected"),
      (
        .object([
          .init("name", .string("w")), .init("name", .string("v")),
          .init("kind", .string("connected")), .init("command", .array([.string("w")])),
        ]), "a.json: name: given twice; keep one"
      ),
      (
        .object([
          .init("name", .string("w")), .init("modes", .array([])),
          .init("background_modes", .array([])), .init("kind", .string("connected")),
          .init("command", .array([.string("w")])),
        ]), "a.json: modes: given as modes and as background_modes; keep one"
      ),
      (
        .object([
          .init("name", .string("w")), .init("kind", .string("connected")),
          .init("command", .array([])),
        ]),
        "a.json: command: without a program; say the program and its arguments, as in command: [./walker]"
      ),
    ])
  func shapes(tree: JSONValue, message: String) {
    #expect(Self.errors(tree, file: "a.json") == [message])
  }

  @Test("A manifest kept as JSON comes back the same, and its bytes are stable")
  func json() throws {
    let tree = try SettingsFile.document(Array(Forms.yaml.utf8), name: "w.yaml").value
    let manifest = try AppManifest(tree, file: "w.yaml", directory: "/opt/apps")
    let text = String(decoding: manifest.json, as: UTF8.self)
    #expect(
      text == """
        {"name":"walker","kind":"handler","command":["./walker","--fast"],"environment":{"LANG":"C",\
        "LEVEL":"3"},"directory":"/opt/apps/run","modes":["location"],"exits_on_suspend":false,\
        "service":"standard","desired_accuracy_m":100,"distance_filter_m":12.5,"pauses":true,\
        "allows_background_updates":true,"authorization":"always","launch":"manual",\
        "timeout_s":600}
        """)
    #expect(try AppManifest(json: manifest.json) == manifest)
    var other = manifest
    other.request.desiredAccuracy = -2
    other.request.distanceFilter = 1e-7 / 3
    other.request.allowsBackgroundUpdates = false
    other.environment = ["A": "\"\u{1}ü\n"]
    other.declaration.modes = [.audio, .voip, .bluetoothPeripheral]
    other.declaration.mayNotify = true
    other.kind = .connected
    other.service = nil
    #expect(try AppManifest(json: other.json) == other)
    #expect(throws: SettingsError.self) { try AppManifest(json: Array("{".utf8)) }
  }

  @Test("The schema has the keys that are read, and no others")
  func schema() throws {
    let schema = try JSONValue.parse(AppManifest.schema.text)
    var draft = ManifestDraft(
      table: SettingsTable(.object([]), file: "a.json"), directory: "/", command: nil,
      authorization: .denied, needsCommand: false)
    draft.readOwnForm()
    // Another word for `modes`.
    let read = Set(draft.table.known).subtracting(["background_modes"])
    #expect(Set(try #require(schema["properties"]?.members).map(\.key)) == read)
    #expect(schema["required"]?.array == [.string("name"), .string("kind")])
  }

  private static func errors(
    _ tree: JSONValue, file: String, command: [String]? = nil
  ) -> [String] {
    do throws(SettingsError) {
      _ = try AppManifest(tree, file: file, directory: "/opt/apps", command: command)
      return []
    } catch {
      return error.problems.map(\.text)
    }
  }
}
