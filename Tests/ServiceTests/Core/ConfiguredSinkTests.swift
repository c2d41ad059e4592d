// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import JSONText
import LocationModel
import ServiceContract
import ServiceCore
import ServiceSimulation
import Testing

@Suite("The sinks of the configuration")
struct ConfiguredSinkTests {
  private static func manifest(
    _ name: String, filter: Double = 0, url: String = "https://a.example"
  ) -> AppManifest {
    var declaration = AppDeclaration()
    declaration.authorization = .always
    var manifest = AppManifest(
      name: name, kind: .sink, command: [], directory: "/etc", declaration: declaration,
      service: .significant,
      sink: SinkSettings(
        .object([.init("kind", .string("webhook")), .init("url", .string(url))])))
    manifest.origin = .configuration
    return manifest
  }

  private func document(_ bench: inout ServiceBench) -> String {
    bench.user(.user(.app("van"))).messages.map { String(decoding: $0.encode(), as: UTF8.self) }
      .joined()
  }

  @Test("They come with the configuration, keep what waits, and go with it")
  func comeAndGo() throws {
    var bench = try ServiceBench(sinks: [Self.manifest("van")])
    bench.tell(.began(adopted: []))
    #expect(bench.move(toKilometre: 0).passed == [[1]])
    bench.tell(.sink(.failed(AppID(1), upTo: 1, reason: "nobody")))
    // Other settings: it begins anew, with the waiting events.
    let changed = bench.configure([Self.manifest("van", url: "https://b.example")])
    #expect(changed.batches.map(\.sink.host) == ["b.example"])
    #expect(changed.passed == [[1]])
    // Stored as the configuration's, also for the next service.
    var next = try bench.restarted(sinks: [])
    #expect(next.tell(.began(adopted: [])).contains(.sink(.close(AppID(1)))))
    #expect(
      next.journal.contains(
        "warning: van: the configuration does not name it any more; 1 event was not sent"))
    #expect(next.store.pending(of: AppID(1)).isEmpty)
  }

  @Test("Without a configuration file they stay with what waits, and a person may remove them")
  func noFile() throws {
    var bench = try ServiceBench(sinks: [Self.manifest("van")])
    bench.tell(.began(adopted: []))
    #expect(bench.move(toKilometre: 0).passed == [[1]])
    bench.tell(.sink(.failed(AppID(1), upTo: 1, reason: "nobody")))
    var next = try bench.restarted(sinks: nil)
    next.tell(.began(adopted: []))
    #expect(
      next.journal.contains(
        "warning: there is no configuration file; the sinks that it named stay as they were: van"))
    #expect(next.store.pending(of: AppID(1)).count == 1)
    next.user(.remove("van"))
    #expect(next.store.pending(of: AppID(1)).isEmpty)
  }

  @Test("Read again it keeps what the user decided: its authorization, and the stricter accuracy")
  func decided() throws {
    var bench = try ServiceBench(sinks: [Self.manifest("van")])
    bench.tell(.began(adopted: []))
    bench.user(.authorize("van", .always, .reduced))
    bench.configure([Self.manifest("van", url: "https://b.example")])
    #expect(document(&bench).contains(#""accuracy":"reduced""#))
    bench.user(.authorize("van", .denied))
    bench.configure([Self.manifest("van", url: "https://c.example")])
    #expect(document(&bench).contains(#""authorization":"denied""#))
  }

  @Test("It is removed where it stands, in the configuration")
  func remove() throws {
    var bench = try ServiceBench(sinks: [Self.manifest("van")])
    bench.tell(.began(adopted: []))
    let answers = bench.user(.remove("van")).messages
    #expect(
      answers == [
        .error(
          code: .notPossible,
          "'van' stands in the configuration, as sinks.van; change it there, and read it again: "
            + "`systemctl --user reload milepostd`")
      ])
    #expect(document(&bench).contains(#""name":"van""#))
  }

  @Test("An app of a sink's name is refused with what helps, whatever is tried")
  func nameOfSink() throws {
    var bench = try ServiceBench(sinks: [Self.manifest("van")])
    bench.tell(.began(adopted: []))
    let taken = bench.add("van", kind: .handler).messages
    #expect(
      taken == [
        .error(
          code: .duplicateApp,
          "there is an app 'van' already, sinks.van of the configuration; give this one another name"
        )
      ])
    let manifest = ServiceBench.manifest("van", .handler)
    let updated = bench.tell(
      .manifest(bench.newClient(), .read(manifest, missingProgram: nil), id: nil, isUpdate: true))
    #expect(updated.messages == bench.user(.remove("van")).messages)
    // Of two kinds neither takes the other's manifest.
    bench.add("a", kind: .handler)
    #expect(
      bench.add("a", kind: .connected).messages == [
        .error(
          code: .duplicateApp,
          "there is an app 'a' already, a handler; remove it first: `milepost apps remove a`")
      ])
  }

  @Test("An app of that name stays, and that is said; no file says that the configuration has it")
  func nameTaken() throws {
    var bench = try ServiceBench()
    bench.tell(.began(adopted: []))
    bench.add("van", kind: .handler)
    bench.configure([Self.manifest("van")])
    #expect(
      bench.journal.contains(
        "error: sinks.van: there is an app of that name; remove it (milepost apps remove van) and read the "
          + "configuration again, or call the sink something else"))
    // The file is still the same.
    bench.user(.remove("van"))
    bench.configure([Self.manifest("van")])
    let said = bench.journal.last { $0.contains("configuration:") }
    #expect(said == "notice: configuration: sinks.van: begins")
    bench.configure([Self.manifest("van")])
    #expect(bench.journal.last == "notice: configuration: nothing changed")
    #expect(
      throws: SettingsError(problems: [
        .init(file: "m.yaml", path: "configured", message: "no such key")
      ])
    ) {
      try AppManifest(
        .object([
          .init("name", .string("a")), .init("command", .array([.string("./a")])),
          .init("kind", .string("connected")), .init("configured", .bool(true)),
        ]), file: "m.yaml", directory: "/")
    }
    let manifest = Self.manifest("van")
    #expect(try AppManifest(json: manifest.json) == manifest)
  }
}
