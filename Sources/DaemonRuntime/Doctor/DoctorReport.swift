// SPDX-License-Identifier: Apache-2.0

import AppKeeping
import ControlProtocol
import JSONText
import LocationModel
import ModemCells
import ServiceContract

extension Diagnosis {
  /// One line per finding, with what to do below it.
  package var text: String {
    var lines = [hasFix ? "There is a fix." : "There is no fix."]
    for finding in findings {
      lines.append("- \(finding.text).")
      if let advice = finding.advice { lines.append("  What to do: \(advice).") }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The document `milepost.doctor/1`, on one line.
  package func json(_ facts: DoctorFacts) -> String {
    var json = JSONWriter()
    json.object { json in
      json.key("schema")
      json.string("milepost.doctor/1")
      json.key("gpsd")
      json.string("\(facts.host):\(facts.port)")
      json.key("gpsd_release")
      json.string(facts.version?.release)
      json.key("watched_s")
      json.number(facts.watched, decimals: 1)
      json.key("has_fix")
      json.bool(hasFix)
      json.key("findings")
      json.array { json in
        for finding in findings {
          json.object { json in
            json.key("kind")
            json.string(finding.kind.rawValue)
            json.key("text")
            json.string(finding.text)
            json.key("advice")
            json.string(finding.advice)
          }
        }
      }
      json.key("devices")
      json.array { json in
        for device in facts.devices { Self.write(device, &json) }
      }
      json.key("ports")
      json.array { json in
        for port in facts.ports ?? [] { Self.write(port, &json) }
      }
      json.key("service")
      Self.write(facts.service, &json)
      json.key("modems")
      Self.write(facts.modem, &json)
    }
    return json.text + "\n"
  }

  private static func write(_ device: DoctorFacts.Device, _ json: inout JSONWriter) {
    json.object { json in
      json.key("path")
      json.string(device.path)
      json.key("driver")
      json.string(device.driver)
      json.key("is_open")
      json.bool(device.isOpen)
      json.key("reports")
      json.integer(device.reports)
      json.key("fixes")
      json.integer(device.fixes)
      json.key("best_mode")
      json.integer(device.bestMode)
      json.key("satellites_used")
      json.integer(device.satellitesUsed)
      json.key("satellites_in_view")
      json.integer(device.satellitesInView)
      json.key("clock_offset_s")
      json.number(device.clockOffset, decimals: 3)
    }
  }

  private static func write(_ port: DoctorFacts.Port, _ json: inout JSONWriter) {
    json.object { json in
      json.key("path")
      json.string(port.path)
      json.key("names")
      json.array { json in for name in port.names { json.string(name) } }
      json.key("is_usable")
      json.bool(port.file == .usable)
    }
  }

  private static func write(_ service: DoctorFacts.Service, _ json: inout JSONWriter) {
    guard case .running(let service) = service else { return json.null() }
    json.object { json in
      json.key("socket")
      json.string(service.socket)
      json.key("release")
      json.string(service.release)
      json.key("gpsd")
      json.string("\(service.host):\(service.port)")
      json.key("apps")
      json.array { json in
        for app in service.apps { write(app, &json) }
      }
    }
  }

  private static func write(_ app: DoctorFacts.App, _ json: inout JSONWriter) {
    json.object { json in
      json.key("name")
      json.string(app.row.name)
      json.key("kind")
      json.string(app.row.kind.rawValue)
      json.key("state")
      json.string(app.row.state.rawValue)
      json.key("authorization")
      json.string(app.row.authorization.rawValue)
      json.key("pending")
      json.integer(app.row.pending)
      json.key("crashes")
      json.integer(app.crashes)
      json.key("held")
      json.string(app.row.held)
      json.key("program_fault")
      json.string(app.fault?.words)
    }
  }

  private static func write(_ survey: ModemSurvey?, _ json: inout JSONWriter) {
    guard case .modems(let modems) = survey else { return json.null() }
    json.array { json in
      for modem in modems {
        json.object { json in
          json.key("title")
          json.string(modem.title)
          json.key("state")
          json.string(modem.state.words)
          json.key("tells_cells")
          json.bool(modem.tellsCells)
        }
      }
    }
  }
}
