// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import LocationModel
import ServiceContract
import SettingsFiles
import Testing

@Suite("The sinks of a configuration file")
struct ConfiguredSinksTests {
  private static func parse(_ text: String) throws -> [AppManifest] {
    let tree = try SettingsFile.document(Array(text.utf8), name: "milepost.yaml").value
    return try DaemonConfiguration(
      tree, file: "milepost.yaml", names: .init(directory: "/etc/milepost")
    ).sinks
  }

  private static func errors(_ text: String) -> [String] {
    do {
      _ = try parse(text)
      return []
    } catch {
      return (error as? SettingsError)?.problems.map(\.text) ?? ["\(error)"]
    }
  }

  @Test("A table is an app of the kind sink: what it hears is the manifest's, the rest the sink's")
  func table() throws {
    let sinks = try Self.parse(
      """
      sinks:
        van:
          kind: owntracks
          url: https://server.example:8083/pub
        days:
          kind: file
          folder: tracks
          service: continuous
          distance_filter_m: 50
          visits: true
          regions: [{name: home, latitude: 48.5, longitude: 11.25, radius_m: 150}]
      """)
    #expect(sinks.map(\.name) == ["van", "days"])
    let van = try #require(sinks.first)
    #expect(van.kind == .sink && van.isConfigured && van.service == .significant)
    #expect(van.declaration.authorization == .always && van.directory == "/etc/milepost")
    #expect(van.sink?.words == "owntracks, url = https://server.example:8083/pub")
    #expect(van.sink?.host == "server.example")
    let days = try #require(sinks.last)
    #expect(days.service == .continuous && days.request.distanceFilter == 50)
    #expect(days.declaration.declaresLocationMode && days.places.visits)
    #expect(
      days.places.regions == [
        MonitoredRegion(
          "home", centre: Coordinate(clampingLatitude: 48.5, wrappingLongitude: 11.25), radius: 150)
      ])
    #expect(days.sink?.words == "file, folder = tracks")
    #expect(try sinks.map { try AppManifest(json: $0.json) } == sinks)
  }

  @Test("What is wrong is said with the table's name and the key")
  func problems() {
    #expect(
      Self.errors(
        """
        sinks:
          van:
            kind: file
            service: signficant
            regions: [{name: a, latitude: 91, longitude: 1, radius_m: 100}, {name: b}]
          "a b":
            kind: file
        """) == [
          "milepost.yaml: sinks.van.service: 'signficant' is not one of standard, significant, continuous; "
            + "did you mean 'significant'?",
          "milepost.yaml: sinks.van.regions[0].latitude: 91 is not a number of degrees from -90 to 90",
          "milepost.yaml: sinks.van.regions[1].latitude: missing; a region has name, latitude, longitude and "
            + "radius_m",
          "milepost.yaml: sinks.van.regions[1].longitude: missing; a region has name, latitude, longitude and "
            + "radius_m",
          "milepost.yaml: sinks.van.regions[1].radius_m: missing; a region has name, latitude, longitude and "
            + "radius_m",
          "milepost.yaml: sinks.a b: 'a b' is not a name: 1 to 64 of a-z, A-Z, 0-9, '.', '_' and '-', not "
            + "beginning with '.'",
        ])
    #expect(
      Self.errors("sinks: 3")
        == [
          "milepost.yaml: sinks: 3 where at most 64 tables were expected, as in van: {kind: file, "
            + "folder: tracks}"
        ])
    #expect(
      Self.errors("sinks:\n  van: 3")
        == [
          "milepost.yaml: sinks.van: 3 where a table was expected, as in {kind: file, folder: tracks}"
        ])
  }

  @Test(
    "What changes in a table of sinks or zones is said by its name; no URL and no place is logged")
  func changes() throws {
    func configuration(_ text: String) throws -> DaemonConfiguration {
      let tree = try SettingsFile.document(Array(text.utf8), name: "milepost.yaml").value
      return try DaemonConfiguration(tree, file: "milepost.yaml")
    }
    let van = "sinks:\n  van:\n    kind: overland\n    url: https://a.example/in?api_key=s3cret\n"
    let days = "  days:\n    kind: file\n    folder: /srv\n"
    let home =
      "privacy_zones:\n  - name: home\n    latitude: 48.5\n    longitude: 11.25\n    radius_m: 300\n"
    func said(_ old: String, _ new: String) throws -> [String] {
      DaemonConfiguration.changes(from: try configuration(old), to: try configuration(new)).map(
        \.text)
    }
    #expect(try said("", home + van) == ["privacy_zones: home is new", "sinks: van is new"])
    // A sink's data is a change as well as its destination.
    #expect(
      try said(van + days, van + "    accuracy: reduced\n")
        == ["sinks: van is changed, days is gone"])
    #expect(try said(van + days, van + days) == [])
    #expect(
      try said(home, home.replacing("300", with: "400")) == ["privacy_zones: home is changed"])
  }

  @Test(
    "The other side's host is that of the URL",
    arguments: [
      ("https://a.example/x", "a.example", true), ("mqtts://u:p@b.example:8883", "b.example", true),
      ("http://[::1]:80/", "::1", false), ("http://127.0.0.1:5055", "127.0.0.1", false),
      ("http://localhost?x=://", "localhost", false),
    ])
  func host(url: String, host: String, needsNetwork: Bool) {
    let settings = SinkSettings(.object([.init("url", .string(url))]))
    #expect(settings.host.map(String.init) == host)
    #expect(settings.needsNetwork == needsNetwork)
  }

  @Test(
    "The addresses of RFC 1918, 3927, 4193 and 4291, and names without a public domain, are on the local network",
    arguments: [
      ("10.9.0.1", true), ("172.16.0.1", true), ("172.31.255.255", true), ("172.32.0.1", false),
      ("192.168.178.20", true), ("192.169.0.1", false), ("169.254.1.1", true), ("8.8.8.8", false),
      ("fd00::1", true), ("fe80::1", true), ("2001:db8::1", false), ("::ffff:8.8.8.8", false),
      ("pi.local", true), ("PI.LAN", true), ("broker", true), ("a.home.arpa", true),
      ("server.example", false), ("local", true), ("10.9.0.1.example", false),
    ])
  func local(host: String, isLocal: Bool) {
    #expect(LocalNetwork.holds(host) == isLocal)
  }

  @Test("When a sink's events may go")
  func schedule() {
    func problems(_ keys: [JSONValue.Member]) -> [String] {
      var table = SettingsTable(.object(keys), file: "m.yaml", path: "sink")
      _ = SinkSchedule(&table)
      return table.problems.map(\.text)
    }
    #expect(problems([.init("urgent", .bool(false)), .init("max_delay_s", .number(60))]) == [])
    #expect(
      problems([.init("max_delay_s", .number(60))])
        == ["m.yaml: sink.max_delay_s: an urgent sink does not wait; say urgent: false"])
    #expect(
      problems([.init("keep", .string("frist"))])
        == ["m.yaml: sink.keep: 'frist' is not one of all, last"])
    let schedule = SinkSchedule(
      SinkSettings(
        .object([
          .init("urgent", .bool(false)), .init("rides", .bool(false)),
          .init("keep", .string("last")),
          .init("on_metered", .string("wait")),
        ])))
    #expect(schedule.departure == .gathered(within: 900, rides: false))
    #expect(schedule.keeping == .last && schedule.onMetered == .wait)
    let usual = SinkSchedule(SinkSettings(kind: "file"))
    #expect(usual.departure == .atOnce && usual.keeping == .all && usual.onMetered == .send)
  }
}
