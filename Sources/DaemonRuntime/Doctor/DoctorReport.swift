// SPDX-License-Identifier: Apache-2.0

import JSONText

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
}
