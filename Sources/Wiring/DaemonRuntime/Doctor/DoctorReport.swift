// SPDX-License-Identifier: Apache-2.0

import AppKeeping
package import JSONText
import LocationModel
import MessageBus
import ServiceContract
import ServiceCore

extension Diagnosis {
  /// One line per finding, with its remedy below it.
  package var text: String {
    var lines = [hasFix ? "There is a fix." : "There is no fix."]
    for finding in findings {
      lines.append("- \(finding.text).")
      if let advice = finding.advice { lines.append("  What to do: \(advice).") }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The faults alone, for a health check.
  package var checkText: String {
    guard !faults.isEmpty else { return "all is well\n" }
    return faults.map { "\($0.text)\n" }.joined()
  }

  /// The document `milepost.doctor/1`, on one line.
  package func json(_ facts: DoctorFacts) -> String {
    String(decoding: Self.table.document((self, facts)), as: UTF8.self) + "\n"
  }

  package static let schema = JSONSchema(
    "milepost.doctor/1", "milepost doctor --json.", table.shape)

  private static let table = JSONTable<(diagnosis: Diagnosis, facts: DoctorFacts)> { doctor in
    doctor.constant("schema", "milepost.doctor/1")
    doctor.value("gpsd", about: "HOST:PORT.") { "\($0.facts.host):\($0.facts.port)" }
    doctor.value("gpsd_release", \.facts.version?.release)
    doctor.known("watched_s", decimals: 1, \.facts.watched)
    doctor.value("has_fix", \.diagnosis.hasFix)
    doctor.value(
      "is_well", about: "Whether there is a fix, a service, and nothing keeps its events back.",
      \.diagnosis.faults.isEmpty)
    doctor.objects(
      "findings",
      about:
        "In the order of the chain from program to sky; then service, apps, modem and machine.",
      \.diagnosis.findings
    ) { finding in
      finding.value("kind", .word(among: Finding.Kind.allCases), { $0.kind })
      finding.value("text", \.text)
      finding.value("advice", \.advice)
    }
    doctor.value("devices", .array(of: device.output), { $0.facts.devices })
    doctor.objects(
      "ports",
      about: "Files of this machine that may be receivers; empty where gpsd is on another.",
      { $0.facts.ports ?? [] }
    ) { port in
      port.value("path", \.path)
      port.value("names", about: "Other names that lead to it.", \.names)
      port.value("is_usable", about: "Whether gpsd's user may read and write it.") {
        $0.file == .usable
      }
    }
    doctor.value(
      "service", .nullable(service.output), about: "null where none runs, or it does not answer."
    ) {
      if case .running(let service) = $0.facts.service { service } else { nil }
    }
    doctor.value(
      "modems", .nullable(.array(of: modem.output)),
      about: "As ModemManager lists them; null where it cannot be asked."
    ) {
      if case .modems(let modems) = $0.facts.modem { modems } else { nil }
    }
  }

  private static let device = JSONTable<DoctorFacts.Device> { device in
    device.value("path", \.path)
    device.value("driver", \.driver)
    device.value("is_open", about: "Whether gpsd has it open.", \.isOpen)
    device.value("reports", about: "TPV reports of it.", \.reports)
    device.value("fixes", \.fixes)
    device.value(
      "best_mode", .whole(in: 0...3),
      about: "0 unknown, 1 no fix, 2 in two dimensions, 3 in three.", { $0.bestMode })
    device.value("satellites_used", \.satellitesUsed)
    device.value("satellites_in_view", \.satellitesInView)
    device.number(
      "clock_offset_s", in: -1e15...1e15, decimals: 3,
      about: "Seconds by which the receiver's time is ahead of this machine's.", \.clockOffset)
  }

  private static let service = JSONTable<DoctorFacts.Service.Running> { service in
    service.value("socket", \.socket)
    service.value("release", \.release)
    service.value("gpsd", about: "Where the service looks for gpsd, HOST:PORT.") {
      "\($0.host):\($0.port)"
    }
    service.objects("apps", \.apps) { app in
      app.value("name", \.row.name)
      app.value("kind", \.row.kind)
      app.value("state", \.row.state)
      app.value("authorization", \.row.authorization)
      app.value("pending", about: "Events that are not acknowledged.", \.row.pending)
      app.value("crashes", \.crashes)
      app.value("held", \.row.held)
      app.value(
        "program_fault", about: "Why its program cannot be run, and what to do.",
        \.fault?.words)
    }
    service.objects("sinks", about: "Each that may be told positions, as it was tried.", \.trials) {
      trial in
      trial.value("name", \.name)
      trial.value("reached", \.isReached)
      trial.value("text", about: "What it saw, or why it did not get through.", \.text)
    }
  }

  private static let modem = JSONTable<ModemSurvey.Modem> { modem in
    modem.value("title", \.title)
    modem.value("state", \.state.words)
    modem.value("tells_cells", \.tellsCells)
  }
}
