// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationModel
import Settings

// Outlets of the machine: a position goes out by a sink that names a host, by a live page that others reach, and by
// nothing else of the service. Nobody sees what an app does with what it is told.

extension Diagnosis {
  mutating func judgeOutlets(_ facts: DoctorFacts) {
    guard case .running(let service) = facts.service else { return }
    for outlet in service.outlets {
      guard let host = outlet.host else { continue }
      guard outlet.authorization.allowsLocation else {
        findings.append(
          Finding(
            .handedOut,
            "\(outlet.app) would send to \(host) (\(outlet.kind)), and is not authorized: nothing is sent"
          ))
        continue
      }
      let accuracy = outlet.accuracy == .reduced ? ", to 5 km" : ""
      findings.append(
        Finding(
          .outlet,
          "positions leave this machine\(accuracy): \(outlet.app) sends to \(host) (\(outlet.kind))",
          advice: outlet.accuracy == .reduced
            ? nil
            : "if that is too much: milepost apps authorize \(outlet.app) "
              + "\(outlet.authorization.rawValue) --reduced, or denied"))
    }
    let shownPage = service.web.flatMap { WebAddress(text: $0) }.flatMap {
      $0.isLoopback ? nil : $0
    }
    if let shownPage {
      findings.append(
        Finding(
          .outlet, "positions leave this machine: the live page on \(shownPage.text) shows them",
          advice:
            "if that is too much: web = \"127.0.0.1:\(shownPage.port)\" in milepostd.toml, and "
            + "ssh -L from elsewhere"))
    }
    let sends = service.outlets.contains { $0.host != nil && $0.authorization.allowsLocation }
    if !sends, shownPage == nil {
      findings.append(
        Finding(.noOutlet, "nothing leaves this machine: no sink sends to a host"))
    }
    for outlet in service.outlets where outlet.host == nil && outlet.authorization.allowsLocation {
      findings.append(
        Finding(.handedOut, "positions are written here by \(outlet.app) (\(outlet.kind))"))
    }
    if !service.gpsdPorts.isEmpty {
      let ports = service.gpsdPorts.map { "127.0.0.1:\($0)" }.joined(separator: ", ")
      findings.append(
        Finding(.handedOut, "any program on this machine may ask for positions at \(ports)"))
    }
    if !service.geoCluePrograms.isEmpty {
      findings.append(
        Finding(
          .handedOut,
          "these programs asked GeoClue, and were told positions: "
            + service.geoCluePrograms.joined(separator: ", ")))
    }
    let running = service.apps.filter {
      $0.row.kind != .sink && $0.row.authorization.allowsLocation
    }
    guard !running.isEmpty else { return }
    let names = running.map(\.row.name).joined(separator: ", ")
    findings.append(
      Finding(
        .handedOut,
        "these apps are told positions, and what they do with them is not seen here: \(names)"))
  }
}
