// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract
import ServiceCore

// Outlets of the machine: a position leaves it only by a sink to another host or by a live page that others can reach.
// The further use of data by a local server or an app is unknown.

extension Diagnosis {
  mutating func judgeOutlets(_ facts: DoctorFacts) {
    guard case .running(let service) = facts.service else { return }
    let abroad = service.outlets.filter { $0.host.map { !Loopback.holds($0) } ?? false }
    for outlet in abroad {
      let host = outlet.host ?? ""
      guard outlet.authorization.allowsLocation else {
        noteFinding(
          .handedOut,
          "\(outlet.app) would send to \(host) (\(outlet.kind)), and is not authorized: nothing is sent"
        )
        continue
      }
      let accuracy = outlet.accuracy == .reduced ? ", to 5 km" : ""
      noteFinding(
        .outlet,
        "positions leave this machine\(accuracy): \(outlet.app) sends to \(host) (\(outlet.kind))",
        advice: outlet.accuracy == .reduced
          ? nil
          : "if that is too much: milepost apps authorize \(outlet.app) "
            + "\(outlet.authorization.rawValue) --reduced, or denied")
    }
    let shownPage = service.web.flatMap { WebAddress(text: $0) }.flatMap {
      $0.isLoopback ? nil : $0
    }
    if let shownPage {
      noteFinding(
        .outlet, "positions leave this machine: the live page on \(shownPage.text) shows them",
        advice:
          "if that is too much: web: 127.0.0.1:\(shownPage.port) in milepostd.yaml, and "
          + "ssh -L from elsewhere")
    }
    if !abroad.contains(where: { $0.authorization.allowsLocation }), shownPage == nil {
      noteFinding(.noOutlet, "nothing leaves this machine: no sink sends to another host")
    }
    judgeOutletsHere(service)
    judgeTrials(service)
  }

  /// Judges the outlets that stay on this machine.
  private mutating func judgeOutletsHere(_ service: DoctorFacts.Service.Running) {
    for outlet in service.outlets where outlet.authorization.allowsLocation {
      guard let host = outlet.host else {
        noteFinding(.handedOut, "positions are written here by \(outlet.app) (\(outlet.kind))")
        continue
      }
      guard Loopback.holds(host) else { continue }
      noteFinding(
        .handedOut,
        "\(outlet.app) sends to a server on this machine, \(host) (\(outlet.kind)); what that does with "
          + "positions is not seen here")
    }
    if !service.gpsdPorts.isEmpty {
      let ports = service.gpsdPorts.map { "127.0.0.1:\($0)" }.joined(separator: ", ")
      noteFinding(.handedOut, "any program on this machine may ask for positions at \(ports)")
    }
    if !service.geoCluePrograms.isEmpty {
      noteFinding(
        .handedOut,
        "these programs asked GeoClue, and were told positions: "
          + service.geoCluePrograms.joined(separator: ", "))
    }
    let running = service.apps.filter {
      $0.row.kind != .sink && $0.row.authorization.allowsLocation
    }
    guard !running.isEmpty else { return }
    let names = running.map(\.row.name).joined(separator: ", ")
    noteFinding(
      .handedOut,
      "these apps are told positions, and what they do with them is not seen here: \(names)")
  }

  /// Judges the outcome of trying each sink.
  private mutating func judgeTrials(_ service: DoctorFacts.Service.Running) {
    for trial in service.trials {
      let row = service.apps.first { $0.row.name == trial.name }?.row
      findings.append(
        trial.isReached
          ? Finding(.sinkReached, "the sink \(trial.name) can be reached: \(trial.text)")
          : Finding(
            .sinkFails,
            "the sink \(trial.name) takes nothing: \(trial.text)\(row.map(Self.waiting) ?? "")",
            advice: "milepost sinks test \(trial.name) tries it again; what waits for it is kept"))
    }
  }
}
