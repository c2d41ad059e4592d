// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import JSONText
import LocationModel
import ServiceContract
import Testing

@testable import DaemonRuntime
@testable import ServiceCore

@Suite("What the doctor says of what leaves the machine")
struct DiagnosisOutletsTests {
  private func told(_ change: (inout DoctorFacts.Service.Running) -> Void) -> String {
    var facts = DoctorFacts(host: "localhost", port: 2_947)
    var running = DoctorFacts.Service.Running(
      socket: "/s", release: "0.2.0", host: "localhost", port: 2_947)
    change(&running)
    facts.service = .running(running)
    var diagnosis = Diagnosis(facts)
    diagnosis.findings.removeAll {
      ![.outlet, .noOutlet, .handedOut, .sinkReached, .sinkFails].contains($0.kind)
    }
    return diagnosis.text.split(separator: "\n").dropFirst().joined(separator: "\n")
  }

  private func sink(
    _ name: String, _ table: String, accuracy: LocationAccuracy = .full,
    authorization: Authorization = .always
  ) throws -> StatusDocument.Outlet {
    let sink = SinkSettings(try JSONValue.parse(table))
    return .init(
      app: name, kind: sink.kind, host: sink.host.map(String.init), accuracy: accuracy,
      authorization: authorization)
  }

  @Test("Without a sink that names a host nothing does")
  func nothing() throws {
    #expect(told { _ in } == "- nothing leaves this machine: no sink sends to another host.")
    let file = try sink("log", #"{"kind":"file","folder":"/srv"}"#)
    let denied = try sink("van", #"{"kind":"mqtt","url":"mqtt://broker"}"#, authorization: .denied)
    #expect(
      told { $0.outlets = [file, denied] } == """
        - van would send to broker (mqtt), and is not authorized: nothing is sent.
        - nothing leaves this machine: no sink sends to another host.
        - positions are written here by log (file).
        """)
  }

  @Test("Each sink is named with its host, and neither its password nor its path")
  func sinks() throws {
    let van = try sink(
      "van", #"{"kind":"webhook","url":"https://me:secret@example.org:8443/hook?key=1"}"#)
    let town = try sink(
      "town", #"{"kind":"mqtt","url":"mqtts://broker.example"}"#, accuracy: .reduced)
    #expect(
      told { $0.outlets = [van, town] } == """
        - positions leave this machine: van sends to example.org (webhook).
          What to do: if that is too much: milepost apps authorize van always --reduced, or denied.
        - positions leave this machine, to 5 km: town sends to broker.example (mqtt).
        """)
  }

  @Test("A server on this machine is no place outside of it, and what it does is not seen")
  func here() throws {
    let outlets = try ["localhost:1883", "127.0.0.1", "[::1]:8083"].enumerated().map {
      try sink("s\($0.offset)", #"{"kind":"owntracks","url":"mqtt://\#($0.element)/"}"#)
    }
    #expect(
      told { $0.outlets = outlets } == """
        - nothing leaves this machine: no sink sends to another host.
        - s0 sends to a server on this machine, localhost (owntracks); what that does with positions is not seen here.
        - s1 sends to a server on this machine, 127.0.0.1 (owntracks); what that does with positions is not seen here.
        - s2 sends to a server on this machine, ::1 (owntracks); what that does with positions is not seen here.
        """)
  }

  @Test("What came of trying each sink is said, with its own words")
  func trials() {
    let reached = SinkTrialDocument(name: "van", isReached: true, text: "HTTP 200; it has none yet")
    let failed = SinkTrialDocument(
      name: "map", isReached: false, text: "map.example does not let us in")
    #expect(
      told { $0.trials = [reached, failed] } == """
        - nothing leaves this machine: no sink sends to another host.
        - the sink van can be reached: HTTP 200; it has none yet.
        - the sink map takes nothing: map.example does not let us in.
          What to do: milepost sinks test map tries it again; what waits for it is kept.
        """)
  }

  @Test("A live page that others reach lets positions out; one that they do not reach does not")
  func page() {
    #expect(
      told { $0.web = "0.0.0.0:8080" } == """
        - positions leave this machine: the live page on 0.0.0.0:8080 shows them.
          What to do: if that is too much: web: 127.0.0.1:8080 in milepostd.yaml, and ssh -L from elsewhere.
        """)
    #expect(
      told { $0.web = "[::1]:8080" }
        == "- nothing leaves this machine: no sink sends to another host.")
  }

  @Test("Programs that asked GeoClue are named")
  func geoClue() {
    #expect(
      told { $0.geoCluePrograms = ["org.gnome.Weather", "where-am-i"] } == """
        - nothing leaves this machine: no sink sends to another host.
        - these programs asked GeoClue, and were told positions: org.gnome.Weather, where-am-i.
        """)
  }

  @Test("Apps that are told, and ports that anybody here may ask, are named")
  func told() {
    let row = AppRow(
      name: "walker", kind: .connected, state: .active, services: [], authorization: .always,
      pending: 0, lastDelivery: nil, held: nil)
    var denied = row
    (denied.name, denied.authorization) = ("spy", .denied)
    #expect(
      told {
        $0.apps = [.init(row: row), .init(row: denied)]
        $0.gpsdPorts = [2_948]
      } == """
        - nothing leaves this machine: no sink sends to another host.
        - any program on this machine may ask for positions at 127.0.0.1:2948.
        - these apps are told positions, and what they do with them is not seen here: walker.
        """)
  }
}
